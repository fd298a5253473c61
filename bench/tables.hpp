#pragma once
// What BENCHMARKS.md and its figures read: tables of the lines.

#include <string>
#include <vector>

#include "bench/answer.hpp"
#include "bench/machine.hpp"

namespace perp::bench {

/// results.csv: every row of every configuration.
Table results_table(const std::vector<ComparisonRow>& lines);
/// heat.csv: operation x backend, mean ratio.
Table heat_table(const std::vector<ComparisonRow>& lines);
/// curve.csv: gemm's rate by size.
Table curve_table(const std::vector<ComparisonRow>& lines, const Roof& roof);
/// small.csv: the rates of small and of tall and skinny products, by size.
Table small_table(const std::vector<ComparisonRow>& lines);
Table roof_table(const Roof& roof);                            ///< roof.csv
Table failed_table(const std::vector<ComparisonRow>& lines);   ///< failed.csv
Table skipped_table(const std::vector<ComparisonRow>& lines);  ///< skipped.csv
Table loaded_table(const std::vector<Configuration>& all);     ///< loaded.csv
Table missing_table(const std::vector<std::string>& missing);  ///< missing.csv
Table machine_table(const Sheet& sheet);                       ///< machine.csv
Table processor_table(const Sheet& sheet);  ///< processor.csv: of it what a reader asks first

}  // namespace perp::bench
