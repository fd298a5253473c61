// The quick study against what it gave when somebody last looked, by each column's kind. After a change that
// is meant to move numbers: PERP_WRITE_GOLDEN=1 build/test_orthogonality, look at the difference, commit it.

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "perp/io/csv.hpp"
#include "perp/io/file.hpp"
#include "tests/orthogonality/quick.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;

namespace {

const std::filesystem::path folder = std::filesystem::path(PERP_SOURCE_DIR) / "tests/golden/orthogonality";
constexpr std::size_t widest = 16'000;  // bytes; densities and spectra are in the findings by their summaries

Table findings_table(const std::vector<Finding>& findings) {
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

bool agrees(const std::string& golden, const std::string& now, Kind kind) {
  if (golden == now) return true;
  if (golden.empty() || now.empty()) return false;
  char *end_golden = nullptr, *end_now = nullptr;
  const double a = std::strtod(golden.c_str(), &end_golden), b = std::strtod(now.c_str(), &end_now);
  if (*end_golden || *end_now) return false;
  if (kind == Kind::count) return std::abs(a - b) <= 1 || std::abs(a - b) <= tolerance::golden * std::abs(a);
  return std::abs(a - b) <= tolerance::golden * std::max(std::abs(a), std::abs(b)) ||
         std::abs(a - b) <= tolerance::golden_zero;
}

void compare(const Table& table, const std::vector<Kind>& kinds) {
  const Csv golden = read_csv(folder / table.file), now = parse_csv(to_csv(table), table.file);
  BOOST_TEST(golden.columns == now.columns, boost::test_tools::per_element());
  BOOST_REQUIRE_MESSAGE(golden.rows.size() == now.rows.size(), table.file << ": another number of rows");
  for (std::size_t i = 0; i < now.rows.size(); ++i)
    for (std::size_t c = 0; c < now.columns.size(); ++c)
      BOOST_TEST(agrees(golden.rows[i][c], now.rows[i][c], kinds[c]),
                 table.file << " row " << i + 1 << " (" << now.rows[i][0] << ") " << now.columns[c] << ": "
                            << golden.rows[i][c] << " became " << now.rows[i][c]);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(orthogonality_golden)

BOOST_AUTO_TEST_CASE(quick_preset) {
  std::vector<Table> tables{findings_table(quick_results().findings)};
  for (const Table& table : quick_results().tables)
    if (to_csv(table).size() <= widest) tables.push_back(table);
  BOOST_TEST(tables.size() >= 8U);
  for (const Table& table : tables) {
    if (std::getenv("PERP_WRITE_GOLDEN")) {
      make_folders(folder);
      write_whole(folder / table.file, to_csv(table));
    }
    std::vector<Kind> kinds;
    for (const Column& column : table.columns) kinds.push_back(column.kind);
    compare(table, kinds);
  }
}

BOOST_AUTO_TEST_SUITE_END()
