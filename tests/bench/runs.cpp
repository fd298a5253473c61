// Backends as they are named; workers that die, stammer and stop: shell scripts stand in for them, no library is
// loaded. What the page answers, from times that are made up; rounds, contrasts, roofs and verdicts by hand.

#include "bench/runs.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "bench/answer.hpp"
#include "bench/backends.hpp"
#include "bench/tables.hpp"
#include "bench/verdict.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch.hpp"

using namespace perp::bench;
using boost::test_tools::tolerance;
using perp::test::check_refusal;
using perp::test::contains;
using perp::test::message_of;
using perp::test::Scratch;

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

BOOST_AUTO_TEST_SUITE(bench_answer)

namespace {

const std::vector<Row> rows{{"gemm", Type::f32, {64, 64, 64}},
                            {"gemm", Type::f32, {128, 128, 128}},
                            {"gemm_small", Type::f32, {4, 4, 4}}};

/// Times as often as `factor` of the default's, which wander by `noise`, by round and row.
Configuration configuration(const char* name, const char* core, double factor, double noise) {
  Configuration c{{name, "", ""}};
  c.backend.kernels = {core, "CORE", core};
  c.threads = 2;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    c.checks[rows[i].name()] = {"ok", "", "", 0, 1, 0.1};
    for (const double turn : {1.0, -1.0, 0.5, -0.5, 0.0})
      c.rounds[rows[i].name()].push_back(factor * (1 + noise * turn * (i % 2 == 0 ? 1.0 : 0.7)));
  }
  return c;
}

Answer only_answer(const std::vector<Configuration>& all) {
  const std::vector<Answer> answers = answers_of(all, rows, "usual");
  BOOST_REQUIRE(answers.size() == 1u);
  return answers.front();
}

}  // namespace

// A tenth less in noise of a third says nothing, a hundredth less in noise of as much that nobody would notice it; in
// noise of a thousandth a tenth is told apart, though nobody would notice that either.
BOOST_AUTO_TEST_CASE(what_is_not_told_apart_is_not_advised) {
  for (const auto& [time, noise, told, act] : {std::tuple{0.9, 0.3, false, "unclear"},
                                               {0.99, 0.03, false, "nothing"},
                                               {0.9, 0.001, true, "little"}}) {
    const std::vector<Configuration> all{configuration("usual", "", 1, 0),
                                         configuration("usual", "Fast", time, noise)};
    const Answer answer = only_answer(all);
    BOOST_TEST(answer.cost.told() == told);
    BOOST_TEST(answer.act() == act);
    BOOST_TEST(answer.what() == "nothing");
    BOOST_TEST((answer.cost.low < answer.cost.ratio && answer.cost.ratio < answer.cost.high));
  }
}

// Another library that halves the time is worth installing; those like it are its equals, the default is not.
BOOST_AUTO_TEST_CASE(a_difference_that_is_noticed_is_advised_with_its_equals) {
  std::vector<Configuration> all{configuration("usual", "", 1, 0), configuration("atlas", "", 0.5, 0.01),
                                 configuration("mkl", "", 0.501, 0.01)};
  all[2].rounds[rows[0].name()][1] *= 1.1;
  const Answer answer = only_answer(all);
  BOOST_TEST(answer.best == &all[1]);
  BOOST_TEST(answer.cost.ratio == 2.0, boost::test_tools::tolerance(0.01));
  BOOST_REQUIRE(answer.equals.size() == 1u);
  BOOST_TEST(answer.equals[0].configuration == &all[2]);
  BOOST_TEST((answer.act() == "install" && answer.what() == "libatlas3-base"));

  // Nothing is installed that kernels of the default's library equal.
  all.push_back(configuration("usual", "Fast", 0.502, 0.01));
  all[3].rounds[rows[0].name()][1] *= 1.1;
  BOOST_TEST(only_answer(all).best == &all[1]);
  BOOST_TEST((only_answer(all).act() == "set" && only_answer(all).what() == "CORE=Fast"));
  all.pop_back();

  all[1].checks[rows[0].name()].status = "failed";  // a wrong library is no answer
  BOOST_TEST(only_answer(all).best == &all[2]);
  all[0].checks[rows[0].name()].status = "failed";  // nor is a wrong default, however fast
  for (auto& [row, list] : all[0].rounds) list = {0.1, 0.1, 0.1, 0.1, 0.1};
  BOOST_TEST(only_answer(all).best == &all[2]);
  BOOST_TEST(only_answer(all).act() == "wrong");
  all[2].rounds.erase(rows[1].name());  // what did not run every row is no candidate
  BOOST_TEST(only_answer(all).best == &all[0]);
}

