// V1: the heat map. What stands still towards its right end does so because the picture is short. In words: v1.toml.

#include <cmath>

#include "perp/base/matrix_algebra.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/anatomy/claims.hpp"

namespace perp::anatomy {
namespace {

/// A dimension "is 0" or "is 1" if it stays this near to it at every position.
constexpr double nearness = 0.1;

/// Dimensions at the right end that stay within `nearness` of 0 (sines) or 1 (cosines), counted from the end.
std::size_t still_columns(const Matrix<double>& table) {
  std::size_t still = 0;
  for (std::size_t j = cols(table); j-- > 0; ++still) {
    const double rest = j % 2 ? 1 : 0;
    for (std::size_t t = 0; t < rows(table); ++t)
      if (std::abs(table(t, j) - rest) > nearness) return still;
  }
  return still;
}

void measure(std::size_t d, std::size_t l, Out& out) {
  const Matrix<double> table = sinusoidal<double>(l, d);
  out("still", {{"still", still_columns(table)}, {"entries", l * d}});
  if (d != small_width) return;
  for (std::size_t t = 0; t < l; ++t)
    for (std::size_t j = 0; j < d; ++j)
      out("heatmap16", {{"position", t}, {"dimension", j}, {"value", four_decimals(table(t, j))}});
}

}  // namespace

Experiment heat_map(const Options&) {
  Experiment claim("V1", toml_of("v1"));
  const auto add = [&](std::size_t d, std::size_t l) {
    claim.cell({{"d", whole(d)}, {"l", whole(l)}}, 1e-8 * double(d * l),
               [=](const Streams&, Out& out) { measure(d, l, out); });
  };
  add(small_width, small_length);
  for (const std::size_t l : {length, text_length, std::size_t{8192}}) add(width, l);
  add_matrix(claim, "v1_heatmap.csv", {"dimension", "1", Kind::exact, "row: even a sine, odd a cosine"},
             "entry at position", [] { return transposed(sinusoidal<double>(length, width)); });
  return beside_the_claims(claim);
}

}  // namespace perp::anatomy
