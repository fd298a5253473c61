// Workers that die, stammer and stop: shell scripts stand in for them, no library is loaded.

#include "bench/runs.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "tests/support/scratch.hpp"

using namespace perp::bench;
using perp::test::contains;
using perp::test::message_of;

namespace {

constexpr const char* bad = "gemm/bare/f32/128x128x128";

/// A worker that answers for every row but `bad`, where it does what the test says. It goes through its rows
/// in the driver's order, as the real one does.
std::string worker(const perp::test::Scratch& scratch, const std::string& at_bad) {
  const std::filesystem::path script =
      scratch.file("worker", fmt::format(R"(#!/bin/bash
while [ $# -gt 0 ]; do case $1 in --rows) rows=$2;; --out) out=$2;; esac; shift; done
echo '{{"name":"Fake","own":false,"library_threads":1}}' >"$out"
while read -r row; do
  grep -qF "$row " "$rows" || continue
  if [ "$row" = {} ]; then {}; fi
  printf '{{"begun":"%s"}}\n{{"row":"%s","status":"ok","error":0,"bound":1,"seconds":0.001}}\n' "$row" "$row" >>"$out"
done <{}/order
)",
                                         bad, at_bad, scratch.path().string()));
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  std::string order;
  for (const Row& row : all_rows(true)) order += row.name() + "\n";
  scratch.file("order", order);
  return script.string();
}

Plan plan_of(const perp::test::Scratch& scratch, const std::string& at_bad) {
  Plan plan;
  plan.worker = worker(scratch, at_bad);
  plan.folder = scratch.path().string();
  plan.quick = true;
  return plan;
}

Configuration mine(const perp::test::Scratch& scratch) {
  return {{"mine", scratch.path().string(), "", false, false}, 1};
}

/// All rows but `bad` are right, and `bad` failed for this reason.
void check_only_bad_failed(const std::string& at_bad, const std::string& reason) {
  const perp::test::Scratch scratch;
  Configuration c = mine(scratch);
  BOOST_TEST(message_of([&] { check(c, plan_of(scratch, at_bad)); }) == "");
  BOOST_REQUIRE(c.checks.size() == all_rows(true).size());
  for (const auto& [row, checked] : c.checks)
    BOOST_TEST(checked.status == (row == bad ? "failed" : "ok"), at_bad << ": " << row);
  BOOST_TEST(c.checks.at(bad).reason == reason);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bench_runs)

BOOST_AUTO_TEST_CASE(a_worker_that_dies_fails_the_row_it_was_at) {
  const std::string begun = R"(printf '{"begun":"%s"}\n' "$row" >>"$out"; )",
                    died = "the process died of signal 11";
  check_only_bad_failed(begun + "kill -SEGV $$", died);
  // Its last line may be cut, wherever it likes.
  check_only_bad_failed(begun + R"(printf '{"row":"%s","sta' "$row" >>"$out"; kill -SEGV $$)", died);
  check_only_bad_failed(begun + R"(printf '{' >>"$out"; kill -SEGV $$)", died);
  check_only_bad_failed(R"(printf '{"begun":"gemm/ba' >>"$out"; kill -SEGV $$)", died);
  check_only_bad_failed(begun + R"(printf '{"row":"%s","sta' "$row" >>"$out"; exit 3)",
                        "the process ended with 3");
  check_only_bad_failed(begun + "kill -ALRM $$", "no result within 120 s");
}

BOOST_AUTO_TEST_CASE(a_worker_that_stops_early_fails_the_row_it_was_at) {
  check_only_bad_failed(R"(printf '{"begun":"%s"}\n' "$row" >>"$out"; exit 0)",
                        "the process ended before the row did");
}

BOOST_AUTO_TEST_CASE(what_a_worker_cannot_do_itself_fails_no_row) {
  const perp::test::Scratch scratch;
  Configuration c = mine(scratch);
  const auto error = perp::test::error_of(
      [&] { check(c, plan_of(scratch, "echo 'worker: cannot write here: no space' >&2; exit 1")); });
  BOOST_REQUIRE(error.has_value());
  BOOST_TEST((error->exit() == perp::Exit::failed));
  BOOST_TEST(error->what() == std::string("worker: cannot write here: no space"));
}

BOOST_AUTO_TEST_CASE(a_worker_that_dies_before_it_begins_is_named) {
  const perp::test::Scratch scratch;
  Configuration c = mine(scratch);
  const Plan plan = plan_of(scratch, ":");
  scratch.file(
      "worker",
      "#!/bin/bash\nwhile [ \"$1\" != --out ]; do shift; done; printf '{\"na' >\"$2\"; kill -SEGV $$\n");
  std::filesystem::permissions(plan.worker, std::filesystem::perms::owner_all);
  BOOST_TEST(message_of([&] { check(c, plan); }) == "mine, 1 thread: the process died of signal 11");
}

BOOST_AUTO_TEST_CASE(an_answer_that_cannot_be_read_names_the_backend) {
  const perp::test::Scratch scratch;
  Configuration c = mine(scratch);
  const std::string nonsense = message_of([&] { check(c, plan_of(scratch, R"(echo nonsense >>"$out")")); });
  BOOST_TEST(contains(nonsense, "mine, 1 thread: "), nonsense);
  BOOST_TEST(contains(nonsense, "'nonsense'"), nonsense);
  const std::string wrong = message_of([&] { check(c, plan_of(scratch, R"(echo '{"row":7}' >>"$out")")); });
  BOOST_TEST(contains(wrong, "mine, 1 thread: "), wrong);

  c.checks[bad] = {"ok", "", "", 0, 1, 0.001};
  const Plan plan = plan_of(scratch, ":");
  scratch.file(
      "worker",
      "#!/bin/bash\nwhile [ \"$1\" != --out ]; do shift; done; printf '{\"benchmarks\":[' >\"$2\"\n");
  std::filesystem::permissions(plan.worker, std::filesystem::perms::owner_all);
  const std::string cut = message_of([&] { time_round(c, plan); });
  BOOST_TEST(contains(cut, "mine, 1 thread: while timing: "), cut);
}

// A library with three core types beside the one that it picks, of which one does not take.
BOOST_AUTO_TEST_CASE(a_backend_is_followed_by_itself_under_every_core_type_that_takes) {
  const perp::test::Scratch scratch;
  Plan plan = plan_of(scratch, ":");
  scratch.file("worker", R"(#!/bin/bash
while [ "$1" != --out ]; do shift; done
[ "$FAKE_CORE" = 9 ] && unset FAKE_CORE
names=(picked Fast Slow)
echo '{"name":"Fake","kernel":"'"${names[${FAKE_CORE:-0}]}"'","kernels":[{"core":"Picked","variable":"FAKE_CORE","value":"0"},
  {"core":"Fast","variable":"FAKE_CORE","value":"1"},{"core":"Slow","variable":"FAKE_CORE","value":"2"},
  {"core":"Deaf","variable":"FAKE_CORE","value":"9"}]}' >"$2"
)");
  std::filesystem::permissions(plan.worker, std::filesystem::perms::owner_all);
  const std::string folder = scratch.path().string();
  const std::vector<Backend> given{{"a", folder, folder}, {"a", folder, "/lapack", true, true}};
  const auto names = [&](const char* wanted) {
    std::string text;
    for (const Backend& b : with_kernels(given, plan, wanted)) text += b.shown() + ", ";
    return text;
  };
  BOOST_TEST(names("each") == "a, a/Fast, a/Slow, a alone, ");
  BOOST_TEST(names("fast") == "a, a/Fast, a alone, ");
  BOOST_TEST(names("picked") == "a, a alone, ");
  const auto error = perp::test::error_of([&] { names("Fast Unheard"); });
  BOOST_REQUIRE(error.has_value());
  BOOST_TEST((error->exit() == perp::Exit::unusable));
  BOOST_TEST(contains(error->what(), "'Unheard'"));
}

// Its core type reaches the worker, and no row goes through the checked module, whose cost is shown
// elsewhere.
BOOST_AUTO_TEST_CASE(a_core_type_reaches_the_worker) {
  const perp::test::Scratch scratch;
  Configuration c = mine(scratch);
  c.backend.core = "Fast";
  c.backend.core_variable = "FAKE_CORE";
  c.backend.core_value = "1";
  check(c, plan_of(scratch, R"([ "$FAKE_CORE" = 1 ] || kill -SEGV $$)"));
  BOOST_TEST(c.checks.at(bad).status == "ok");
  BOOST_TEST(!c.checks.contains("gemm/checked/f32/64x64x64"));
  BOOST_TEST(c.name() == "mine/Fast, 1 thread");
}

BOOST_AUTO_TEST_CASE(a_folder_serves_one_bench_at_a_time) {
  const perp::test::Scratch scratch;
  {
    const FolderLock lock(scratch.path().string());
    const auto error = perp::test::error_of([&] { const FolderLock second(scratch.path().string()); });
    BOOST_REQUIRE(error.has_value());
    BOOST_TEST((error->exit() == perp::Exit::unusable));
    BOOST_TEST(contains(error->what(), "another bench"));
  }
  BOOST_TEST(message_of([&] { const FolderLock again(scratch.path().string()); }) == "");
}

BOOST_AUTO_TEST_CASE(a_worker_that_is_not_there_is_named) {
  const perp::test::Scratch scratch;
  Configuration c = mine(scratch);
  Plan plan = plan_of(scratch, ":");
  plan.worker = (scratch / "none").string();
  const std::string message = message_of([&] { check(c, plan); });
  BOOST_TEST(contains(message, "cannot start " + plan.worker + ": No such file"), message);
}

BOOST_AUTO_TEST_SUITE_END()
