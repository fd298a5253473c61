// Runs kept and held against each other; all times made up.

#include "bench/history.hpp"

#include <boost/test/unit_test.hpp>

#include "bench/tables.hpp"
#include "perp/base/error.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch.hpp"

using namespace perp::bench;
using perp::test::check_refusal;
using perp::test::contains;

namespace {

Run made(const char* when, double times_as_long = 1) {
  Run run{"0123456789ab", "A processor", when, "abcdef", "full", {}};
  for (int i = 1; i <= 3; ++i)
    run.rows.push_back({"openblas-pthread", "as_shipped", fmt::format("gemm/bare/f32/{0}x{0}x{0}", 64 * i), 1,
                        Times{1e-3 * i, 0.01, 5}});
  run.rows[1].times.mean *= times_as_long;
  run.rows.push_back(
      {"openblas-pthread/Haswell", "as_shipped", "ger/bare/f32/512x512", 2, Times{1e-4, 0.02, 5}});
  return run;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bench_history)

BOOST_AUTO_TEST_CASE(a_run_comes_back_from_its_line) {
  const Run run = made("2026-01-01");
  const std::string line = to_line(run);
  BOOST_TEST(contains(line, fmt::format(R"("run":"{}")", hash_of(run))));
  BOOST_TEST(!contains(line, "\n"));
  const Run back = run_from(line, "x");
  BOOST_TEST(to_line(back) == line);
  BOOST_REQUIRE(back.rows.size() == 3u);  // libraries as they pick
  BOOST_TEST(back.rows[1].key() == "openblas-pthread, as_shipped, 1 thread: gemm/bare/f32/128x128x128");
  BOOST_TEST(back.rows[1].times.mean == 2e-3);
  for (const char* bad : {"", "{", "{}", R"({"schema":2})", "[1]"})
    BOOST_CHECK_THROW(run_from(bad, "x"), perp::Error);
}

// What the folder of a finished bench holds is the run that it measured, and the same line.
BOOST_AUTO_TEST_CASE(a_folder_gives_the_same_line_as_the_run_that_wrote_it) {
  const perp::test::Scratch scratch;
  Configuration c;
  c.backend.name = "mine";
  const Row row{"gemm", Through::bare, Type::f32, {64, 64, 64}};
  c.checks[row.name()] = {"ok", "", "", 0, 1, 0.1};
  c.rounds[row.name()] = {1.0, 1.5, 1.25};
  const std::vector<Configuration> all{c};
  const std::vector<ComparisonRow> lines =
      compare(all, Roof{{{"f32", 64, 1, 1e9}}, {{"copy", 1, 1e12}}}, {row});
  const Sheet sheet{{"processor", "A processor"}, {"when", "2026"}, {"commit", "abc"}, {"load average", "9"}};
  scratch.file("results.csv", to_csv(perp::bench::results_table(lines)));
  scratch.file("machine.csv", to_csv(machine_table(sheet)));
  const Run run = run_of(lines, {}, sheet, "full");
  BOOST_TEST(to_line(read_run(scratch.path(), "full")) == to_line(run));
  BOOST_TEST(to_line(find_run(scratch.path().string())) == to_line(run_of(lines, {}, sheet, "")));
  Sheet other = sheet;
  other[3].second = "0.1";
  BOOST_TEST(run_of(lines, {}, other, "full").machine == run.machine);  // load is no part of the machine
  other[0].second = "Another";
  BOOST_TEST(run_of(lines, {}, other, "full").machine != run.machine);
}

// That a line, a hash and a folder lead to the same run, and what two runs say, tests/cli/bench_publish.sh
// holds.
BOOST_AUTO_TEST_CASE(runs_that_are_not_there_are_refused) {
  const perp::test::Scratch scratch;
  const Run first = made("2026-01-01"), second = made("2026-02-01");
  const std::string two = to_line(first) + "\n" + to_line(second) + "\n",
                    file = scratch.file("history.jsonl", two).string(),
                    other = scratch.file("other", to_line(first) + "\nnonsense\n").string();
  BOOST_TEST(find_run(file + ":" + hash_of(first).substr(0, 6)).when == "2026-01-01");
  for (const auto& [which, part] : {std::pair{file + ":3", ":3"},
                                    {file + ":ffffffff", "0 of its 2 runs"},
                                    {(scratch / "none").string(), "expected a folder"},
                                    {other + ":1", "line 2"}})
    check_refusal([&, run = which] { find_run(run); }, part);
}

// One row of four takes twice as long: t is huge there, and 0 in the others.
BOOST_AUTO_TEST_CASE(a_row_that_became_slower_is_named) {
  const Run a = made("2026-01-01"), b = made("2026-02-01", 2);
  const perp::Table table = comparison_table(a, b);
  BOOST_TEST((table.number(1, "low") < 2 && 2 < table.number(1, "high")));
  const std::string text = to_markdown(a, b, table);
  BOOST_TEST(contains(text, "Of 4 rows B is faster in 0, slower in 1, not told apart in 3."));
  BOOST_TEST(!contains(text, "machines differ"));
  BOOST_TEST(text.find("128x128x128") < text.find("64x64x64 "));  // the differing first
  Run other = b;
  for (RunRow& row : other.rows) row.backend = "atlas";
  check_refusal([&] { comparison_table(a, other); }, "");
}

// The last run of each machine; a line of an earlier version answers nothing.
BOOST_AUTO_TEST_CASE(a_page_shows_all_machines) {
  Run here = made("2026-03-01"), before = made("2026-01-01"), elsewhere = made("2026-02-01");
  elsewhere.machine = "ffffffffffff";
  for (Run* run : {&here, &before, &elsewhere}) run->answers = {{2, 3, "atlas", "mkl", 1.5, 1.25, 2, true}};
  before.answers[0].cost = 9;
  const Run back = run_from(to_line(elsewhere), "x");
  BOOST_TEST(to_line(back) == to_line(elsewhere));
  Run old = made("2025-01-01");
  old.machine = "eeeeeeeeeeee";
  const perp::Table table = machines_table({old, before, back}, here);
  BOOST_REQUIRE(table.rows.size() == 2u);
  for (const std::size_t row : {0u, 1u}) {
    BOOST_TEST(perp::to_text(table.at(row, "when")) == (row == 0 ? "2026-03-01" : "2026-02-01"));
    BOOST_TEST(perp::to_text(table.at(row, "best")) == "mkl (+3 equal)");
    BOOST_TEST(table.number(row, "cost") == 1.5);
    BOOST_TEST(perp::to_text(table.at(row, "told")) == "yes");
  }
}

BOOST_AUTO_TEST_SUITE_END()
