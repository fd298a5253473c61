// Two folders of results: what may differ between them and what may not, line by line; and the text about it.

#include <boost/test/unit_test.hpp>
#include <functional>

#include "perp/base/error.hpp"
#include "perp/io/file.hpp"
#include "perp/statistics/moments.hpp"
#include "reports/verify.hpp"
#include "reports/verify_study.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch.hpp"

namespace perp::report {

inline std::ostream& operator<<(std::ostream& out, Outcome outcome) {
  return out << std::array{"equal", "within", "listed", "skipped", "failed"}.at(
             static_cast<std::size_t>(outcome));
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

struct Change {
  const char* what;
  Other other;
  Outcome worst;
  const char* where;  ///< of the one line with that outcome; "" where it is looked at for its own sake
  std::function<void(Run& published, Run& fresh)> make;
};

void check(const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    Runs runs;
    if (change.other == Other::program) runs.fresh.program = "bb";
    if (change.other == Other::seed) runs.fresh.results.seed = 2;
    change.make(runs.published, runs.fresh);
    const Verification outcome = runs.verified();
    BOOST_TEST(worst(outcome) == change.worst, change.what << " is " << worst(outcome));
    std::vector<std::string> lines;
    for (const Moved& moved : outcome.moved)
      if (moved.outcome == change.worst && !moved.where.ends_with("/results.json"))
        lines.push_back(moved.where);
    if (*change.where)
      BOOST_TEST((lines == std::vector<std::string>{change.where}),
                 change.what << ": " << (lines.empty() ? "no line" : lines.front()));
  }
}

/// The same change to both runs before `make` sees them.
auto both(const std::function<void(Run&)>& first, const std::function<void(Run& fresh)>& make) {
  return [=](Run& published, Run& fresh) { first(published), first(fresh), make(fresh); };
}
auto here(const std::function<void(Run& fresh)>& make) {
  return [=](Run&, Run& fresh) { make(fresh); };
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

BOOST_AUTO_TEST_CASE(what_runs_have_in_common) {
  const auto last_bit = here([](Run& run) { run.share().value = 0.5 + 1e-16 + 0x1p-53; });
  const auto by_a_hundredth = here([](Run& run) { run.share().value = 0.505; });
  const auto grows = [](Run& run) { run.results.parameters = {{rounding_parameter, rounding_grows}}; };
  const auto grown = both(grows, [](Run& run) { run.share().value = 0.505; });
  check({{"a last bit in the same program", Other::nothing, Outcome::failed, "O1.share", last_bit},
         {"a last bit in another", Other::program, Outcome::within, "", last_bit},
         {"another seed within its intervals", Other::seed, Outcome::within, "",
          here([](Run& run) { run.share().value += 0.03; })},
         {"another seed beyond them", Other::seed, Outcome::failed, "O1.share",
          here([](Run& run) { run.share().value += 0.04; })},
         {"a hundredth", Other::program, Outcome::failed, "O1.share", by_a_hundredth},
         {"a hundredth where rounding grows", Other::program, Outcome::within, "", grown},
         {"… in the same program", Other::nothing, Outcome::failed, "O1.share", grown},
         {"runs that record nothing", Other::nothing, Outcome::within, "",
          both([](Run& run) { run.program.clear(); }, [](Run& run) { run.rank().value = 110; })}});
  fresh.program = "bb";
  BOOST_TEST(verified().headings.front() == "toy: another program, same seed: every number by its kind");
}

BOOST_AUTO_TEST_CASE(what_comes_or_goes) {
  const auto without_rank = [](Run& run) {
    run.results.findings.pop_back(), run.claim().findings.pop_back();
  };
  const auto without_column = [](Run& run) {
    run.table().columns.pop_back();
    for (auto& row : run.table().rows) row.pop_back();
  };
  const auto without_input = [&](Run& run) {
    without_rank(run), run.table().rows.pop_back(), run.results.inputs.clear();
  };
  const auto another_input = [](Run& run) { run.results.inputs[0].sha256 = std::string(64, 'b'); };
  std::vector<Change> changes;
  for (const auto& [what, where, without] :
       std::vector<std::tuple<const char*, const char*, std::function<void(Run&)>>>{
           {"a finding", "toy/O1.rank", without_rank},
           {"a table", "toy/t.csv", [](Run& run) { run.results.tables.clear(); }},
           {"a claim", "toy/O1", [](Run& run) { run.results.claims.clear(); }},
           {"a column", "toy/t.csv", without_column},
           {"a row", "toy/t.csv", [](Run& run) { run.table().rows.pop_back(); }}}) {
    changes.push_back({what, Other::program, Outcome::failed, where, here(without)});
    changes.push_back({what, Other::program, Outcome::failed, where,
                       [=, make = without](Run& published, Run&) { make(published); }});
  }
  check(changes);
  check({{"a cell", Other::program, Outcome::failed, "toy/t.csv value row 2",
          here([](Run& run) { run.table().rows[1][1] = 0.126; })},
         {"where an extreme lies", Other::program, Outcome::listed, "toy/t.csv at row 2",
          here([](Run& run) { run.table().rows[1][2] = std::int64_t{1}; })},
         {"what an absent input takes away", Other::nothing, Outcome::skipped, "", here(without_input)},
         {"what it leaves", Other::nothing, Outcome::failed, "O1.share",
          here([&](Run& run) { without_input(run), run.share().value = 0.6; })},
         {"what was sampled, of another input", Other::nothing, Outcome::skipped, "O1.share",
          here([&](Run& run) { another_input(run), run.share().value = 0.6; })},
         {"what was not", Other::nothing, Outcome::failed, "O1.rank",
          here([&](Run& run) { another_input(run), run.rank().value = 190; })}});
}

BOOST_AUTO_TEST_CASE(what_a_number_is_about_does_not_move) {
  const auto failed = [](const char* where, const std::function<void(Run&)>& make) {
    return Change{where, Other::program, Outcome::failed, where, here(make)};
  };
  check({failed("O1.share.level", [](Run& run) { run.share().level = 0.999; }),
         failed("O1.share.unit", [](Run& run) { run.share().unit = "bits"; }),
         failed("O1.share.n", [](Run& run) { run.share().n = 2; }),
         failed("O1.share.kind", [](Run& run) { run.share().kind = Kind::rounded; }),
         failed("O1.share.meaning", [](Run& run) { run.share().meaning = "another"; }),
         failed("O1.share.theory", [](Run& run) { run.share().theory = 0.5001; }),
         failed("O1.share.theory", [](Run& run) { run.share().theory.reset(); }),
         failed("O1.share.low", [](Run& run) { run.share().low = 0.48; }),
         failed("O1.share.high", [](Run& run) { run.share().high = 0.52; }),
         failed("toy/t.csv value.unit", [](Run& run) { run.table().columns[1].unit = "bits"; }),
         failed("toy/t.csv value.meaning", [](Run& run) { run.table().columns[1].meaning = "n"; }),
         failed("toy/t.csv value.kind", [](Run& run) { run.table().columns[1].kind = Kind::count; }),
         failed("toy/t.csv value.interval", [](Run& run) { run.table().columns[1].high = "at"; }),
         failed("O1.statement", [](Run& run) { run.claim().statement = "t"; }),
         failed("O1.source", [](Run& run) { run.claim().source = "[b]"; }),
         failed("O1.claim", [](Run& run) { run.claim().of = "O2"; })});
}

BOOST_AUTO_TEST_CASE(another_rule_fails_where_the_verdict_stays) {
  std::vector<Change> changes;
  for (const auto& make : std::vector<std::function<void(Condition&)>>{
           [](Condition& c) { c.bound = 2.0; }, [](Condition& c) { c.is = Is::below; },
           [](Condition& c) { c.finding = "O1.share"; }, [](Condition& c) { c.bound = "theory"; },
           [](Condition& c) { c.role = Role::limit; }, [](Condition& c) { c.evidence = Evidence::trained; },
           [](Condition& c) {
             c.levels = {{"a", "b"}};
           },
           [](Condition& c) { c.says = "rank"; }, [](Condition& c) { c.needs = "a model"; }})
    changes.push_back({"another condition", Other::program, Outcome::failed, "O1.rule",
                       here([=](Run& run) { make(run.claim().rule[0]); })});
  changes.push_back(
      {"one more", Other::program, Outcome::failed, "O1.number of conditions", here([](Run& run) {
         run.claim().rule.push_back({.finding = "O1.share", .is = Is::above, .bound = 0.1});
         run.judge_again();
       })});
  changes.push_back({"a bound to its last bits", Other::program, Outcome::equal, "", [](Run& a, Run& b) {
                       a.claim().rule[1].bound = 0.3, b.claim().rule[1].bound = 0.1 + 0.2;
                     }});
  check(changes);
}

// 109, 20 and -50, each ± 33: holds, is open, fails.
BOOST_AUTO_TEST_CASE(a_condition_that_opens_is_listed_and_one_that_turns_fails) {
  for (const Other other : {Other::program, Other::seed}) {
    const auto answered = [](Answer answer) {
      return here([=](Run& run) { run.claim().judgement.readings[1].answer = answer; });
    };
    check({{"open", other, Outcome::listed, "O1 O1.share above 0.45", answered(Answer::open)},
           {"unmeasured", other, Outcome::equal, "", answered(Answer::unmeasured)},
           {"turned", other, Outcome::failed, "O1 O1.share above 0.45", answered(Answer::fails)}});
  }
  // The verdict stands beside its condition, and of a claim there is one line.
  for (const auto& [rank, expected] : {std::pair{20.0, Outcome::listed}, {-50.0, Outcome::failed}}) {
    Runs runs;
    runs.fresh.results.seed = 2;
    for (Run* run : {&runs.published, &runs.fresh}) {
      run->rank().kind = Kind::sampled;
      run->rank().spread = known_spread(10);
      run->claim().rule.pop_back();
    }
    runs.fresh.rank().value = rank;
    runs.published.judge_again(), runs.fresh.judge_again();
    const Verification outcome = runs.verified();
    const auto of_claim = [](const Moved& moved) {
      return moved.where.starts_with("O1 ") || moved.where == "O1.verdict";
    };
    BOOST_TEST(std::ranges::count_if(outcome.moved, of_claim) == 1);
    BOOST_TEST(std::ranges::find_if(outcome.moved, of_claim)->outcome == expected, rank);
  }
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

BOOST_AUTO_TEST_CASE(columns_with_a_meaning_of_their_own) {
  const auto tables = [](const Table& before, const Table& now) {
    return [=](Run& published, Run& run) { published.results.tables = {before}, run.results.tables = {now}; };
  };
  const auto bins = [](double left, double right) {
    return Table{"t.csv",
                 {{"cosine", "1"}, {"density", "1", Kind::sampled, "m"}},
                 {{-0.5, 1.0}, {0.0, left}, {0.5, right}}};
  };
  // A row says its unit where its column has several.
  const auto labelled = [&](const char* label, double by) {
    const auto table = [&](double value) {
      return Table{
          "t.csv", {{"label", "1", Kind::exact, "m"}, {"before", "1", Kind::rounded, "m"}}, {{label, value}}};
    };
    return tables(table(0.24), table(0.24 + by));
  };
  const auto few = [](std::uint64_t n, double low) {
    return [=](Run& published, Run& run) {
      for (Run* one : {&published, &run})
        one->share() = perp::finding("O1", "share", {}, {0.0028, 0.00279, 0.00281, 0.999, known_spread(1)},
                                     {.n = n, .kind = Kind::sampled, .meaning = "m"});
      run.share().low = low;
      for (Run* one : {&published, &run}) one->claim().rule.pop_back(), one->judge_again();
    };
  };
  const char *departure = "its departure, standard deviations", *mean = "standard deviations of it";
  check({{"what a bin loses its neighbour has", Other::program, Outcome::within, "",
          tables(bins(7.9, 15.4), bins(8.0, 15.3))},
         {"… or it does not", Other::program, Outcome::failed, "", tables(bins(7.9, 15.4), bins(8.0, 15.4))},
         {"a departure", Other::program, Outcome::within, "", labelled(departure, 9e-6)},
         {"a departure too far", Other::program, Outcome::failed, "", labelled(departure, 2e-5)},
         {"none", Other::program, Outcome::failed, "", labelled(mean, 9e-6)},
         {"an interval over two draws", Other::program, Outcome::within, "", few(2, 0.0028 - 0.003)},
         {"… too far", Other::program, Outcome::failed, "O1.share.low", few(2, 0.0028 - 0.004)},
         {"over many draws", Other::program, Outcome::failed, "O1.share.low", few(200, 0.0028 - 0.003)}});
}

BOOST_AUTO_TEST_CASE(a_file_that_only_one_run_has_fails_where_bytes_must_agree) {
  for (const Run* run : {&published, &fresh}) {
    make_folders(run->root / "toy");
    write_whole(run->root / "toy/extra.csv", "a\n1\n");
    const Verification outcome = verified();
    BOOST_TEST(outcome.counted(Outcome::failed) == 1U);
    BOOST_TEST(outcome.moved.front().where == "toy/extra.csv");
    fs::remove(run->root / "toy/extra.csv");
  }
}

BOOST_AUTO_TEST_CASE(what_cannot_be_compared_is_refused) {
  published.write();
  fresh.write();
  const auto refused = [&](const std::string& message, const VerifyOptions& options) {
    test::check_refusal([&] { verify(options); }, message);
  };
  refused("no study 'none' in either folder; there are: toy", {published.root, fresh.root, {}, {"none"}, ""});
  refused("is of preset quick; expected full", {published.root, fresh.root, {}, {}, "full"});
  refused("no folder", {published.root, scratch / "nowhere", {}, {}, ""});
  fs::rename(fresh.root / "toy", fresh.root / "other");
  BOOST_TEST(verify({published.root, fresh.root, {}, {}, ""}).counted(Outcome::failed) == 2U);
}

/// What the pages came to, and the first line about them.
struct Pages : Runs {
  fs::path rendered = scratch / "pages";
  void put(const std::string& name, const std::string& published_text, const std::string& text) const {
    for (const auto& [root, what] : {std::pair{published.root, published_text}, {rendered, text}}) {
      make_folders((root / name).parent_path());
      if (!what.empty()) write_whole(root / name, what);
    }
  }
};

BOOST_FIXTURE_TEST_CASE(pages_are_those_that_the_published_numbers_give, Pages) {
  const char* elsewhere[] = {
      "SCALING.md",  "BENCHMARKS.md",  "figures/scaling-a.svg", "figures/bench-cpu.svg",
      "bench/a.csv", "long/REPORT.md", "scaling/a.csv",         "run.json"};
  for (const char* name : elsewhere) put(name, "of another command\n", "");
  for (const char* name : {"REPORT.md", "chapters/order.md", "ledger.csv", "figures/a.svg", "figures/b.svg",
                           "site/index.html", "site/page.css"})
    put(name, "a\n", "a\n");
  fresh.results.seed = 2;  // whatever the fresh run came to
  BOOST_TEST(worst(verified(rendered)) == Outcome::equal);
  BOOST_TEST(verified(rendered).tallies.at("pages")[0] == 7U);
  BOOST_TEST(!verified().tallies.contains("pages"));
  for (const char* name :
       {"REPORT.md", "chapters/order.md", "ledger.csv", "figures/b.svg", "site/page.css"}) {
    put(name, "a\n", "b\n");
    const Verification outcome = verified(rendered);
    BOOST_TEST(outcome.counted(Outcome::failed) == 1U, name);
    BOOST_TEST(outcome.moved.front().where == name);
    put(name, "a\n", "a\n");
  }
  put("MACHINE.md", "", "b\n");
  BOOST_TEST(verified(rendered).moved.front().why == "not published");
  put("MACHINE.md", "b\n", "");
  BOOST_TEST(worst(verified(rendered)) == Outcome::equal);
  fs::remove(rendered / "MACHINE.md");
  BOOST_TEST(verified(rendered).moved.front().why == "not written again");
}

BOOST_FIXTURE_TEST_CASE(another_gnuplot_and_no_pandoc_are_said_once, Pages) {
  for (const char* name : {"figures/a.svg", "figures/b.svg", "site/figures/a.svg"}) put(name, "a\n", "b\n");
  for (const char* name : {"site/index.html", "site/page.css"}) put(name, "a\n", "");
  put("REPORT.md", "a\n", "a\n");
  const Verification outcome = verified(rendered);
  BOOST_TEST(worst(outcome) == Outcome::skipped);
  BOOST_REQUIRE(outcome.moved.size() == 2U);
  BOOST_TEST(outcome.moved[0].where == "3 files of gnuplot");
  BOOST_TEST(outcome.moved[1].where == "2 files of pandoc");
  BOOST_TEST(outcome.counted(Outcome::skipped) == 5U);
}

BOOST_AUTO_TEST_CASE(the_text_says_what_moved_and_how_many) {
  fresh.program = "bb";
  fresh.rank().value = 190;
  const std::string text = verification_text(verified());
  BOOST_TEST(text ==
             "toy: another program, same seed: every number by its kind\n"
             "\n"
             "Moved beyond tolerance (published, here)\n"
             "  O1.rank                     109                     190  count: 81 apart, 1 allowed\n"
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
