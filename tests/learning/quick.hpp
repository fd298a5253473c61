#pragma once
// The quick preset of study `learning`, claim by claim, each measured once for all tests of this program. The
// claims read the same runs, so whichever comes first trains them. The text to learn is made here.

#include <boost/test/unit_test.hpp>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "perp/random/uniform.hpp"
#include "studies/learning/study.hpp"
#include "studies/learning/training.hpp"
#include "tests/support/scratch.hpp"

namespace perp::test {

/// 600 words, each always followed by a second one of its own: "baa caa bkf ckf …". Who knows frequencies
/// alone has a perplexity of nearly 600 (the rarest 201 of the 1200 count as one word), who knows the pairs
/// one of about the root of that.
inline void write_pairs(const std::filesystem::path& path, std::size_t pairs = 40'000) {
  std::ofstream out(path);
  for (const std::uint32_t pair : below(stream(1, "tests", "text", 0, "pairs"), pairs, 600)) {
    const char first = static_cast<char>('a' + pair / 26), second = static_cast<char>('a' + pair % 26);
    out << 'b' << first << second << ' ' << 'c' << first << second << (pair % 10 ? ' ' : '\n');
  }
}

/// Quick runs on two threads with this program's own cells.
inline Options quick_options() {
  static const Scratch scratch;
  const std::filesystem::path text = scratch.path() / "pairs.txt";
  if (!std::filesystem::exists(text)) write_pairs(text);
  Options options;
  options.preset = Preset::quick;
  options.threads = 2;
  options.build = scratch.path();
  options.extra["corpus"] = text.string();
  return options;
}

/// The cell of a run that has kept these rows.
template <class... Kept>
CellRecords kept(const learning::Run& run, Kept... kept) {
  CellRecords cell{{coordinates_of(run)}, {}};
  Rows rows(cell.cell);
  const auto add = [&](auto& row) {
    static_cast<learning::Run&>(row) = run;
    rows.add(row);
  };
  (add(kept), ...);
  cell.records = rows.take();
  return cell;
}

/// What training this run without a text records, and its end.
inline CellRecords trained(const learning::Run& run, std::uint64_t seed = 1) {
  CellRecords cell{{coordinates_of(run)}, {}};
  Rows rows(cell.cell);
  learning::train(run, {}, seed, rows);
  cell.records = rows.take();
  return cell;
}
inline learning::Trained end_of(const CellRecords& cell) {
  const std::vector<learning::Trained> ends = rows_of<learning::Trained>({cell});
  BOOST_REQUIRE_EQUAL(ends.size(), 1U);
  return ends.front();
}

/// "A10" -> its findings, its tables, its verdict alone.
inline const Results& results_of(std::string_view claim) {
  static std::map<std::string, Results, std::less<>> kept;
  const auto it = kept.find(claim);
  if (it != kept.end()) return it->second;
  Options options = quick_options();
  options.only = {std::string(claim)};
  return kept.emplace(std::string(claim), measure(learning::study(), options)).first->second;
}

inline const Finding& finding(std::string_view id) {
  const Finding* found = find(results_of(id.substr(0, id.find('.'))).findings, id);
  BOOST_REQUIRE_MESSAGE(found, "no finding " << id);
  return *found;
}
/// The finding `id` of an outcome.
inline const Finding& named(const Outcome& outcome, std::string_view id) {
  const Finding* found = find(outcome.findings, id);
  BOOST_REQUIRE_MESSAGE(found, "no finding " << id);
  return *found;
}

inline double value(const std::string& id) { return finding(id).value; }

/// "a10_arms.csv" of claim A10.
inline const Table& table(std::string_view file) {
  for (const Table& table : results_of(fmt::format("A{}", file.substr(1, file.find('_') - 1))).tables)
    if (table.file == file) return table;
  BOOST_FAIL("no table " << file);
  throw 0;
}

}  // namespace perp::test
