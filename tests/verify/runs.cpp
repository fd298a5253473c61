// Two folders of results: what they have in common, what disappears and appears, what an absent input
// excuses.

#include <boost/test/unit_test.hpp>

#include "perp/base/error.hpp"
#include "perp/io/file.hpp"
#include "perp/statistics/moments.hpp"
#include "reports/verify.hpp"
#include "reports/verify_study.hpp"
#include "tests/support/scratch.hpp"

namespace perp::report {
namespace {

namespace fs = std::filesystem;

/// One study in one folder, written anew after each change.
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
        finding("O1", "share", {}, {0.5, 0.49, 0.51, 0.99, known_spread(0.01 / 2.5758293035489)},
                {.n = 1, .kind = Kind::sampled, .meaning = "m"}),
        finding("O1", "rank", {}, {109}, {.kind = Kind::count, .meaning = "m"})};
    results.claims = {{"O1",
                       "s",
                       "[a]",
                       "O1",
                       {},
                       "it is",
                       "",
                       {{.finding = "O1.rank", .is = Is::above, .bound = 1.0}},
                       {"O1.share", "O1.rank"}}};
    judge_again();
    Table table{
        "t.csv", {{"d", "1"}, {"value", "1", Kind::rounded, "m"}, {"at", "1", Kind::rounded, "m"}}, {}};
    table.add({std::int64_t{64}, 0.25, std::int64_t{3}});
    table.add({std::int64_t{128}, 0.125, std::int64_t{9}});
    results.tables = {table};
  }
  void judge_again() { results.claims[0].judgement = judge(results.findings, results.claims[0].rule); }
  void write() const {
    const fs::path folder = root / "toy";
    fs::remove_all(folder);
    make_folders(folder);
    write_whole(folder / "results.json", to_json(results));
    for (const Table& table : results.tables) write_whole(folder / table.file, to_csv(table));
    write_whole(folder / "run.json",
                "{\"program_sha256\": \"" + program +
                    "\", \"host_cpu\": \"c\", \"cpu_model\": \"m\", \"blas\": {\"name\": "
                    "\"b\", \"version\": \"1\", \"kernel\": \"k\", \"path\": \"p\", "
                    "\"lapack_path\": \"p\"}}");
  }
};

struct Runs {
  test::Scratch scratch;
  Run published{scratch / "published"}, fresh{scratch / "fresh"};

  Verification verified() const {
    published.write();
    fresh.write();
    return verify({published.root, fresh.root, {}, "", false});
  }
  /// How many failed.
  std::size_t failed() const { return verified().counted(Outcome::failed); }
};

BOOST_FIXTURE_TEST_SUITE(verify_runs, Runs)

BOOST_AUTO_TEST_CASE(the_same_run_passes_byte_for_byte) {
  const Verification outcome = verified();
  BOOST_TEST(outcome.passed());
  BOOST_TEST(outcome.headings.front().find("byte for byte") != std::string::npos);
  BOOST_TEST(outcome.tallies.at("files")[0] == 2U);  // results.json and t.csv: run.json names the machine
  BOOST_TEST(outcome.tallies.at("findings")[0] == 2U);
  BOOST_TEST(outcome.tallies.at("table values")[0] == 6U);
}

BOOST_AUTO_TEST_CASE(a_table_or_a_column_that_came_or_went_fails) {
  const Table whole = fresh.results.tables.front();
  const auto failed_values = [&] {
    return verified().tallies.at("table values")[static_cast<std::size_t>(Outcome::failed)];
  };
  fresh.results.tables.clear();
  BOOST_TEST(failed_values() == 1U);
  fresh.results.tables = {whole};
  published.results.tables.clear();
  BOOST_TEST(failed_values() == 1U);
  Table narrower = whole;
  narrower.columns.pop_back();
  for (auto& row : narrower.rows) row.pop_back();
  published.results.tables = {narrower};
  BOOST_TEST(failed_values() >= 1U);
  BOOST_TEST(verification_text(verified()).find("other columns") != std::string::npos);
  published.results.tables = {whole};
  BOOST_TEST(verified().passed());
}

