#include "perp/random/sphere.hpp"

#include <array>
#include <cmath>
#include <numeric>
#include <span>

#include "perp/base/error.hpp"
#include "perp/random/normal.hpp"

namespace perp {
namespace {

// Eight running sums, because one alone would wait for its own last addition.
double sum_of_squares(std::span<const float> values) {
  constexpr std::size_t width = 8;
  std::array<double, width> sums{};
  std::size_t i = 0;
  for (; i + width <= values.size(); i += width)
    for (std::size_t j = 0; j < width; ++j) sums[j] += double{values[i + j]} * double{values[i + j]};
  for (std::size_t j = 0; i + j < values.size(); ++j)
    sums[j] += double{values[i + j]} * double{values[i + j]};
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

}  // namespace

void fill_sphere(const Stream& stream, Matrix<float>& words, std::uint64_t first_row) {
  const std::size_t d = cols(words);
  require(d > 0 || rows(words) == 0, "fill_sphere: {} rows of 0 columns have no direction", rows(words));
  for (std::size_t i = 0; i < rows(words); ++i) {
    const std::span<float> word = row(words, i);
    fill_normal(stream, word, (first_row + i) * d);
    const double inverse = 1.0 / std::sqrt(sum_of_squares(word));  // no normal of ours is 0
    for (float& value : word) value = static_cast<float>(value * inverse);
  }
}

}  // namespace perp
