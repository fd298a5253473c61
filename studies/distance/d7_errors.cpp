// D7: how often noise makes one position look like another, counted.

#include <algorithm>
#include <cmath>

#include "perp/random/normal.hpp"
#include "perp/statistics/interval.hpp"
#include "perp/theory/distance.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/d7_ranges.hpp"

namespace perp::distance {
namespace {

constexpr std::uint64_t place = 1000;
constexpr std::size_t lags[] = {1, 4, 16, 64, 256, 1024, 4096};

/// Q(D/2n) for positions D apart and noise n along every direction: the chance that it carries one of them
/// beyond the middle.
double confusion(std::size_t d, double base, std::size_t lag, double noise) {
  const double apart = std::sqrt(2 * (1 - theory::kernel_share(d, base, static_cast<double>(lag))));
  return two_sided_p(apart / (2 * noise)) / 2;
}

}  // namespace

Records measure_errors(const Cell& cell, const Streams& streams) {
  const std::size_t d = size_at(cell.at, "d"), trials = size_at(cell.at, "trials");
  const double base = number_at(cell.at, "base"),
               scale = confusion_noise * std::sqrt(static_cast<double>(d) / 2);
  Records records;
  std::vector<float> noise(d);
  for (const std::size_t lag : lags) {
    const Matrix<double> table = rows_at({place, place + lag}, d, base);
    std::size_t errors = 0;
    for (std::size_t trial = 0; trial < trials; ++trial) {
      fill_normal(streams("noise", lag), std::span<float>(noise), trial * d);
      double own = 0, other = 0;
      for (std::size_t j = 0; j < d; ++j) {
        const double seen = table(0, j) + scale * noise[j];
        own += (seen - table(0, j)) * (seen - table(0, j));
        other += (seen - table(1, j)) * (seen - table(1, j));
      }
      errors += other < own;
    }
    records.push_back({"error", {{"lag", whole(lag)}, {"errors", whole(errors)}}});
  }
  return records;
}

Table error_table(const std::vector<CellRecords>& cells) {
  Table table{"d7_errors.csv",
              {{"base", "1", Kind::exact, "T; d = 512"},
               {"lag", "positions", Kind::exact, "distance of the two positions"},
               {"trials", "1", Kind::exact, "noisy copies of the first"},
               {"share", "1", Kind::sampled, "share nearer to the second", "share_low", "share_high"},
               {"share_low", "1", Kind::sampled, "its 99 % interval (Wilson)"},
               {"share_high", "1", Kind::sampled, "its 99 % interval (Wilson)"},
               {"line", "1", Kind::exact, "Q(D/2n), D the distance of the two and n the noise"}},
              {}};
  for (const Coordinates& r : records_of(cells, "error")) {
    const std::uint64_t errors = size_at(r, "errors"), trials = size_at(r, "trials");
    const Interval share = wilson(errors, trials, shown_level);
    table.add({at(r, "base"), at(r, "lag"), at(r, "trials"),
               static_cast<double>(errors) / static_cast<double>(trials), share.low, share.high,
               confusion(size_at(r, "d"), number_at(r, "base"), size_at(r, "lag"), confusion_noise)});
  }
  return table;
}

namespace {

std::uint64_t trials(const Table& errors, std::size_t row) {
  return static_cast<std::uint64_t>(errors.number(row, "trials"));
}

std::uint64_t counted(const Table& errors, std::size_t row) {
  return static_cast<std::uint64_t>(std::llround(errors.number(row, "share") * errors.number(row, "trials")));
}

}  // namespace

void add_error_findings(const Table& errors, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < errors.rows.size(); ++i)
    findings.push_back(
        finding("D7", "confused", {{"lag", errors.at(i, "lag")}},
                estimated(errors.number(i, "share"), share_spread(counted(errors, i), trials(errors, i))),
                {.theory = errors.number(i, "line"),
                 .n = static_cast<std::uint64_t>(errors.number(i, "trials")),
                 .kind = Kind::sampled,
                 .meaning = "Share of noisy positions that lie nearer to the one at that lag, noise along a "
                            "direction a quarter of |p|; theory: Q of half the distance over the noise."}));
}

}  // namespace perp::distance
