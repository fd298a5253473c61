// The largest cosine of 2,000 random words with 512 sinusoidal positions, and what chance gives.

#include <cstdio>

#include "perp/measures/cosines.hpp"
#include "perp/theory/cosine.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"

int main() {
  const std::size_t d = 512, words = 2000, positions = 512;
  const perp::Stream stream = perp::stream(1, "example", "", 0, "words");
  const perp::UnitRows x = perp::unit_rows(perp::draw_words(perp::Family::gaussian, words, d, stream));
  const perp::UnitRows p = perp::unit_rows(perp::sinusoidal<float>(positions, d));
  std::printf("largest |cosine| %.3f; of as many independent pairs %.3f\n",
              perp::max_abs_cosine_between(x.rows, p.rows, 1),
              perp::theory::largest_cosine_median(d, double(words) * double(positions)));
}
