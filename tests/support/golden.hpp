#pragma once
// A study's results against what it gave when somebody last looked, as `make verify` compares two runs:
// findings by their kinds, verdicts, rules and their outcomes, conditions word by word, tables cell by cell; and, which
// that leaves out, sentences in tables.
// tests/golden/<study> holds results.json and tables as a run writes them, long tables that no page prints
// thinned out.
//
// After a change that is meant to move something: PERP_WRITE_GOLDEN=1 build/test_<study>
// --run_test='*golden*', for every study that moved; look at the difference, commit it.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "perp/io/file.hpp"
#include "perp/study/results.hpp"
#include "reports/verify_study.hpp"
#include "tests/support/scratch.hpp"

namespace perp::test {

inline std::filesystem::path golden_folder() {
  return std::filesystem::path(PERP_SOURCE_DIR) / "tests/golden";
}
inline bool writes_golden() { return std::getenv("PERP_WRITE_GOLDEN") != nullptr; }

/// Whether the report prints rows of the table, which therefore have to be there.
inline bool is_printed(const std::string& study, const std::string& file) {
  const std::filesystem::path templates =
      std::filesystem::path(PERP_SOURCE_DIR) / "reports/templates" / study;
  if (!std::filesystem::exists(templates)) return false;
  for (const auto& entry : std::filesystem::directory_iterator(templates))
    if (read_file(entry.path()).find(study + "/" + file) != std::string::npos) return true;
  return false;
}

/// Every `step`-th row and the last.
inline void thin(Table& table, std::size_t step) {
  std::vector<std::vector<Value>> rows;
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    if (i % step == 0 || i + 1 == table.rows.size()) rows.push_back(std::move(table.rows[i]));
  table.rows = std::move(rows);
}
/// Down to about 16,000 bytes, then to about 50 rows.
inline Table thinned(Table table) {
  thin(table, to_csv(table).size() / 16'000 + 1);
  thin(table, table.rows.size() / 50 + 1);
  return table;
}

/// One study from its claims, each measured alone.
template <class ResultsOf>
Results merged(const std::vector<std::string>& claims, const ResultsOf& results_of) {
  Results all;
  for (const std::string& claim : claims) {
    const Results& one = results_of(claim);
    if (all.study.empty())
      all = one;
    else {
      all.findings.insert(all.findings.end(), one.findings.begin(), one.findings.end());
      all.claims.insert(all.claims.end(), one.claims.begin(), one.claims.end());
      all.tables.insert(all.tables.end(), one.tables.begin(), one.tables.end());
    }
  }
  return all;
}

inline void write_run(const std::filesystem::path& folder, const Results& results) {
  std::filesystem::remove_all(folder);
  write_results(folder, results);
}

/// Whether two sentences have the same words and numbers, these up to one of the last digit printed: other kernels round
/// another way.
inline bool says_the_same(const std::string& a, const std::string& b) {
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

/// Compares with tests/golden/<name>, or with PERP_WRITE_GOLDEN writes it. `common` as in verify_rule.hpp:
/// what the machine that wrote it and this one share.
inline void check_golden(const std::string& name, Results now,
                         report::Common common = report::Common::draws) {
  for (Table& table : now.tables)
    if (!is_printed(now.study, table.file)) table = thinned(std::move(table));
  const std::filesystem::path golden = golden_folder() / name;
  if (writes_golden()) write_run(golden, now);
  const Scratch scratch;
  write_run(scratch / "now", now);
  const report::StudyRun before = report::read_study_run(golden),
                         fresh = report::read_study_run(scratch / "now");
  BOOST_TEST(to_text(before.results.parameters) == to_text(fresh.results.parameters));
  report::Verification verification;
  report::verify_results({before, fresh, common, {}, verification});
  for (const report::Moved& moved : verification.moved)
    if (moved.outcome == report::Outcome::failed ||
        (moved.why == report::chosen_text && !says_the_same(moved.published, moved.fresh)))
      BOOST_ERROR(name << " " << moved.where << ": " << moved.published << " became " << moved.fresh << " ("
                       << moved.why << ")");
  BOOST_TEST(verification.counted(report::Outcome::equal) > 0U);
}

}  // namespace perp::test
