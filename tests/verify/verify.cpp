// Two folders of results: what may differ between them and what may not, line by line; and the text about it.

#include "reports/render/verify.hpp"

#include <boost/test/unit_test.hpp>
#include <functional>

#include "perp/io/file.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/study/results.hpp"
#include "tests/support/scratch.hpp"

namespace perp::report {

inline std::ostream& operator<<(std::ostream& out, Outcome outcome) {
  return out << outcome_names.at(static_cast<std::size_t>(outcome));
}

namespace {

namespace fs = std::filesystem;

/// One study in one folder.
struct Run {
  fs::path root;
  Results results;
  std::string program = "aa";

  explicit Run(fs::path folder) : root(std::move(folder)) {
    results.study = "toy";
    results.preset = "quick";
    results.seed = 1;
    results.inputs = {{"text.gz", std::string(64, 'a')}};
    results.findings = {
        perp::finding("O1", "share", {}, {0.5, 0.49, 0.51, 0.99, known_spread(0.01 / 2.5758293035489)},
                      {.theory = 0.5, .n = 1, .kind = Kind::sampled, .meaning = "m"}),
        perp::finding("O1", "rank", {}, {109}, {.kind = Kind::count, .meaning = "m"})};
    results.claims.resize(1);
    claim().id = claim().of = "O1";
    claim().statement = "s";
    claim().source = "[a]";
    claim().rule = {{.finding = "O1.rank", .is = Is::above, .bound = 1.0},
                    {.finding = "O1.share", .is = Is::above, .bound = 0.45}};
    claim().findings = {"O1.share", "O1.rank"};
    judge_again();
    results.tables = {
        {"t.csv",
         {{"d", "1"}, {"value", "1", Kind::rounded, "m"}, {"at", "1", Kind::rounded, "m"}},
         {{std::int64_t{64}, 0.25, std::int64_t{3}}, {std::int64_t{128}, 0.125, std::int64_t{9}}}}};
  }
  Finding& share() { return results.findings[0]; }
  Finding& rank() { return results.findings[1]; }
  Claim& claim() { return results.claims[0]; }
  Table& table() { return results.tables[0]; }

  void judge_again() { claim().judgement = judge(results.findings, claim().rule); }
  void write() const {
    const fs::path folder = root / "toy";
    write_results(folder, results);
    write_whole(folder / "run.json",
                "{\"program_sha256\": \"" + program +
                    "\", \"host_cpu\": \"c\", \"cpu_model\": \"m\", \"blas\": {\"name\": \"b\", \"version\": "
                    "\"1\", \"kernel\": \"k\", \"path\": \"p\", \"lapack_path\": \"p\"}}");
  }
};

struct Runs {
  test::Scratch scratch;
  Run published{scratch / "published"}, fresh{scratch / "fresh"};

