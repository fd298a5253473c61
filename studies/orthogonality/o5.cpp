// O5: concatenation makes words and positions exactly orthogonal.

#include <algorithm>

#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/angles.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/study/claim.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/orthogonality/claims.hpp"

namespace perp::orthogonality {
namespace {

constexpr std::size_t words = 1000, positions = 512;
/// Rounding may leave this much of a cosine that is zero by construction.
constexpr double rounding = 1e-12;

struct Split {
  std::size_t d, d_p;
};
PERP_ROW(Split, d, d_p)
struct Concatenated : Split {
  double max_abs, largest_principal;
};
PERP_ROW_OF(Concatenated, Split, max_abs, largest_principal)

/// `count` rows spread over the table: neighbouring positions are so alike that their span is lost in
/// rounding.
Matrix<double> spread_rows(const Matrix<float>& table, std::size_t count) {
  Matrix<double> out = matrix<double>(count, cols(table));
  for (std::size_t i = 0; i < count; ++i)
    std::ranges::copy(row(table, i * rows(table) / count), row(out, i).begin());
  return out;
}

void measure(const Split& at, const Streams& streams, Rows& rows) {
  const std::size_t d_x = at.d - at.d_p;
  const Matrix<float> drawn = draw_words(Family::gaussian, words, d_x, streams("words"));
  const Matrix<float> x = unit_rows(placed(drawn, 0, at.d)).rows;
  const Matrix<float> p = unit_rows(placed(sinusoidal<float>(positions, at.d_p), d_x, at.d)).rows;
  const std::size_t k = std::min<std::size_t>(d_x, 16), r = std::min<std::size_t>(at.d_p, 8);
  rows.add(Concatenated{at, max_abs_cosine_between(x, p, 1),
                        principal_cosines(spread_rows(x, k), spread_rows(p, r)).front()});
}

Condition rounds_to_zero(const char* finding, const char* of) {
  return condition(Role::core, finding, Is::below, rounding, Evidence::theorem, {{"of", of}});
}

void conclude(const Cells& cells, Summary& summary) {
  const Concatenated one = rows_of<Concatenated>(cells).at(0);
  add_overall(summary, "largest_pair", {}, one.max_abs, words * positions,
              "Largest |cosine| of a padded word with a padded position.", 0.0);
  add_overall(summary, "largest_principal", {}, one.largest_principal, 1,
              "Largest principal cosine between the spans of padded words and positions.", 0.0);
  summary.rule = {rounds_to_zero("largest_pair", "pairs"), rounds_to_zero("largest_principal", "spans")};
}

}  // namespace

Experiment concatenation(const Options&) {
  Experiment claim{"O5", "Concatenation makes words and positions exactly orthogonal.", "[d]"};
  claim.measure(std::vector<Split>{{512, 128}}, 1e-3, measure);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::orthogonality
