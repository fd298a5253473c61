// Backends as they are named, and workers that die, stammer and stop: shell scripts stand in for them, no
// library is loaded.

#include "bench/runs.hpp"

#include <boost/test/unit_test.hpp>

#include "bench/backends.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch.hpp"

using namespace perp::bench;

using perp::test::check_refusal;

namespace {

struct Folders {
  perp::test::Scratch scratch;
  std::string with(const std::string& name, std::initializer_list<std::string> libraries) const {
    std::filesystem::create_directories(scratch / name);
    for (const std::string& library : libraries) scratch.file(name + "/" + library, "a library");
    return (scratch / name).string();
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(bench_backends, Folders)

// A folder's own LAPACK answers, or else the reference LAPACK, where that is installed.
BOOST_AUTO_TEST_CASE(a_folder_runs_once_on_the_lapack_that_it_ships) {
  const std::string own = with("own", {"libblas.so.3", "liblapack.so.3"}),
                    bare = with("bare", {"libblas.so.3"});
  const std::vector<Backend> list = given_backends(fmt::format("mine={} other={}", own, bare));
  BOOST_REQUIRE(list.size() == 2u);
  BOOST_TEST(list[0].shown() == "mine");
  BOOST_TEST(list[0].lapack() == "as_shipped");
  BOOST_TEST(list[0].loader_path() == own);
  BOOST_TEST((list[1].lapack() == "alone" || list[1].lapack() == "none"));
  // The folder of the other LAPACK comes first.
  if (list[1].lapack() == "alone") BOOST_TEST(list[1].loader_path() == list[1].lapack_folder + ":" + bare);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_a_backend_is_refused) {
  const std::string good = with("good", {"libblas.so.3"}), empty = with("empty", {});
  for (const auto& [text, part] : std::vector<std::pair<std::string, const char*>>{
           {"nothing", "'nothing' is not name=folder"},
           {"=" + good, "is not name=folder"},
           {"name=", "is not name=folder"},
           {"name=" + empty, "holds no libblas.so.3"},
           {"name=" + with("wide", {"libblas64.so.3"}), "has 64-bit integers (libblas64.so.3)"},
           {"atlas=" + good, "there is a 'atlas' already"},
           {fmt::format("a={0} a={0}", good), "there is a 'a' already"},
           {"a`b=" + good, "'a`b' holds more than "},
           {fmt::format("a={0}:{0}", good), "holds a colon"}})
    check_refusal([&, list = text] { given_backends(list); }, part);
  const std::vector<Backend> all{{"a", "/a", "/a"}, {"b", "/b", "/b"}};
  BOOST_TEST(named(all, "").size() == 2u);
  BOOST_TEST(named(all, "a").size() == 1u);
  check_refusal([&] { named(all, "a c"); }, "there are: a b");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(bench_runs)

using perp::test::contains;
using perp::test::message_of;
using perp::test::Scratch;

namespace {

constexpr const char* bad = "gemm/bare/f32/128x128x128";

Plan plan_with(const Scratch& scratch, const std::string& script) {
  Plan plan;
  plan.worker = scratch.file("worker", "#!/bin/bash\n" + script).string();
  std::filesystem::permissions(plan.worker, std::filesystem::perms::owner_all);
  plan.folder = scratch.path().string();
  plan.quick = true;
  return plan;
}

/// Its worker answers for every row but `bad` ones, where it does what the test says.
Plan plan_of(const Scratch& scratch, const std::string& at_bad, const char* rows = bad) {
  return plan_with(scratch, fmt::format(R"(
while [ $# -gt 0 ]; do case $1 in --rows) rows=$2;; --out) out=$2;; esac; shift; done
echo '{{"name":"Fake","library_threads":1}}' >"$out"
while read -r row seconds; do
  case $row in {}) {};; esac
  printf '{{"begun":"%s"}}\n{{"row":"%s","status":"ok","error":0,"bound":1,"seconds":0.001}}\n' "$row" "$row" >>"$out"
done <"$rows"
)",
                                        rows, at_bad));
}

/// Writes this to its answer, and does that.
Plan plan_that_writes(const Scratch& scratch, const std::string& text, const std::string& then) {
  return plan_with(
      scratch,
      fmt::format("while [ \"$1\" != --out ]; do shift; done; printf '{}' >\"$2\"; {}\n", text, then));
}

Configuration mine(const Scratch& scratch) { return {{"mine", scratch.path().string(), ""}, 1}; }

}  // namespace

BOOST_AUTO_TEST_CASE(a_worker_that_dies_or_stops_fails_the_row_it_was_at) {
  const std::string begun = R"(printf '{"begun":"%s"}\n' "$row" >>"$out"; )",
                    cut = begun + R"(printf '{"row":"%s","sta' "$row" >>"$out"; )",
                    died = "the process died of signal 11";
  for (const auto& [at_bad, reason] : {std::pair{begun + "kill -SEGV $$", died},
                                       // Its last line may be cut, wherever it likes.
                                       {cut + "kill -SEGV $$", died},
                                       {begun + R"(printf '{' >>"$out"; kill -SEGV $$)", died},
                                       {R"(printf '{"begun":"gemm/ba' >>"$out"; kill -SEGV $$)", died},
                                       {cut + "exit 3", "the process ended with 3"},
                                       {begun + "exit 0", "the process ended before the row did"},
                                       {begun + "kill -ALRM $$", "no result within 120 s"}}) {
    const Scratch scratch;
    Configuration c = mine(scratch);
    BOOST_TEST(message_of([&, plan = plan_of(scratch, at_bad)] { check(c, plan); }) == "");
    BOOST_REQUIRE(c.checks.size() == all_rows(true).size());
    for (const auto& [row, checked] : c.checks)
      BOOST_TEST(checked.status == (row == bad ? "failed" : "ok"), at_bad << ": " << row);
    BOOST_TEST(c.checks.at(bad).reason == reason);
  }
}

// A library that crashes at every product shall not be started once for each of them.
BOOST_AUTO_TEST_CASE(after_three_deaths_of_a_kind_its_rest_is_not_tried) {
  const Scratch scratch;
  Configuration c = mine(scratch);
  check(c, plan_of(scratch, R"(printf '{"begun":"%s"}\n' "$row" >>"$out"; kill -SEGV $$)", "gemm/bare/*"));
  std::size_t died = 0, not_tried = 0;
  for (const auto& [row, checked] : c.checks) {
    if (!row.starts_with("gemm/bare/")) BOOST_TEST(checked.status == "ok", row);
    died += checked.reason == "the process died of signal 11";
    not_tried += checked.reason == "not tried after 3 that ended the process";
  }
  BOOST_TEST(died == most_deaths);
  BOOST_TEST(not_tried == 5u);
}

BOOST_AUTO_TEST_CASE(a_worker_that_says_nothing_of_use_fails_no_row) {
  const Scratch scratch;
  const auto said = [&](const Plan& plan) {
    Configuration c = mine(scratch);
    const std::string thrown = message_of([&] { check(c, plan); });
    return thrown.empty() ? "fault: " + c.fault : thrown;
  };
  // What is the machine's fault ends the bench, what is one backend's is said of that one.
  BOOST_TEST(said(plan_of(scratch, "echo 'worker: cannot write here: no space' >&2; exit 1")) ==
             "worker: cannot write here: no space");
  BOOST_TEST(said(plan_of(scratch, "echo 'worker: x was named, but y answers' >&2; exit 2")) ==
             "fault: x was named, but y answers");
  BOOST_TEST(said(plan_that_writes(scratch, "{\"na", "kill -SEGV $$")) ==
             "fault: the process died of signal 11");
  const std::string nonsense = said(plan_of(scratch, R"(echo nonsense >>"$out")"));
  BOOST_TEST((nonsense.starts_with("fault: ") && contains(nonsense, "'nonsense'")), nonsense);
  BOOST_TEST(said(plan_of(scratch, R"(echo '{"row":7}' >>"$out")")).starts_with("fault: "));
  Plan none;
  none.worker = (scratch / "none").string();
  BOOST_TEST(contains(said(none), "cannot start " + none.worker + ": No such file"));

  Configuration c = mine(scratch);
  c.checks[bad] = {"ok", "", "", 0, 1, 0.001};
  const Plan cut = plan_that_writes(scratch, "{\"benchmarks\":[", ":");
  c.rounds["another"] = {1.0};
  BOOST_TEST(message_of([&] { time_round(c, cut); }) == "");
  BOOST_TEST(c.fault.starts_with("while timing: "), c.fault);
  BOOST_TEST(c.rounds.empty());
  BOOST_TEST(message_of([&] { time_round(c, none); }) == "");  // it is not asked again
}

// A library with three core types beside the one that it picks, of which one does not take.
BOOST_AUTO_TEST_CASE(a_backend_is_followed_by_itself_under_every_core_type_that_takes) {
  const Scratch scratch;
  const Plan plan = plan_with(scratch, R"(
while [ "$1" != --out ]; do shift; done
[ "$FAKE_CORE" = 9 ] && unset FAKE_CORE
names=(picked Fast Slow)
echo '{"name":"Fake","kernel":"'"${names[${FAKE_CORE:-0}]}"'","kernels":[{"core":"Picked","variable":"FAKE_CORE","value":"0"},
  {"core":"Fast","variable":"FAKE_CORE","value":"1"},{"core":"Slow","variable":"FAKE_CORE","value":"2"},
  {"core":"Deaf","variable":"FAKE_CORE","value":"9"}]}' >"$2"
)");
  const std::string folder = scratch.path().string();
  const std::vector<Backend> given{{"a", folder, folder}};
  const auto names = [&](const char* wanted) {
    std::string text;
    for (const Backend& b : with_kernels(given, plan, wanted)) text += b.shown() + ", ";
    return text;
  };
  BOOST_TEST(names("each") == "a, a/Fast, a/Slow, ");
  BOOST_TEST(names("fast") == "a, a/Fast, ");
  BOOST_TEST(names("picked") == "a, ");
  const auto error = perp::test::error_of([&] { names("Fast Unheard"); });
  BOOST_REQUIRE(error.has_value());
  BOOST_TEST((error->exit() == perp::Exit::unusable));
  BOOST_TEST(contains(error->what(), "'Unheard'"));

  // It reaches the worker.
  Configuration c = mine(scratch);
  c.backend.kernels = {"Fast", "FAKE_CORE", "1"};
  check(c, plan_of(scratch, R"([ "$FAKE_CORE" = 1 ] || kill -SEGV $$)"));
  BOOST_TEST(c.checks.at(bad).status == "ok");
  BOOST_TEST(c.name() == "mine/Fast, 1 thread");
}

BOOST_AUTO_TEST_SUITE_END()
