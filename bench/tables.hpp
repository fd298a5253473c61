#pragma once
// What BENCHMARKS.md and its figures read: tables of the lines.

#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bench/compare.hpp"
#include "bench/machine.hpp"
#include "perp/study/table.hpp"

namespace perp::bench {

/// Backends whose mean ratio to the fastest is up to this many times the best one's are called equally fast.
inline constexpr double equally_fast = 1.05;

/// Geometric mean of an operation's ratios to the fastest, over its shapes and types.
struct Mean {
  double log_sum = 0, best_share = 0;
  std::size_t count = 0;
  double value() const { return std::exp(log_sum / static_cast<double>(count)); }
};
/// One operation at one number of threads, by backend.
struct Group {
  std::string_view operation;
  Through through;
  std::size_t threads;
  std::vector<std::string> order;
  std::map<std::string, Mean> by_backend;
  /// Mean ratio and name, the fastest first. Only those that ran every shape: a mean over the cheap ones says
  /// something else.
  std::vector<std::pair<double, std::string>> ranking() const;
};
/// Of all lines but those through the checked module, which is held against bare calls instead.
std::vector<Group> groups(const std::vector<ComparisonRow>& lines);

Table results_table(
    const std::vector<ComparisonRow>& lines);               ///< results.csv: every row of every configuration
Table best_table(const std::vector<ComparisonRow>& lines);  ///< best.csv: which backend for which operation
/// The same with the fewest and the most threads side by side: best_wide.csv.
Table best_wide_table(const Table& best);
/// answer.csv: the one configuration that suits all operations best, with what it takes to have it, beside
/// what the loader takes by default.
Table answer_table(const std::vector<ComparisonRow>& lines, const Roof& roof, const std::string& baseline);
Table heat_table(const std::vector<ComparisonRow>& lines);  ///< heat.csv: operation x backend, mean ratio
Table curve_table(const std::vector<ComparisonRow>& lines,
                  const Roof& roof);  ///< curve.csv: gemm's rate by size
/// small.csv: the rates of small and of tall and skinny products, by size.
Table small_table(const std::vector<ComparisonRow>& lines);
Table roofline_table(const std::vector<ComparisonRow>& lines,
                     const Roof& roof);                         ///< roofline.csv: the fastest of each row
Table roof_table(const Roof& roof);                             ///< roof.csv
Table overhead_table(const std::vector<ComparisonRow>& lines);  ///< overhead.csv: checked against bare
Table failed_table(const std::vector<ComparisonRow>& lines);    ///< failed.csv
Table skipped_table(const std::vector<ComparisonRow>& lines);   ///< skipped.csv
Table noise_table(const std::vector<ComparisonRow>& lines);     ///< noise.csv
Table loaded_table(const std::vector<Configuration>& all);      ///< loaded.csv
Table missing_table(const std::vector<std::string>& missing);   ///< missing.csv
Table machine_table(const Sheet& sheet);                        ///< machine.csv

/// The medians over types and backends by operation and shape of the overhead, at the fewest threads:
/// overhead_summary.csv. Also the source of the two numbers in prose.
Table overhead_summary(const Table& overhead);

}  // namespace perp::bench
