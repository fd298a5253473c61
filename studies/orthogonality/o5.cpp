// O5: concatenation makes words and positions exactly orthogonal. In words: o5.toml.

#include <algorithm>

#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/measures/subspaces.hpp"
#include "perp/study/experiment.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/orthogonality/claims.hpp"

namespace perp::orthogonality {
namespace {

constexpr std::size_t words = 1000, positions = 512, d = 512, d_p = 128, d_x = d - d_p;

/// `count` rows spread over the table: neighbouring positions are so alike that their span is lost in
/// rounding.
Matrix<double> spread_rows(const Matrix<float>& table, std::size_t count) {
  Matrix<double> out = matrix<double>(count, cols(table));
  for (std::size_t i = 0; i < count; ++i)
    std::ranges::copy(row(table, i * rows(table) / count), row(out, i).begin());
  return out;
}

void measure(const Streams& streams, Out& out) {
  const Matrix<float> drawn = draw_words(Family::gaussian, words, d_x, streams("words"));
  const Matrix<float> x = unit_rows(placed(drawn, 0, d)).rows;
  const Matrix<float> p = unit_rows(placed(sinusoidal<float>(positions, d_p), d_x, d)).rows;
  out("concatenated", {{"pair", cosines_between(x, p, 1, 1).max_abs},
                       {"principal", principal_cosines(spread_rows(x, 16), spread_rows(p, 8)).front()}});
}

}  // namespace

Experiment concatenation(const Options&) {
  Experiment claim("O5", toml_of("o5"));
  claim.cell({{"d", whole(d)}, {"d_p", whole(d_p)}}, 1e-3, measure);
  return claim;
}

}  // namespace perp::orthogonality
