// V5: the matrix of dot products of positions, and its profile by lag beside the law of infinitely many
// dimensions.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/anatomy/claims.hpp"
#include "studies/anatomy/matrix.hpp"

namespace perp::anatomy {
namespace {

std::vector<Cell> cells(const Options&) {
  std::vector<Cell> cells;
  for (const std::size_t d : {std::size_t{64}, width, std::size_t{4096}})
    cells.push_back(
        {{{"d", whole(d)}, {"l", whole(text_length)}}, 1e-9 * static_cast<double>(d) * 512 * 512});
  return cells;
}

/// What rounding may do to one product less the mean of its lag: the angles of both positions at the end of
/// the text, and twice a sum of d products.
double lag_bound(std::size_t d, std::size_t l) {
  const double last = static_cast<double>(l - 1), n = static_cast<double>(d);
  return 2 * theory::angle_rounding_bound(d, usual_base, roundoff, last, last) + n * n * roundoff;
}

Records run(const Cell& cell, const Streams&) {
  const std::size_t d = size_at(cell.at, "d"), l = size_at(cell.at, "l");
  const double own = static_cast<double>(d) / 2;
  const Matrix<double> positions = sinusoidal<double>(l, d);
  const LagStatistics lags = lag_statistics(View<double>(positions), 1);
  Records records;
  std::size_t rise = 0;
  while (rise + 1 < l && lags.mean[lags.at(static_cast<std::int64_t>(rise) + 1)] <=
                             lags.mean[lags.at(static_cast<std::int64_t>(rise))])
    ++rise;
  double departure = 0;
  for (std::size_t k = 0; k < l; ++k) {
    const double share = lags.mean[lags.at(static_cast<std::int64_t>(k))] / own;
    const double limit = theory::kernel_limit(usual_base, static_cast<double>(k));
    if (k < length) departure = std::max(departure, std::abs(share - limit));
    records.push_back({"lag", {{"lag", whole(k)}, {"share", share}, {"limit", limit}}});
  }
  records.push_back({"matrix",
                     {{"defect", worst_deviation(lags) / lag_bound(d, l)},
                      {"rise", whole(rise)},
                      {"departure", departure}}});
  if (d != width) return records;
  Matrix<double> shown = zeros<double>(length, length);
  for (std::size_t t = 0; t < length; ++t)
    for (std::size_t s = 0; s < length; ++s) {
      double product = 0;
      for (std::size_t j = 0; j < d; ++j) product += positions(t, j) * positions(s, j);
      shown(t, s) = product / own;
    }
  for (Record& record : matrix_records("row", "position", shown)) records.push_back(std::move(record));
  return records;
}

Table profile_table(const std::vector<CellRecords>& cells) {
  Table table{"v5_profile.csv",
              {{"d", "1", Kind::exact, "dimension"},
               {"lag", "positions", Kind::exact, "s - t"},
               {"share", "1", Kind::rounded, "mean of p_t.p_s along the lag over 512 positions, over d/2"},
               {"limit", "1", Kind::exact, "(Ci(k) - Ci(k/T))/ln T"}},
              {}};
  for (const Coordinates& r : records_of(cells, "lag"))
    table.add({at(r, "d"), at(r, "lag"), at(r, "share"), at(r, "limit")});
  return table;
}

Table summary_table(const std::vector<CellRecords>& cells) {
  Table table{"v5_similarity.csv",
              {{"d", "1", Kind::exact, "dimension"},
               {"defect", "rounding bounds", Kind::rounded,
                "largest departure of a product from the mean of its lag"},
               {"rise", "positions", Kind::count, "lag after which similarity first rises"},
               {"rise_theory", "positions", Kind::exact, "the same by the exact sum"},
               {"departure", "1", Kind::rounded,
                "largest departure from the law of infinitely many dimensions over lags 0 to 127"}},
              {}};
  for (const Coordinates& r : records_of(cells, "matrix"))
    table.add({at(r, "d"), at(r, "defect"), at(r, "rise"),
               whole(theory::first_rise(size_at(r, "d"), usual_base)), at(r, "departure")});
  return table;
}

void add_findings(const std::vector<CellRecords>& cells, const Table& summary,
                  std::vector<Finding>& findings) {
  double defect = 0;
  for (std::size_t row = 0; row < summary.rows.size(); ++row) {
    defect = std::max(defect, summary.number(row, "defect"));
    const Coordinates place{{"d", summary.at(row, "d")}};
    findings.push_back(
        finding("V5", "rise", place, {summary.number(row, "rise")},
                {.theory = summary.number(row, "rise_theory"),
                 .unit = "positions",
                 .n = text_length,
                 .kind = Kind::count,
                 .meaning = "Lag after which similarity first rises; theory: by the exact sum."}));
    findings.push_back(
        finding("V5", "departure", place, {summary.number(row, "departure")},
                {.theory = 0.0,
                 .n = length,
                 .kind = Kind::rounded,
                 .meaning = "Largest departure of a similarity from the law of infinitely many "
                            "dimensions, lags 0 to 127."}));
  }
  findings.push_back(finding(
      "V5", "lag_alone", {}, {defect},
      {.theory = 0.0,
       .unit = "rounding bounds",
       .n = summary.rows.size() * text_length * text_length,
       .kind = Kind::rounded,
       .meaning =
           "Largest departure of a product from the mean of its lag, over its rounding bound, all widths."}));
  for (const Coordinates& r : records_of(cells, "lag")) {
    const std::int64_t lag = integer_at(r, "lag");
    if (size_at(r, "d") != width || (lag != 1 && lag != 10 && lag != 100 && lag != 127)) continue;
    findings.push_back(finding("V5", "share", {{"lag", lag}}, {number_at(r, "share")},
                               {.theory = theory::kernel_share(width, usual_base, static_cast<double>(lag)),
                                .n = text_length - static_cast<std::size_t>(lag),
                                .kind = Kind::rounded,
                                .meaning = "Similarity of positions this far apart, as a share of that of a "
                                           "position with itself, d = 512; theory: the exact sum."}));
  }
}

/// The lag above 0 at which the matrix of one width is brightest.
void add_nearest(const std::vector<CellRecords>& cells, std::vector<Finding>& findings) {
  for (const CellRecords& entry : cells) {
    double best = -INFINITY;
    std::int64_t nearest = 0;
    for (const Record& r : entry.records)
      if (r.name == "lag" && integer_at(r.values, "lag") > 0 && number_at(r.values, "share") > best) {
        best = number_at(r.values, "share");
        nearest = integer_at(r.values, "lag");
      }
    findings.push_back(
        finding("V5", "nearest", {{"d", at(entry.cell.at, "d")}}, {static_cast<double>(nearest)},
                {.theory = 1.0,
                 .unit = "positions",
                 .n = text_length,
                 .kind = Kind::count,
                 .meaning = "Lag above 0 with the largest mean similarity, over 512 positions."}));
  }
}

/// Similarity at the second lag against that at the first, d = 512.
Condition lower(const char* farther, const char* nearer, const char* lags) {
  return {
      .finding = farther,
      .is = Is::below,
      .bound = nearer,
      .evidence = Evidence::closed_form,
      .levels = {{"says", "the lower the farther apart"}, {"lags", lags}},
      .says = fmt::format("similarity at the farther of lags {}, beside that at the nearer, d = 512", lags)};
}

/// What the picture shows, checked on the picture; D1 and D2 measure it.
Rule rule() {
  return {{.finding = "V5.lag_alone",
           .is = Is::below,
           .bound = 1.0,
           .evidence = Evidence::theorem,
           .levels = {{"says", "the distance alone decides"}},
           .says = "largest departure of a product from the mean of its lag, in rounding bounds"},
          lower("V5.share.lag10", "V5.share.lag1", "1 and 10"),
          lower("V5.share.lag100", "V5.share.lag10", "10 and 100"),
          {.finding = "V5.rise.d512",
           .is = Is::above,
           .bound = static_cast<double>(length) - 2,
           .role = Role::limit,
           .evidence = Evidence::closed_form,
           .levels = {{"says", "it falls with every lag"}},
           .says = "lag after which similarity first rises in the picture of 128 positions, d = 512"}};
}

Outcome summarise(const std::vector<CellRecords>& cells) {
  Outcome outcome;
  outcome.tables = {
      summary_table(cells), profile_table(cells),
      matrix_table(cells, "row", "v5_matrix.csv", {"position", "positions", Kind::exact, "t; d = 512"},
                   "p_t.p_s/(d/2) at s =")};
  add_findings(cells, outcome.tables[0], outcome.findings);
  add_nearest(cells, outcome.findings);
  outcome.rule = rule();
  const auto value = [&](const char* id) { return find(outcome.findings, id)->value; };
  outcome.condition = fmt::format(
      "over 512 positions similarity is {:.3f} of its most for neighbours and falls without a rise to lag "
      "{:.0f} "
      "at d = 512 ({:.0f} at d = 64, {:.0f} at d = 4,096)",
      value("V5.share.lag1"), value("V5.rise.d512"), value("V5.rise.d64"), value("V5.rise.d4096"));
  outcome.matters = fmt::format("two positions 127 apart still share {:.2f} of the most at d = 512",
                                value("V5.share.lag127"));
  return outcome;
}

}  // namespace

Experiment similarity(const Options& options) {
  return beside_the_claims(Experiment{
      "V5",
      "Similarity of positions depends on their distance alone: high nearby, and the lower the farther "
      "apart.",
      "[c, d]",
      {},
      cells(options),
      run,
      summarise});
}

}  // namespace perp::anatomy