// Of many comparisons at once one has to differ by more: alone it would be told apart.
BOOST_AUTO_TEST_CASE(verdicts_are_adjusted_for_their_number) {
  std::vector<Configuration> all{configuration("usual", "", 1, 0), configuration("other", "", 0.95, 0.03)};
  BOOST_TEST(only_answer(all).cost.told());
  for (int i = 0; i < 20; ++i) all.push_back(configuration("alike", "", 1, 0.01));
  const Answer answer = only_answer(all);
  BOOST_TEST(answer.best == &all[1]);
  BOOST_TEST(!answer.cost.told());
}

// Tables, written and read back, lead to the same findings; by operation what is slow shows, and what is wrong is counted.
BOOST_AUTO_TEST_CASE(a_folder_of_tables_says_what_the_bench_said) {
  Measured m;
  m.configurations = {configuration("usual", "", 1, 0.001), configuration("usual", "Fast", 0.5, 0.002),
                      configuration("blis-pthread", "", 1, 0.001), configuration("wrong", "", 1, 0)};
  for (double& seconds : m.configurations[2].rounds[rows[2].name()]) seconds *= 100;
  m.configurations[3].checks[rows[1].name()] = {"failed", "error 7, bound 1", "", 7, 1, 0.1};
  m.configurations[3].rounds.erase(rows[1].name());
  m.roof.limits = {{"fma", "f32", 512, 2, 1e9}, {"copy", "", 0, 2, 1e12}};
  m.baseline = "usual";
  m.own = "fast";
  m.sheet = {{"processor", "512"}, {"preset", "quick"}};
  m.plan.quick = true;
  const Scratch scratch;
  const perp::Results measured = results_of(m);
  write_results(scratch / "bench", measured);
  const perp::Results again = results_from(scratch / "bench", {});
  BOOST_TEST(to_json(again) == to_json(measured));
  const auto value = [&](const char* id) {
    const perp::Finding* found = find(measured.findings, id);
    return found ? found->value : NAN;
  };
  BOOST_TEST(value("B1.gain.set.most") == 2.0, boost::test_tools::tolerance(0.01));
  BOOST_TEST(value("B1.own.most") == 0.5, boost::test_tools::tolerance(0.01));
  BOOST_TEST(value("B1.rows") == 12.0);
  BOOST_TEST(value("B1.wrong") == 1.0);
  BOOST_TEST(value("B1.slower.most") == 2.0);
  BOOST_TEST((measured.claims[0].verdict() == perp::Verdict::is_false));
  const auto table = std::ranges::find(measured.tables, "operations.csv", &perp::Table::file);
  BOOST_TEST(to_csv(*table).find("gemm_small,gemm: small squares,most,2,blis-pthread,2,200.") !=
             std::string::npos);
  perp::test::check_refusal([&] { results_from(scratch / "none", {}); }, "no results.csv");

  // Of an earlier table the rows of other processors stay, behind this one's.
  const std::string head = "processor,system,library,kernel,takes,takes_low,takes_high,told,what,when\n";
  perp::write_whole(scratch / "earlier.csv", head + "512,old,A 1,Slow,9,8,10,yes,X=Y,2020-01-01\n" +
                                                 "other,Debian,B 2,Fast,1.5,1.25,2,no,,2020-01-02\n");
  m.processors = scratch / "earlier.csv";
  const perp::Results beside = results_of(m);
  const std::string processors =
      to_csv(*std::ranges::find(beside.tables, "processors.csv", &perp::Table::file));
  BOOST_TEST(processors.starts_with(head + "512,"));
  BOOST_TEST(processors.ends_with("\nother,Debian,B 2,Fast,1.5,1.25,2,no,,2020-01-02\n"));
  BOOST_TEST(std::ranges::count(processors, '\n') == 3);
  BOOST_TEST(find(beside.findings, "B1.others")->value == 1.0);
}

