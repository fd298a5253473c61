#include "perp/theory/room.hpp"

#include "perp/base/error.hpp"
#include "perp/theory/cosine.hpp"

namespace perp::theory {

Expectation expect(std::size_t d, std::size_t words, std::size_t positions) {
  require(words >= 2, "expect: {} words given, expected at least 2", words);
  const double v = static_cast<double>(words);
  return {.chance_cosine = cosine_sd(d),
          .largest_words = largest_cosine_median(d, v * (v - 1) / 2),
          .largest_word_position = largest_cosine_median(d, v * static_cast<double>(positions))};
}

}  // namespace perp::theory
