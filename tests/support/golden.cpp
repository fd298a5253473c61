#include "tests/support/golden.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <regex>

#include "perp/io/file.hpp"
#include "reports/render/verify.hpp"
#include "tests/support/scratch.hpp"

namespace perp::test {
namespace {

std::filesystem::path golden_folder() { return std::filesystem::path(PERP_SOURCE_DIR) / "tests/golden"; }
bool writes_golden() { return std::getenv("PERP_WRITE_GOLDEN") != nullptr; }

/// Whether the report prints rows of the table, which therefore have to be there.
bool is_printed(const std::string& study, const std::string& file) {
  const std::filesystem::path sections = std::filesystem::path(PERP_SOURCE_DIR) / "studies" / study;
  if (!std::filesystem::exists(sections)) return false;
  for (const auto& entry : std::filesystem::directory_iterator(sections))
    if (entry.path().extension() == ".md" &&
        read_file(entry.path()).find(study + "/" + file) != std::string::npos)
      return true;
  return false;
}

/// Every `step`-th row and the last.
void thin(Table& table, std::size_t step) {
  std::vector<std::vector<Value>> rows;
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    if (i % step == 0 || i + 1 == table.rows.size()) rows.push_back(std::move(table.rows[i]));
  table.rows = std::move(rows);
}
/// Down to about 16,000 bytes, then to about 50 rows.
Table thinned(Table table) {
  thin(table, to_csv(table).size() / 16'000 + 1);
  thin(table, table.rows.size() / 50 + 1);
  return table;
}

void write_run(const std::filesystem::path& folder, const Results& results) {
  std::filesystem::remove_all(folder);
  write_results(folder, results);
  std::filesystem::remove(folder / "results.json.sha256");  // nobody's to keep here
}

/// Whether two sentences have the same words and numbers, these up to one of the last digit printed: other kernels round
/// another way.
bool says_the_same(const std::string& a, const std::string& b) {
  static const std::regex number("[0-9]+(\\.[0-9]+)?");
  if (std::regex_replace(a, number, "#") != std::regex_replace(b, number, "#")) return false;
  const auto first = [](const std::string& text) {
    return std::sregex_iterator(text.begin(), text.end(), number);
  };
  for (auto x = first(a), y = first(b); x != std::sregex_iterator{}; ++x, ++y) {
    const double digits = static_cast<double>(x->length(1)) - 1;
    if (std::abs(std::stod(x->str()) - std::stod(y->str())) > 1.01 * std::pow(10, -std::max(0.0, digits)))
      return false;
  }
  return true;
}

}  // namespace

void check_golden(const std::string& name, Results now, report::Common common) {
  for (Table& table : now.tables)
    if (!is_printed(now.study, table.file)) table = thinned(std::move(table));
  const std::filesystem::path golden = golden_folder() / name;
  if (writes_golden()) write_run(golden, now);
  const Scratch scratch;
  write_run(scratch / "now", now);
  const auto parameters = [](const std::filesystem::path& folder) {
    const std::string file = (folder / "results.json").string();
    return to_text(results_from_json(read_file(file), file).parameters);
  };
  BOOST_TEST(parameters(golden) == parameters(scratch / "now"));
  report::Verification verification;
  report::verify_study(golden, scratch / "now", common, verification);
  for (const report::Moved& moved : verification.moved)
    if (moved.outcome == report::Outcome::failed ||
        (moved.why == report::chosen_text && !says_the_same(moved.published, moved.fresh)))
      BOOST_ERROR(name << " " << moved.where << ": " << moved.published << " became " << moved.fresh << " ("
                       << moved.why << ")");
  BOOST_TEST(verification.counted(report::Outcome::equal) > 0U);
}

}  // namespace perp::test