BOOST_AUTO_TEST_CASE(a_processor_has_a_name) {
  const char* text =
      "Architecture:            x86_64\n  Model name:            AMD EPYC\n    CPU family:          25\n"
      "    Model:               17\n    Stepping:            1\n";
  BOOST_TEST(processor(text) == "AMD EPYC, family 25, model 17, stepping 1");
  BOOST_TEST(processor("Model name:   Neoverse-N1\nModel:  1\n") == "Neoverse-N1, model 1");
  BOOST_TEST(said("CPU(s): 2\n", "CPU") == "");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(bench_lines)

namespace {

const auto tiny = tolerance(1e-12);

}  // namespace

// By hand: logs of ratios 0.1, 0.2, 0.3 have mean .2, standard deviation .1, t = .2/(.1/√3) = 3.4641 with two
// degrees of freedom, for which P(|T| > t) = 1 - t/√(2 + t²); t of 97.5 % is 4.302653.
BOOST_AUTO_TEST_CASE(a_paired_contrast_is_students_t_on_logarithms) {
  const Contrast c = paired_contrast({std::exp(0.1), std::exp(0.2), std::exp(0.3)});
  const double t = 0.2 / (0.1 / std::sqrt(3.0));
  BOOST_TEST(c.ratio == std::exp(0.2), tiny);
  BOOST_TEST(c.p == 1 - t / std::sqrt(2 + t * t), tiny);
  BOOST_TEST(std::log(c.high) == 0.2 + 4.302653 * 0.1 / std::sqrt(3.0), tolerance(1e-6));
  BOOST_TEST(std::log(c.low) == 0.2 - 4.302653 * 0.1 / std::sqrt(3.0), tolerance(1e-6));
  BOOST_TEST(paired_contrast({2.0}).p == 1.0);
  BOOST_TEST(paired_contrast({1.0, 1.0, 1.0}).p == 1.0);
  BOOST_TEST(paired_contrast({2.0, 2.0, 2.0}).p == 0.0);
}

BOOST_AUTO_TEST_CASE(a_verdict_needs_an_adjusted_p_at_the_level) {
  BOOST_TEST((Contrast{0.5, 0, 0, 0.05, 5}.told()));
  BOOST_TEST((!Contrast{2, 0, 0, 0.051, 5}.told()));
  BOOST_TEST((paired_ratios({2, 20, 4}, {1, 10}) == std::vector<double>{2, 2}));
}

BOOST_AUTO_TEST_CASE(the_roof_is_the_lower_of_two_limits_and_only_rises) {
  Roof roof;
  roof.limits = {{"fma", "f32", 128, 1, 50.0},  {"fma", "f32", 512, 1, 200.0}, {"fma", "f64", 512, 1, 100.0},
                 {"fma", "f32", 512, 2, 390.0}, {"copy", "", 0, 1, 10.0},      {"read", "", 0, 1, 8.0},
                 {"copy", "", 0, 2, 15.0}};
  BOOST_TEST(roof.of("f32", 1, 100, 50) == 20.0);     // two operations a byte, ten bytes a second
  BOOST_TEST(roof.of("f32", 1, 2000, 100) == 200.0);  // the ridge: twenty operations a byte
  BOOST_TEST(roof.of("f32", 1, 1e6, 1) == 200.0);
  BOOST_TEST(roof.of("f64", 1, 1e6, 1) == 100.0);
  BOOST_TEST(roof.of("f32", 2, 1e6, 1) == 390.0);
  BOOST_TEST(roof.of("f32", 2, 1, 1) == 15.0);
  Roof other = roof, empty;
  other.limits[1].rate = 250;
  other.limits[4].rate = 5;
  roof.raise(other);
  BOOST_TEST(roof.best("f32", 1) == 250.0);
  BOOST_TEST(roof.best("", 1) == 10.0);
  empty.raise(other);
  BOOST_TEST(empty.best("f32", 1) == 250.0);
}

BOOST_AUTO_TEST_SUITE_END()
