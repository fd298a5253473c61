// Two folders of results: what they have in common, what disappears and appears, what an absent input
// excuses.

#include <boost/test/unit_test.hpp>

#include "perp/base/error.hpp"
#include "perp/io/file.hpp"
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
        finding("O1", "share", {}, {0.5, 0.49, 0.51, 0.99}, {.kind = Kind::sampled, .meaning = "m"}),
        finding("O1", "rank", {}, {109}, {.kind = Kind::count, .meaning = "m"})};
    results.claims = {
        {"O1", "s", "[a]", Verdict::supported, "", {{"O1.rank", Is::above, 1.0}}, {"O1.share", "O1.rank"}}};
    Table table{
        "t.csv", {{"d", "1"}, {"value", "1", Kind::rounded, "m"}, {"at", "1", Kind::rounded, "m"}}, {}};
    table.add({std::int64_t{64}, 0.25, std::int64_t{3}});
    table.add({std::int64_t{128}, 0.125, std::int64_t{9}});
    results.tables = {table};
  }
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
}

BOOST_AUTO_TEST_CASE(another_verdict_fails_under_any_seed) {
  fresh.results.seed = 2;
  fresh.results.claims[0].verdict = Verdict::refuted;
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
  write_whole(fresh.root / "REPORT.md", "b\n");
  const VerifyOptions with_pages{published.root, fresh.root, {}, "", true};
  BOOST_TEST(verify(with_pages).counted(Outcome::failed) == 1U);
  write_whole(fresh.root / "REPORT.md", "a\n");
  BOOST_TEST(verify(with_pages).passed());
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
