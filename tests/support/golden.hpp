#pragma once
// A study's quick preset against what it gave when somebody last looked, by each column's kind. After a
// change that is meant to move numbers: PERP_WRITE_GOLDEN=1 build/test_<study>, look at the difference,
// commit it.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "perp/io/csv.hpp"
#include "perp/io/file.hpp"
#include "perp/study/finding.hpp"
#include "perp/study/table.hpp"
#include "tests/tolerance.hpp"

namespace perp::test {

/// Findings as a table; the kind of the number stands in each row.
inline Table findings_table(const std::vector<Finding>& findings) {
  Table table{
      "findings.csv",
      {{"id", ""}, {"kind", ""}, {"value", "1"}, {"low", "1"}, {"high", "1"}, {"theory", "1"}, {"n", "1"}},
      {}};
  const double none = std::nan("");
  for (const Finding& f : findings)
    table.add({f.id, std::string(to_text(f.kind)), f.value, f.low.value_or(none), f.high.value_or(none),
               f.theory.value_or(none), static_cast<std::int64_t>(f.n)});
  return table;
}

/// Whether a number (or text) is what it was.
inline bool agrees(const std::string& golden, const std::string& now, Kind kind) {
  if (golden == now) return true;
  if (golden.empty() || now.empty()) return false;
  char *end_golden = nullptr, *end_now = nullptr;
  const double a = std::strtod(golden.c_str(), &end_golden), b = std::strtod(now.c_str(), &end_now);
  if (*end_golden || *end_now) return false;
  if (kind == Kind::count) return std::abs(a - b) <= 1 || std::abs(a - b) <= tolerance::golden * std::abs(a);
  return std::abs(a - b) <= tolerance::golden * std::max(std::abs(a), std::abs(b)) ||
         std::abs(a - b) <= tolerance::golden_zero;
}

/// What is kept of a study, and what of it is not compared.
struct Golden {
  std::string study;                 ///< tests/golden/<study>
  std::set<std::string> leave = {};  ///< "file.csv", "file.csv column" or "finding id": rounding itself
  std::size_t widest = 16'000;       ///< bytes of a table; larger ones are in the findings by their summaries

  std::filesystem::path folder() const {
    return std::filesystem::path(PERP_SOURCE_DIR) / "tests/golden" / study;
  }

  void compare(const Table& table) const {
    const Csv golden = read_csv(folder() / table.file), now = parse_csv(to_csv(table), table.file);
    BOOST_TEST(golden.columns == now.columns, boost::test_tools::per_element());
    BOOST_REQUIRE_MESSAGE(golden.rows.size() == now.rows.size(), table.file << ": another number of rows");
    for (std::size_t i = 0; i < now.rows.size(); ++i)
      for (std::size_t c = 0; c < now.columns.size(); ++c) {
        const bool left = leave.contains(table.file + " " + now.columns[c]) || leave.contains(now.rows[i][0]);
        BOOST_TEST((left || agrees(golden.rows[i][c], now.rows[i][c], table.columns[c].kind)),
                   table.file << " row " << i + 1 << " (" << now.rows[i][0] << ") " << now.columns[c] << ": "
                              << golden.rows[i][c] << " became " << now.rows[i][c]);
      }
  }

  /// Compares, or with PERP_WRITE_GOLDEN writes; returns how many tables there were.
  std::size_t check(const std::vector<Finding>& findings, const std::vector<Table>& tables) const {
    std::vector<Table> kept{findings_table(findings)};
    for (const Table& table : tables)
      if (to_csv(table).size() <= widest && !leave.contains(table.file)) kept.push_back(table);
    for (const Table& table : kept) {
      if (std::getenv("PERP_WRITE_GOLDEN")) {
        make_folders(folder());
        write_whole(folder() / table.file, to_csv(table));
      }
      compare(table);
    }
    return kept.size();
  }
};

}  // namespace perp::test
