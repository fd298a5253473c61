#pragma once
// From rounds of times to one number a row and backend, and to how sure it is.

#include <string>
#include <vector>

#include "bench/roof.hpp"
#include "bench/runs.hpp"
#include "perp/study/table.hpp"

namespace perp::bench {

/// One row of one configuration.
struct Line {
  const Configuration* configuration = nullptr;
  Row row;
  Checked checked;
  double seconds = 0;  ///< median over rounds; 0 where it was not timed
  double noise = 0;    ///< median absolute deviation over rounds, as a share of the median
  double ratio = 0, ratio_low = 0, ratio_high = 0;  ///< time over that of the best backend, paired by round
  double rate = 0;  ///< operations per second; bytes per second where there are none
  double roof_share = 0;
};

inline constexpr double ratio_level = 0.95;

/// All lines, row by row, in the order of the configurations.
std::vector<Line> compare(const std::vector<Configuration>& configurations, const Roof& roof, bool quick);

/// Whether the line was measured.
bool timed(const Line& line);

Table results_table(const std::vector<Line>& lines);  ///< results.csv
Table best_table(const std::vector<Line>& lines);     ///< best.csv: "use this backend for that operation"
Table heat_table(
    const std::vector<Line>& lines);  ///< heat.csv: operation x backend, geometric mean of ratios
Table curve_table(const std::vector<Line>& lines, const Roof& roof);  ///< curve.csv: gemm's rate by size
Table roof_table(const Roof& roof);                                   ///< roof.csv
Table overhead_table(const std::vector<Line>& lines);                 ///< overhead.csv: checked against bare
Table trouble_table(const std::vector<Line>& lines);  ///< trouble.csv: what failed or was skipped, and why

}  // namespace perp::bench
