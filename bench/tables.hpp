#pragma once
// What BENCHMARKS.md and its figures read: one line a row and configuration, and tables of lines.

#include <string>
#include <utility>
#include <vector>

#include "bench/machine.hpp"
#include "bench/roof.hpp"
#include "bench/runs.hpp"
#include "bench/verdict.hpp"
#include "perp/io/csv.hpp"
#include "perp/study/claim.hpp"

namespace perp::bench {

/// Items times columns, as a study's summary makes a table.
template <class Items>
Table table_of(std::string_view file, const Items& items,
               std::initializer_list<ColumnOf<typename Items::value_type>> columns) {
  Summary summary("B1");
  summary.table(file, items, columns);
  return std::move(summary.tables.front());
}

/// A row of a CSV file, which outlives it, by the names of its columns.
struct CsvRow {
  const Csv& csv;
  std::size_t place;
  std::string text(const char* column) const { return csv.rows[place][csv.column(column)]; }
  double number(const char* column) const { return csv.number(place, csv.column(column)); }
  std::size_t count(const char* column) const { return static_cast<std::size_t>(number(column)); }
};
inline std::vector<CsvRow> rows_of(const Csv& csv) {
  std::vector<CsvRow> rows;
  for (std::size_t i = 0; i < csv.rows.size(); ++i) rows.push_back({csv, i});
  return rows;
}

inline std::string yes(bool told) { return told ? "yes" : "no"; }

/// Its time, its rate, and the share of what the machine allows; NaN where it was not timed.
struct Line {
  const Configuration* configuration = nullptr;
  Row row;
  Checked checked;
  double fma = 0;  ///< the rate at which the machine multiplies and adds in this type, on as many threads
  Times times = times_of({});
  double seconds = times.mean;  ///< median over rounds
  double rate = seconds;        ///< operations per second; bytes per second where there are none
  double roof_share = seconds;  ///< of what the machine allows

  bool timed() const { return times.rounds > 0; }
  std::string backend() const { return configuration->backend.shown(); }
  std::size_t threads() const { return configuration->threads; }
  std::string operation() const { return std::string(row.operation); }
  std::string type() const { return std::string(to_text(row.type)); }
  std::string through() const { return std::string(to_text(row.through)); }
};

/// Row by row, in the order of the configurations, which must outlive the lines.
std::vector<Line> lines_of(const std::vector<Configuration>& configurations, const Roof& roof,
                           const std::vector<Row>& rows);

/// The fewest and the most threads.
std::pair<std::size_t, std::size_t> ends_of_threads(const std::vector<Line>& lines);

/// Place of a name in a list that grows, from 1.
std::size_t place(std::vector<std::string>& list, const std::string& name);

Table results_table(const std::vector<Line>& lines);  ///< results.csv: every row of every configuration
/// failed.csv, skipped.csv: the rows of that status, and why.
Table status_table(const std::vector<Line>& lines, const std::string& status);
/// best.csv: for each operation the fastest, its equals (what the test of verdict.hpp does not tell apart) and the next,
/// with the fewest and the most threads.
Table best_table(const std::vector<Line>& lines);
/// heat.csv: operation x backend, geometric mean of its time over the fastest's.
Table heat_table(const std::vector<Line>& lines);
Table rates_table(const std::vector<Line>& lines);             ///< rates.csv: those of gemm by size
Table roof_table(const Roof& roof);                            ///< roof.csv
Table loaded_table(const std::vector<Configuration>& all);     ///< loaded.csv
Table missing_table(const std::vector<std::string>& missing);  ///< missing.csv
Table machine_table(const Sheet& sheet);                       ///< machine.csv
Table processor_table(const Sheet& sheet);  ///< processor.csv: of it what a reader asks first

}  // namespace perp::bench
