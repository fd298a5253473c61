#pragma once
// What BENCHMARKS.md and its figures read: tables of the lines.

#include <string>
#include <vector>

#include "bench/lines.hpp"
#include "bench/machine.hpp"
#include "perp/study/table.hpp"

namespace perp::bench {

Table results_table(const std::vector<Line>& lines);  ///< results.csv: every row of every configuration
/// failed.csv, skipped.csv: the rows of that status, and why.
Table status_table(const std::vector<Line>& lines, std::string_view status);
Table heat_table(const std::vector<Line>& lines);              ///< heat.csv: operation x backend, mean ratio
Table rates_table(const std::vector<Line>& lines);             ///< rates.csv: those of gemm by size
Table roof_table(const Roof& roof);                            ///< roof.csv
Table loaded_table(const std::vector<Configuration>& all);     ///< loaded.csv
Table missing_table(const std::vector<std::string>& missing);  ///< missing.csv
Table machine_table(const Sheet& sheet);                       ///< machine.csv
Table processor_table(const Sheet& sheet);  ///< processor.csv: of it what a reader asks first

}  // namespace perp::bench
