// O5: concatenation makes words and positions exactly orthogonal.

#include <algorithm>
#include <cmath>

#include "perp/measures/angles.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/orthogonality/claims.hpp"

namespace perp::orthogonality {
namespace {

constexpr std::size_t words = 1000, positions = 512;
/// Rounding may leave this much of a cosine that is zero by construction.
constexpr double rounding = 1e-12;

std::vector<Cell> cells(const Options& options) {
  std::vector<Cell> cells;
  for (const std::size_t d :
       pick<std::vector<std::size_t>>(options.preset, {512}, {128, 512, 1024}, {128, 512, 1024, 4096}))
    for (const std::size_t eighths : {1, 2, 4, 6})
      cells.push_back({{{"d", whole(d)}, {"d_p", whole(d * eighths / 8)}}, 1e-6 * static_cast<double>(d)});
  return cells;
}

/// [x; 0] or [0; p]: the rows of `table` at columns first … of a d-dimensional space.
Matrix<float> padded(const Matrix<float>& table, std::size_t first, std::size_t d) {
  Matrix<float> out = zeros<float>(rows(table), d);
  for (std::size_t i = 0; i < rows(table); ++i)
    std::ranges::copy(row(table, i), row(out, i).subspan(first).begin());
  return out;
}

/// `count` rows spread over the table: neighbouring positions are so alike that their span is lost in
/// rounding.
Matrix<double> spread_rows(const Matrix<float>& table, std::size_t count) {
  Matrix<double> out = matrix<double>(count, cols(table));
  for (std::size_t i = 0; i < count; ++i)
    std::ranges::copy(row(table, i * rows(table) / count), row(out, i).begin());
  return out;
}

Records run(const Cell& cell, const Streams& streams) {
  const std::size_t d = size_at(cell.at, "d"), d_p = size_at(cell.at, "d_p");
  const Matrix<float> drawn = draw_words(Family::gaussian, words, d - d_p, streams("words"));
  const Matrix<float> encoding = sinusoidal<float>(positions, d_p);
  const Matrix<float> x = unit_rows(padded(drawn, 0, d)).rows;
  const Matrix<float> p = unit_rows(padded(encoding, d - d_p, d)).rows;
  const std::size_t k = std::min<std::size_t>(d - d_p, 16), r = std::min<std::size_t>(d_p, 8);
  const std::vector<double> angles = principal_cosines(spread_rows(x, k), spread_rows(p, r));
  return {{"concatenated",
           {{"pairs", whole(words * positions)},
            {"max_abs", max_abs_cosine_between(x, p, 1)},
            {"largest_principal", angles.front()}}}};
}

Outcome summarise(const std::vector<CellRecords>& cells) {
  Table table{"o5_concatenation.csv",
              {{"d", "1", Kind::exact, "total dimension"},
               {"d_p", "1", Kind::exact, "dimensions given to positions"},
               {"pairs", "1", Kind::exact, "pairs of a word [x; 0] and a position [0; p]"},
               {"max_abs", "1", Kind::rounded, "largest |cosine| over the pairs"},
               {"largest_principal", "1", Kind::rounded, "largest principal cosine of the two spans"}},
              {}};
  double pair = 0, principal = 0;
  std::uint64_t pairs = 0;
  for (const Coordinates& r : records_of(cells, "concatenated")) {
    table.add({at(r, "d"), at(r, "d_p"), at(r, "pairs"), at(r, "max_abs"), at(r, "largest_principal")});
    pair = std::max(pair, number_at(r, "max_abs"));
    principal = std::max(principal, number_at(r, "largest_principal"));
    pairs += size_at(r, "pairs");
  }
  Outcome outcome;
  outcome.findings = {{finding_id("O5", "largest_pair"),
                       {},
                       pair,
                       {},
                       {},
                       {},
                       0.0,
                       "1",
                       pairs,
                       Kind::rounded,
                       "Largest |cosine| of a padded word with a padded position, over all splits."},
                      {finding_id("O5", "largest_principal"),
                       {},
                       principal,
                       {},
                       {},
                       {},
                       0.0,
                       "1",
                       table.rows.size(),
                       Kind::rounded,
                       "Largest principal cosine between the spans of padded words and positions."}};
  outcome.tables = {std::move(table)};
  outcome.rule = {
      {.finding = "O5.largest_pair",
       .is = Is::below,
       .bound = rounding,
       .levels = {{"of", "pairs"}},
       .says = "largest |cos| of a padded word with a padded position, every width and split"},
      {.finding = "O5.largest_principal",
       .is = Is::below,
       .bound = rounding,
       .levels = {{"of", "spans"}},
       .says = "largest principal cosine between the spans of padded words and positions, likewise"}};
  outcome.condition =
      fmt::format("the largest |cos| of a pair is {:.1g}, of the two spans {:.1g}", pair, principal);
  outcome.matters = "an identity at every size; its price is width, which the words and the positions share";
  return outcome;
}

}  // namespace

Experiment concatenation(const Options& options) {
  return {
      "O5",     "Concatenation makes words and positions exactly orthogonal.", "[d]", {}, cells(options), run,
      summarise};
}

}  // namespace perp::orthogonality
