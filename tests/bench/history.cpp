// Runs kept and held against each other; all times made up.

#include "bench/history.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "bench/tables.hpp"
#include "perp/base/error.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch.hpp"

using namespace perp::bench;
using perp::test::check_refusal;
using perp::test::contains;

namespace {

Run made(const char* when) {
  Run run{"0123456789ab", "A processor", when, "abcdef", "full", {}};
  for (int i = 1; i <= 3; ++i)
    run.rows.push_back({"openblas-pthread", "as_shipped", fmt::format("gemm/bare/f32/{0}x{0}x{0}", 64 * i), 1,
                        Times{1e-3 * i, 0.01, 5}});
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

// What the rows of a folder become, tests/cli/bench_publish.sh holds.
BOOST_AUTO_TEST_CASE(load_is_no_part_of_the_machine) {
  const auto machine = [](const char* processor, const char* load) {
    const Sheet sheet{{"processor", processor}, {"when", "2026"}, {"commit", "abc"}, {"load average", load}};
    return run_of(perp::parse_csv(to_csv(machine_table(sheet)), "machine.csv"), {}, {}, "full").machine;
  };
  BOOST_TEST(machine("One", "9") == machine("One", "0.1"));
  BOOST_TEST(machine("One", "9") != machine("Another", "9"));
}

// What two runs say, and that a line and a folder lead to the same run, tests/cli/bench_publish.sh holds.
BOOST_AUTO_TEST_CASE(runs_that_cannot_be_compared_are_refused) {
  const perp::test::Scratch scratch;
  const Run run = made("2026-01-01");
  const std::string file = scratch.file("history.jsonl", to_line(run) + "\nnonsense\n").string();
  check_refusal([&] { find_run(file + ":1"); }, "line 2");
  Run other = run;
  for (RunRow& row : other.rows) row.backend = "atlas";
  check_refusal([&] { compared(run, other); }, "no row in common");
}

// The last run of each machine; a line of an earlier version answers nothing.
BOOST_AUTO_TEST_CASE(a_page_shows_all_machines) {
  Run here = made("2026-03-01"), before = made("2026-01-01"), elsewhere = made("2026-02-01");
  elsewhere.machine = "ffffffffffff";
  for (Run* run : {&here, &before, &elsewhere})
    run->answers = {{2, 3, "atlas", "mkl", {1.5, 1.25, 2.0}, true}};
  before.answers[0].cost.value = 9;
  elsewhere.answers.push_back({1, 0, "atlas", "mkl", {1.5, NAN, NAN}, false});  // of a single round
  const Run back = run_from(to_line(elsewhere), "x");
  BOOST_TEST(to_line(back) == to_line(elsewhere));
  Run old = made("2025-01-01");
  old.machine = "eeeeeeeeeeee";
  BOOST_TEST(to_csv(machines_table(machines_of({old, before, back}, here))) ==
             "processor,machine,when,threads,default,best,cost,low,high,told\n"
             "A processor,0123456789ab,2026-03-01,2,atlas,mkl (+3 equal),1.5,1.25,2,yes\n"
             "A processor,ffffffffffff,2026-02-01,2,atlas,mkl (+3 equal),1.5,1.25,2,yes\n"
             "A processor,ffffffffffff,2026-02-01,1,atlas,mkl,1.5,,,no\n");
}

BOOST_AUTO_TEST_SUITE_END()