  Verification verified(const fs::path& pages = {}) const {
    published.write();
    fresh.write();
    return verify({published.root, fresh.root, pages, {}, ""});
  }
};

Outcome worst(const Verification& outcome) {
  Outcome worst = Outcome::equal;
  for (const Outcome one : {Outcome::within, Outcome::listed, Outcome::skipped, Outcome::failed})
    if (outcome.counted(one) > 0) worst = one;
  return worst;
}

/// What the runs have in common besides the change.
enum class Other { nothing, program, seed };
constexpr auto within = Outcome::within, failed = Outcome::failed, listed = Outcome::listed;
using Change = std::function<void(Run&)>;

/// The worst that verify says of two runs, each changed; `where`: of the one line that it has of it, where that is asked.
void check(Other other, const Change& published, const Change& fresh, Outcome expected,
           const std::string& where = "") {
  Runs runs;
  if (other == Other::program) runs.fresh.program = "bb";
  if (other == Other::seed) runs.fresh.results.seed = 2;
  published(runs.published), fresh(runs.fresh);
  const Verification outcome = runs.verified();
  std::string lines;
  for (const Moved& moved : outcome.moved)
    if (moved.outcome == expected && !moved.where.ends_with("/results.json")) lines += moved.where + ";";
  BOOST_TEST(worst(outcome) == expected, where << " is " << worst(outcome) << ": " << lines);
  if (!where.empty()) BOOST_TEST(lines == where + ";");
}
void check(Other other, const Change& fresh, Outcome expected, const std::string& where = "") {
  check(
      other, [](Run&) {}, fresh, expected, where);
}

BOOST_FIXTURE_TEST_SUITE(verify_runs, Runs)

BOOST_AUTO_TEST_CASE(the_same_run_passes_byte_for_byte) {
  const Verification outcome = verified();
  BOOST_TEST(worst(outcome) == Outcome::equal);
  BOOST_TEST(outcome.headings.front().find("byte for byte") != std::string::npos);
  BOOST_TEST(outcome.tallies.at("files")[0] == 2U);  // results.json and t.csv: run.json names the machine
  BOOST_TEST(outcome.tallies.at("claims")[0] == 1U);
  BOOST_TEST(outcome.tallies.at("findings")[0] == 2U);
  BOOST_TEST(outcome.tallies.at("table values")[0] == 6U);
}

/// The same number in both runs, but for `by`.
void check_moved(Other other, Outcome expected, Kind kind, double value, double by, const char* unit = "1") {
  const auto of = [=](double number) {
    return [=](Run& run) {
      run.results.findings.push_back(
          perp::finding("O1", "x", {}, {number}, {.unit = unit, .n = 1, .kind = kind, .meaning = "m"}));
    };
  };
  BOOST_TEST_CONTEXT(to_text(kind) << " " << value << " moved by " << by << " " << unit)
  check(other, of(value), of(value + by), expected);
}

BOOST_AUTO_TEST_CASE(how_far_a_number_may_move) {
  struct Limit {
    Kind kind;
    double value, in, beyond;
    const char* unit = "1";
  };
  const std::vector<Limit> of_any_draws{{Kind::exact, 0.3, 2e-13, 2e-12},
                                        {Kind::count, 109, 1, 2},
                                        {Kind::count, 20000, -19, -21},
                                        {Kind::rounded, 7.5, 7e-5, 8e-5},
                                        {Kind::rounded, 3e-15, 9e-9, 2e-8},
                                        {Kind::rounded, 0.2, 0.7, 1.1, "× rounding error"},
                                        {Kind::rounded, 0.04, 9e-6, 2e-5, "cosine"}},
      of_the_same{{Kind::sampled, 0.5, 0.0009, 0.0012}, {Kind::sampled, 0.004, 0.0015, 0.0025, "share"}};
  for (const Other other : {Other::program, Other::seed}) {
    for (const auto* limits : {&of_any_draws, &of_the_same})
      for (const auto& [kind, value, in, beyond, unit] : *limits) {
        if (limits == &of_the_same && other == Other::seed) continue;
        check_moved(other, within, kind, value, in, unit);
        check_moved(other, failed, kind, value, beyond, unit);
      }
    check_moved(other, failed, Kind::exact, 662, 1);
    check_moved(other, listed, Kind::rounded, 3, -2);  // where an extreme lies
  }
  check_moved(Other::seed, listed, Kind::sampled, 0.5, 0.4);  // without an interval
  check_moved(Other::nothing, failed, Kind::sampled, 0.5, 0x1p-53);
  // ± .01 at 99 %: both have a standard error of .0039, together .0055.
  const auto share = [](double by) { return [by](Run& run) { run.share().value += by; }; };
  check(Other::program, share(0.0009), within);
  check(Other::program, share(0.0012), failed, "O1.share");
  check(Other::seed, share(0.0325), within);
  check(Other::seed, share(0.0335), failed, "O1.share");
  const Change grows =
                   [](Run&run) {
                     run.results.parameters = {{rounding_parameter, rounding_grows}};
                   },
               grown = [&](Run&run) { grows(run), share(0.03)(run); };
  check(Other::program, grows, grown, within);
  check(Other::nothing, grows, grown, failed, "O1.share");
  const Change silent = [](Run& run) { run.program.clear(); };
  check(
      Other::nothing, silent, [&](Run& run) { silent(run), run.rank().value = 110; }, within);
}

/// Found in 24 of 400, eight groups of 50; in one group one more, or three.
void set_share(Run& run, std::vector<double> counts) {
  std::uint64_t right = 0;
  for (double& count : counts) right += static_cast<std::uint64_t>(count), count /= 50;
  const double share = static_cast<double>(right) / 400;
  const Spread spread = share_spread(right, 400, counts);
  const Interval interval = interval_at(share, spread, 0.99);
  run.share() =
      perp::finding("O1", "share", {}, {share, interval.low, interval.high, 0.99, spread},
                    {.theory = 0.5, .unit = "share", .n = 400, .kind = Kind::sampled, .meaning = "m"});
  run.results.tables = {{"t.csv",
                         {{"share", "1", Kind::sampled, "m", "low", "high"},
                          {"low", "1", Kind::sampled, "m"},
                          {"high", "1", Kind::sampled, "m"},
                          {"trials", "1", Kind::exact, "m"}},
                         {{share, interval.low, interval.high, std::int64_t{400}}}}};
  run.claim().rule.pop_back();
  run.judge_again();
}

// Groups that differ widen Student's interval, those that agree leave Wilson's.
BOOST_AUTO_TEST_CASE(one_decision_moves_a_share_and_its_interval) {
  for (const std::vector<double>& counts :
       {std::vector<double>{0, 1, 2, 9, 3, 2, 4, 3}, {3, 3, 3, 3, 3, 3, 3, 3}})
    for (const auto& [more, expected] : {std::pair{1, Outcome::within}, {3, Outcome::failed}}) {
      Runs runs;
      runs.fresh.program = "bb";
      std::vector<double> moved = counts;
      moved[3] += more;
      set_share(runs.published, counts);
      set_share(runs.fresh, moved);
      const Verification outcome = runs.verified();
      BOOST_TEST(worst(outcome) == expected, counts[3] << " and " << more << " more");
      // The finding, and share and an end in the table.
      if (more == 3) BOOST_TEST(outcome.counted(Outcome::failed) >= 2U);
    }
}

BOOST_AUTO_TEST_CASE(an_end_of_an_interval_over_few_draws_moves_with_them) {
  for (const auto& [n, low, expected] :
       {std::tuple{2, 0.003, Outcome::within}, {2, 0.004, Outcome::failed}, {200, 0.003, Outcome::failed}}) {
    Runs runs;
    runs.fresh.program = "bb";
    for (Run* run : {&runs.published, &runs.fresh}) {
      run->share() = perp::finding("O1", "share", {}, {0.0028, 0.00279, 0.00281, 0.999, known_spread(1)},
                                   {.n = n, .kind = Kind::sampled, .meaning = "m"});
      run->claim().rule.pop_back(), run->judge_again();
    }
    *runs.fresh.share().low -= low - 0.00001;
    BOOST_TEST(worst(runs.verified()) == expected, n << " " << low);
  }
}

BOOST_AUTO_TEST_CASE(what_comes_or_goes) {
  const auto without_rank = [](Run& run) {
    run.results.findings.pop_back(), run.claim().findings.pop_back();
  };
  const auto without_column = [](Run& run) {
    run.table().columns.pop_back();
    for (auto& row : run.table().rows) row.pop_back();
  };
  for (const auto& [where, without] : {std::pair<const char*, Change>{"toy/O1.rank", without_rank},
                                       {"toy/t.csv", [](Run& run) { run.results.tables.clear(); }},
                                       {"toy/O1", [](Run& run) { run.results.claims.clear(); }},
                                       {"toy/t.csv", without_column},
                                       {"toy/t.csv", [](Run& run) { run.table().rows.pop_back(); }}}) {
    check(Other::program, without, failed, where);
    check(
        Other::program, without, [](Run&) {}, failed, where);
  }
  const auto without_input = [&](Run& run) {
    without_rank(run), run.table().rows.pop_back(), run.results.inputs.clear();
  };
  const auto another_input = [](Run& run) { run.results.inputs[0].sha256 = std::string(64, 'b'); };
  check(
      Other::program, [](Run& run) { run.table().rows[1][1] = 0.126; }, failed, "toy/t.csv value row 2");
  check(Other::nothing, without_input, Outcome::skipped);  // what an absent input takes away
  check(
      Other::nothing, [&](Run& run) { without_input(run), run.share().value = 0.6; }, failed, "O1.share");
  check(
      Other::nothing, [&](Run& run) { another_input(run), run.share().value = 0.6; }, Outcome::skipped,
      "O1.share");
  check(
      Other::nothing, [&](Run& run) { another_input(run), run.rank().value = 190; }, failed, "O1.rank");
}

BOOST_AUTO_TEST_CASE(what_is_said_of_a_number_or_claim_does_not_move) {
  for (const auto& [where, change] :
       {std::pair<const char*, Change>{"O1.share", [](Run& run) { run.share().level = 0.999; }},
        {"O1.share", [](Run& run) { run.share().n = 2; }},
        {"O1.share", [](Run& run) { run.share().kind = Kind::rounded; }},
        {"O1.share", [](Run& run) { run.share().meaning = "another"; }},
        {"O1.share.theory", [](Run& run) { run.share().theory.reset(); }},
        {"O1.share.low", [](Run& run) { run.share().low = 0.48; }},
        {"O1.share.high", [](Run& run) { run.share().high = 0.52; }},
        {"toy/t.csv value", [](Run& run) { run.table().columns[1].unit = "bits"; }},
        {"toy/t.csv value", [](Run& run) { run.table().columns[1].high = "at"; }},
        {"O1", [](Run& run) { run.claim().statement = "t"; }},
        {"O1", [](Run& run) { run.claim().of = "O2"; }},
        {"O1.rule", [](Run& run) { run.claim().rule[0].bound = 2.0; }},
        {"O1.rule", [](Run& run) { run.claim().rule[0].role = Role::limit; }},
        {"O1.rule", [](Run& run) { run.claim().rule[0].levels.emplace_back("a", "b"); }},
        {"O1.rule", [](Run& run) { run.claim().rule[0].needs = "a model"; }}})
    check(Other::program, change, failed, where);
  check(
      Other::program, [](Run& run) { run.claim().rule[1].bound = 0.3; },
      [](Run& run) { run.claim().rule[1].bound = 0.1 + 0.2; }, Outcome::equal);
  for (const auto& [answer, expected] :
       {std::pair{Answer::open, listed}, {Answer::unmeasured, Outcome::equal}, {Answer::fails, failed}})
    check(
        Other::seed, [changed = answer](Run& run) { run.claim().judgement.readings[1].answer = changed; },
        expected);
}

BOOST_AUTO_TEST_CASE(pages_are_those_that_the_published_numbers_give) {
  const fs::path rendered = scratch / "pages";
  const auto put = [&](const std::string& name, const std::string& before, const std::string& now) {
    for (const auto& [root, text] : {std::pair{published.root, before}, {rendered, now}}) {
      make_folders((root / name).parent_path());
      fs::remove(root / name);
      if (!text.empty()) write_whole(root / name, text);
    }
  };
  const auto first = [&] {
    const Verification outcome = verified(rendered);
    return outcome.moved.empty() ? "" : outcome.moved.front().where + ": " + outcome.moved.front().why;
  };
  for (const char* name : {"BENCHMARKS.md", "figures/bench-cpu.svg", "bench/a.csv", "long/REPORT.md",
                           "long-one/a.csv", "rope/a.json"})
    put(name, "of another command\n", "");
  for (const char* name : {"REPORT.md", "figures/a.svg", "figures/b.svg", "site/index.html"})
    put(name, "a\n", "a\n");
  fresh.results.seed = 2;  // whatever the fresh run came to
  BOOST_TEST(worst(verified(rendered)) == Outcome::equal);
  BOOST_TEST(verified(rendered).tallies.at("pages")[0] == 4U);
  BOOST_TEST(!verified().tallies.contains("pages"));
  for (const char* name : {"REPORT.md", "figures/b.svg"}) {
    put(name, "a\n", "b\n");
    BOOST_TEST(first() == std::string(name) + ": other bytes");
    put(name, "", "b\n");
    BOOST_TEST(first() == std::string(name) + ": not published");
    put(name, "b\n", "");
    BOOST_TEST(first() == std::string(name) + ": not written again");
    put(name, "a\n", "a\n");
  }
  for (const char* name : {"figures/a.svg", "figures/b.svg"}) put(name, "a\n", "b\n");
  put("site/index.html", "a\n", "");
  BOOST_TEST(verified(rendered).counted(Outcome::skipped) == 3U);
  BOOST_TEST(verified(rendered).passed());
}

BOOST_AUTO_TEST_CASE(the_text_says_what_moved_and_how_many) {
  fresh.program = "bb";
  fresh.rank().value = 190;
  BOOST_TEST(verification_text(verified()) ==
             "toy: by kinds: the same seed, another program\n"
             "\n"
             "Moved beyond tolerance (published, here)\n"
             "  O1.rank  109  190  count: 81 apart, 1 allowed\n"
             "\n"
             "                compared     equal    within    listed   skipped    failed\n"
             "claims                 1         1         0         0         0         0\n"
             "findings               2         1         0         0         0         1\n"
             "table values           6         6         0         0         0         0\n"
             "\n"
             "not verified\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp::report
