#include "perp/theory/room.hpp"

#include <algorithm>

#include "perp/base/error.hpp"
#include "perp/theory/cosine.hpp"
#include "perp/theory/dimension.hpp"

namespace perp::theory {

double free_dimensions(std::size_t positions, std::size_t d, double base) {
  return std::max(0.0, static_cast<double>(d) - sinusoid_r99(positions, d, base));
}

Expectation expect(std::size_t d, std::size_t words, std::size_t positions, double base) {
  require(words >= 2, "expect: {} words given, expected at least 2", words);
  const double v = static_cast<double>(words);
  const double r99 = sinusoid_r99(positions, d, base);
  return {.chance_cosine = cosine_sd(d),
          .largest_words = largest_cosine_median(d, v * (v - 1) / 2),
          .largest_word_position = largest_cosine_median(d, v * static_cast<double>(positions)),
          .r99 = r99,
          .free_dimensions = free_dimensions(positions, d, base),
          .word_energy = r99 / static_cast<double>(d)};
}

}  // namespace perp::theory
