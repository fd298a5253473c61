#pragma once
// From rounds of times to one number a row and backend, and to how sure it is.

#include <string>
#include <vector>

#include "bench/roof.hpp"
#include "bench/runs.hpp"
#include "bench/verdict.hpp"

namespace perp::bench {

/// One row of one configuration.
struct ComparisonRow {
  const Configuration* configuration = nullptr;
  Row row;
  Checked checked;
  double seconds = 0;  ///< median over rounds; 0 where it was not timed
  double noise = 0;    ///< median absolute deviation over rounds, as a share of the median
  double ratio = 0, ratio_low = 0, ratio_high = 0;  ///< time over that of the best backend, paired by round
  /// Time over that of the baseline at as many threads, and whether the two are told apart among all rows of
  /// this configuration; without a baseline the verdict is empty.
  Contrast against = {};
  std::string verdict = {};
  double detectable =
      0;            ///< the smallest ratio that would be told apart four times in five, at Holm's first level
  double rate = 0;  ///< operations per second; bytes per second where there are none
  double roof_share = 0;  ///< of what the machine allows

  std::string backend() const { return configuration->backend.shown(); }
  std::size_t threads() const { return configuration->threads; }
  std::string type() const { return std::string(to_text(row.type)); }
};

inline constexpr double ratio_level = 0.95;
/// The ends of its bootstrap interval over rounds. Of five rounds or fewer the median of redrawn rounds is
/// the least of them in more than 2.5% of the draws (5.8% for five), so that the interval is their range.
inline constexpr const char *ratio_low_meaning =
                                "2.5% bootstrap quantile over rounds; of five or fewer, the least round",
                            *ratio_high_meaning =
                                "97.5% bootstrap quantile over rounds; of five or fewer, the greatest round";

/// All lines, row by row, in the order of the configurations. Backends are compared where they had as many
/// threads, with the fastest and with the one that `baseline` shows. The configurations must outlive the
/// lines.
std::vector<ComparisonRow> compare(const std::vector<Configuration>& configurations, const Roof& roof,
                                   const std::vector<Row>& rows, const std::string& baseline = "");

/// Whether the line was measured.
bool timed(const ComparisonRow& line);

/// Rounds of one row over those of another of the same configuration, by round.
std::vector<double> paired_ratios(const std::vector<double>& above, const std::vector<double>& below);

}  // namespace perp::bench