BOOST_AUTO_TEST_CASE(a_last_bit_fails_in_the_same_configuration_and_passes_in_another) {
  fresh.results.findings[0].value = 0.5 + 1e-16 + 0x1p-53;
  BOOST_TEST(!verified().passed());
  fresh.program = "bb";
  BOOST_TEST(verified().passed());
  BOOST_TEST(verified().headings.front().find("program") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(where_rounding_grows_another_program_is_as_another_seed) {
  fresh.results.findings[0].value = 0.505;
  fresh.program = "bb";
  BOOST_TEST(!verified().passed());
  for (Run* run : {&published, &fresh})
    run->results.parameters = {{rounding_parameter, std::string(rounding_grows)}};
  BOOST_TEST(verified().passed());
  BOOST_TEST(verified().headings.front().find("rounding grows") != std::string::npos);
  fresh.program = "aa";  // the same program still gives the same bytes
  BOOST_TEST(!verified().passed());
}

BOOST_AUTO_TEST_CASE(a_run_that_records_nothing_is_another_configuration) {
  published.program = fresh.program = "";
  fresh.results.findings[1].value = 110;
  BOOST_TEST(verified().passed());
}

BOOST_AUTO_TEST_CASE(findings_that_disappear_or_appear_fail) {
  fresh.program = "bb";
  fresh.results.findings.pop_back();
  fresh.results.claims[0].findings.pop_back();
  BOOST_TEST(failed() == 1U);
  std::swap(published.results, fresh.results);
  BOOST_TEST(failed() == 1U);
}

BOOST_AUTO_TEST_CASE(what_an_absent_input_takes_away_is_skipped) {
  fresh.results.findings.pop_back();
  fresh.results.claims[0].findings.pop_back();
  fresh.results.inputs.clear();
  fresh.results.tables[0].rows.pop_back();
  const Verification outcome = verified();
  BOOST_TEST(outcome.passed());
  BOOST_TEST(outcome.counted(Outcome::skipped) == 2U);
  // What is still there is judged as ever.
  fresh.results.findings[0].value = 0.6;
  BOOST_TEST(failed() == 1U);
}

BOOST_AUTO_TEST_CASE(another_input_excuses_what_was_sampled_only) {
  fresh.results.inputs[0].sha256 = std::string(64, 'b');
  fresh.results.findings[0].value = 0.6;
  BOOST_TEST(failed() == 0U);
  fresh.results.findings[1].value = 190;
  BOOST_TEST(failed() == 1U);
}

BOOST_AUTO_TEST_CASE(tables_are_compared_column_by_column) {
  fresh.program = "bb";
  fresh.results.tables[0].rows[1][1] = 0.126;
  const Verification outcome = verified();
  BOOST_TEST(outcome.counted(Outcome::failed) == 1U);
  BOOST_TEST(outcome.moved.front().where == "toy/t.csv value row 2");
  fresh.results.tables[0].rows[1] = published.results.tables[0].rows[1];
  fresh.results.tables[0].rows[1][2] = std::int64_t{1};  // where an extreme lies
  BOOST_TEST(verified().counted(Outcome::listed) == 1U);
  fresh.results.tables[0].rows.pop_back();
  BOOST_TEST(failed() == 1U);
  fresh.results.tables = published.results.tables;
  fresh.results.tables[0].add({std::int64_t{256}, 0.0625, std::int64_t{9}});
  BOOST_TEST(failed() == 1U);
}

BOOST_AUTO_TEST_CASE(the_opposite_outcome_fails_under_any_seed) {
  const auto with_rank = [&](double rank) {
    fresh.results.findings[1].value = rank;
    fresh.results.findings[1].kind = published.results.findings[1].kind = Kind::sampled;
    fresh.results.findings[1].spread = published.results.findings[1].spread = known_spread(10);
    published.judge_again(), fresh.judge_again();
  };
  fresh.results.seed = 2;
  with_rank(109);
  BOOST_TEST(failed() == 0U);
  with_rank(20);  // 20 ± 33: open
  BOOST_TEST((fresh.results.claims[0].verdict() == Verdict::open));
  const Verification open = verified();
  const auto about_claims = [](const Verification& outcome) {
    std::vector<Outcome> outcomes;
    for (const Moved& moved : outcome.moved)
      if (moved.where.starts_with("O1 ")) outcomes.push_back(moved.outcome);
    return outcomes;
  };
  BOOST_TEST((about_claims(open) == std::vector{Outcome::listed}));
  with_rank(-50);
  BOOST_TEST((fresh.results.claims[0].verdict() == Verdict::is_false));
  BOOST_TEST((about_claims(verified()) == std::vector{Outcome::failed}));
}

BOOST_AUTO_TEST_CASE(another_rule_fails_where_the_verdict_stays) {
  fresh.program = "bb";
  Condition& condition = fresh.results.claims[0].rule[0];
  const auto fails_with = [&](const Condition& other) {
    const Condition kept = condition;
    condition = other;
    const Verification outcome = verified();
    condition = kept;
    return outcome.counted(Outcome::failed) == 1U && outcome.moved.front().where == "O1 rule";
  };
  BOOST_TEST(failed() == 0U);
  BOOST_TEST(fails_with({.finding = "O1.rank", .is = Is::above, .bound = 2.0}));
  BOOST_TEST(fails_with({.finding = "O1.rank", .is = Is::below, .bound = 1.0}));
  BOOST_TEST(fails_with({.finding = "O1.share", .is = Is::above, .bound = 1.0}));
  BOOST_TEST(fails_with({.finding = "O1.rank", .is = Is::above, .bound = "theory"}));
  BOOST_TEST(fails_with({.finding = "O1.rank", .is = Is::above, .bound = 1.0, .role = Role::limit}));
  BOOST_TEST(
      fails_with({.finding = "O1.rank", .is = Is::above, .bound = 1.0, .evidence = Evidence::trained}));
  BOOST_TEST(fails_with({.finding = "O1.rank", .is = Is::above, .bound = 1.0, .levels = {{"a", "b"}}}));
  BOOST_TEST(fails_with({.finding = "O1.rank", .is = Is::above, .bound = 1.0, .says = "rank"}));
  fresh.results.claims[0].rule.push_back({.finding = "O1.share", .is = Is::above, .bound = 0.1});
  fresh.judge_again();
  BOOST_TEST(failed() == 1U);
}

BOOST_AUTO_TEST_CASE(a_condition_that_opens_is_listed_and_one_that_turns_fails) {
  for (Run* run : {&published, &fresh})
    run->results.claims[0].rule.push_back({.finding = "O1.share", .is = Is::above, .bound = 0.45});
  published.judge_again(), fresh.judge_again();
  fresh.program = "bb";
  BOOST_TEST(failed() == 0U);
  const auto comes_out = [&](Answer answer) {
    fresh.results.claims[0].judgement.readings[1].answer = answer;
    return verified();
  };
  BOOST_TEST(comes_out(Answer::open).counted(Outcome::failed) == 0U);
  BOOST_TEST(comes_out(Answer::open).counted(Outcome::listed) == 1U);
  BOOST_TEST(comes_out(Answer::fails).counted(Outcome::failed) == 1U);
  BOOST_TEST(comes_out(Answer::fails).moved.front().where == "O1 rule O1.share above 0.45");
  fresh.results.seed = 2;
  BOOST_TEST(comes_out(Answer::open).counted(Outcome::failed) == 0U);
  BOOST_TEST(comes_out(Answer::fails).counted(Outcome::failed) == 1U);
}

BOOST_AUTO_TEST_CASE(other_words_fail_and_other_digits_do_not) {
  fresh.program = "bb";
  published.results.claims[0].condition = "from d = 662 on, 12.3 % of the pairs";
  fresh.results.claims[0].condition = "from d = 662 on, 12.4 % of the pairs";
  BOOST_TEST(failed() == 0U);
  fresh.results.claims[0].condition = "from d = 662 on, 12.3 % of the words";
  BOOST_TEST(failed() == 1U);
  BOOST_TEST(verified().moved.front().where == "O1 condition");
  fresh.results.seed = 2;  // what was drawn may choose other words
  BOOST_TEST(failed() == 0U);
  fresh.results.seed = 1;
  fresh.results.claims[0].condition = published.results.claims[0].condition;
  fresh.results.claims[0].matters = "only on Sundays";
  BOOST_TEST(failed() == 1U);
  BOOST_TEST(verified().moved.front().where == "O1 matters");
  fresh.results.claims[0].matters = published.results.claims[0].matters;
  fresh.results.claims[0].statement = "t";
  BOOST_TEST(failed() == 1U);
}

BOOST_AUTO_TEST_CASE(what_a_finding_is_about_does_not_move) {
  fresh.program = "bb";
  const Finding kept = fresh.results.findings[0];
  Finding& finding = fresh.results.findings[0];
  const auto fails = [&](const char* part) {
    const Verification outcome = verified();
    finding = kept;
    return outcome.counted(Outcome::failed) == 1U &&
           outcome.moved.front().where == std::string("O1.share.") + part;
  };
  finding.level = 0.999;
  BOOST_TEST(fails("level"));
  finding.unit = "bits";
  BOOST_TEST(fails("unit"));
  finding.n = 2;
  BOOST_TEST(fails("n"));
  finding.kind = Kind::rounded;
  BOOST_TEST(fails("kind"));
  finding.meaning = "another";
  BOOST_TEST(fails("meaning"));
}

BOOST_AUTO_TEST_CASE(the_line_beside_a_number_is_compared) {
  for (Run* run : {&published, &fresh}) run->results.findings[0].theory = 0.5;
  fresh.program = "bb";
  BOOST_TEST(failed() == 0U);
  fresh.results.findings[0].theory = 0.5001;
  BOOST_TEST(failed() == 1U);
  BOOST_TEST(verified().moved.front().where == "O1.share.theory");
  fresh.results.findings[0].theory = std::nullopt;
  BOOST_TEST(failed() == 1U);
}

BOOST_AUTO_TEST_CASE(ends_of_an_interval_are_compared) {
  fresh.program = "bb";
  fresh.results.findings[0].low = 0.48;
  BOOST_TEST(failed() == 1U);
  BOOST_TEST(verified().moved.front().where == "O1.share.low");
}

BOOST_AUTO_TEST_CASE(a_column_that_is_about_something_else_fails) {
  fresh.program = "bb";
  fresh.results.tables[0].columns[1].unit = "bits";
  BOOST_TEST(failed() == 1U);
  BOOST_TEST(verified().moved.front().where == "toy/t.csv value");
  fresh.results.tables[0].columns[1].unit = "1";
  fresh.results.tables[0].columns[1].meaning = "n";
  BOOST_TEST(failed() == 1U);
  fresh.results.tables[0].columns[1].meaning = "m";
  fresh.results.tables[0].columns[1].high = "at";  // another column ends its interval
  BOOST_TEST(failed() == 1U);
}

BOOST_AUTO_TEST_CASE(a_file_that_only_one_run_has_fails_where_bytes_must_agree) {
  published.write();
  fresh.write();
  const VerifyOptions options{published.root, fresh.root, {}, "", false};
  for (const Run* run : {&published, &fresh}) {
    write_whole(run->root / "toy" / "extra.csv", "a\n1\n");
    const Verification outcome = verify(options);
    BOOST_TEST(outcome.counted(Outcome::failed) == 1U);
    BOOST_TEST(outcome.moved.front().where == "toy/extra.csv");
    fs::remove(run->root / "toy" / "extra.csv");
  }
  BOOST_TEST(verify(options).passed());
}

/// Position found in 24 of 400, eight groups of 50: and one group finds one more.
BOOST_AUTO_TEST_CASE(one_decision_moves_a_share_and_its_interval_in_findings_and_tables) {
  const auto set = [](Run& run, std::vector<double> counts) {
    MomentSums sums;
    for (double& count : counts) count /= 50;
    sums.add(std::span<const double>(counts));
    const Interval interval = mean_interval(sums.moments(), 0.99);
    run.results.findings[0] =
        finding("O1", "share", {}, {sums.moments().mean, interval.low, interval.high, 0.99},
                {.unit = "share", .n = 400, .kind = Kind::sampled, .meaning = "m"});
    Table table{"t.csv",
                {{"share", "1", Kind::sampled, "m", "low", "high"},
                 {"low", "1", Kind::sampled, "m"},
                 {"high", "1", Kind::sampled, "m"},
                 {"trials", "1", Kind::exact, "m"}},
                {}};
    table.add({sums.moments().mean, interval.low, interval.high, std::int64_t{400}});
    run.results.tables = {table};
  };
  fresh.program = "bb";
  set(published, {0, 1, 2, 9, 3, 2, 4, 3});
  set(fresh, {0, 1, 2, 10, 3, 2, 4, 3});
  BOOST_TEST(*fresh.results.findings[0].high - *published.results.findings[0].high > 0.004);
  BOOST_TEST(failed() == 0U);
  set(fresh, {0, 1, 2, 12, 3, 2, 4, 3});  // three are not one
  BOOST_TEST(failed() == 4U);             // the finding, and share, low and high of the table
}

BOOST_AUTO_TEST_CASE(what_a_bin_loses_at_its_edge_its_neighbour_has) {
  const auto set = [](Run& run, double before, double after) {
    Table table{"t.csv", {{"cosine", "1"}, {"density", "1", Kind::sampled, "m"}}, {}};
    table.add({-0.5, 1.0});
    table.add({0.0, before});
    table.add({0.5, after});
    run.results.tables = {table};
  };
  fresh.program = "bb";
  set(published, 7.9, 15.4);
  set(fresh, 8.0, 15.3);
  BOOST_TEST(failed() == 0U);
  set(fresh, 8.0, 15.4);
  BOOST_TEST(failed() == 1U);
}

BOOST_AUTO_TEST_CASE(a_row_says_its_unit_where_its_column_has_several) {
  const auto set = [](Run& run, const char* label, double value) {
    Table table{"t.csv", {{"label", "1", Kind::exact, "m"}, {"before", "1", Kind::rounded, "m"}}, {}};
    table.add({label, value});
    run.results.tables = {table};
  };
  const auto failed_of = [&](const char* label, double by) {
    set(published, label, 0.24);
    set(fresh, label, 0.24 + by);
    return failed();
  };
  fresh.program = "bb";
  BOOST_TEST(failed_of("its departure, standard deviations", 9e-6) == 0U);
  BOOST_TEST(failed_of("its departure, standard deviations", 2e-5) == 1U);
  BOOST_TEST(failed_of("its mean", 9e-6) == 1U);
  BOOST_TEST(failed_of("standard deviations of it", 9e-6) == 1U);
}

BOOST_AUTO_TEST_CASE(an_interval_over_few_draws_moves_by_more_than_its_mean) {
  for (Run* run : {&published, &fresh})
    run->results.findings[0] = finding("O1", "share", {}, {0.0028, 0.00279, 0.00281, 0.999},
                                       {.n = 2, .kind = Kind::sampled, .meaning = "m"});
  fresh.program = "bb";
  fresh.results.findings[0].low = 0.0028 - 0.003;
  BOOST_TEST(failed() == 0U);
  fresh.results.findings[0].low = 0.0028 - 0.004;
  BOOST_TEST(failed() == 1U);
  for (Run* run : {&published, &fresh}) run->results.findings[0].n = 200;
  fresh.results.findings[0].low = 0.0028 - 0.003;
  BOOST_TEST(failed() == 1U);
}

BOOST_AUTO_TEST_CASE(another_seed_is_judged_by_the_intervals) {
  fresh.results.seed = 2;
  for (auto* end : {&fresh.results.findings[0].value}) *end += 0.03;
  BOOST_TEST(verified().passed());
  fresh.results.findings[0].value += 0.01;
  BOOST_TEST(failed() == 1U);
}

BOOST_AUTO_TEST_CASE(a_study_in_one_of_the_folders_fails_unless_it_was_not_asked_for) {
  published.results.study = "toy";
  published.write();
  fresh.write();
  fs::rename(fresh.root / "toy", fresh.root / "other");
  const Verification outcome = verify({published.root, fresh.root, {}, "", false});
  BOOST_TEST(outcome.counted(Outcome::failed) == 2U);
  BOOST_CHECK_EXCEPTION(
      verify({published.root, fresh.root, {"none"}, "", false}), Error, [](const Error& error) {
        return error.exit() == Exit::unusable && std::string(error.what()).find("no study 'none'") == 0;
      });
}

BOOST_AUTO_TEST_CASE(another_preset_is_refused) {
  fresh.results.preset = "full";
  BOOST_CHECK_EXCEPTION(verified(), Error, [](const Error& error) {
    return error.exit() == Exit::unusable && std::string(error.what()).find("preset") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(pages_are_compared_where_bytes_must_agree) {
  published.write();
  fresh.write();
  write_whole(published.root / "REPORT.md", "a\n");
  write_whole(published.root / "MACHINE.md", "here\n");
  write_whole(published.root / "ARTIFACT.md", "minutes\n");
  write_whole(published.root / "SCALING.md", "of another command\n");
  fs::create_directories(published.root / "figures");
  write_whole(published.root / "figures/scaling-a.svg", "its figure\n");
  write_whole(fresh.root / "REPORT.md", "b\n");
  const VerifyOptions with_pages{published.root, fresh.root, {}, "", true};
  BOOST_TEST(verify(with_pages).counted(Outcome::failed) == 1U);
  write_whole(fresh.root / "REPORT.md", "a\n");
  BOOST_TEST(verify(with_pages).passed());
  for (const Run* run : {&published, &fresh}) {
    fs::create_directories(run->root / "chapters");
    write_whole(run->root / "chapters/order.md", run == &fresh ? "now\n" : "then\n");
  }
  const Verification chapters = verify(with_pages);
  BOOST_TEST(chapters.counted(Outcome::failed) == 1U);
  BOOST_TEST(chapters.moved.front().where == "chapters/order.md");
}

BOOST_AUTO_TEST_CASE(the_text_says_what_moved_and_how_many) {
  fresh.program = "bb";
  fresh.results.findings[1].value = 190;
  const std::string text = verification_text(verified());
  for (const char* part :
       {"Moved beyond tolerance", "O1.rank", "109", "190", "1 allowed", "compared", "not verified"})
    BOOST_TEST(text.find(part) != std::string::npos, "no '" << part << "' in " << text);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp::report
