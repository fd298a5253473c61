// What follows from all cells; results, tables and what a run says of itself.

#include "perp/study/results.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/io/file.hpp"
#include "perp/io/sha256.hpp"
#include "perp/study/experiment.hpp"
#include "perp/study/provenance.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch.hpp"

using namespace perp;
using namespace perp::test;
using test::contains;

BOOST_AUTO_TEST_SUITE(study_outcome)

BOOST_AUTO_TEST_CASE(a_condition_says_the_first_part_of_a_meaning_points_of_numbers_and_all) {
  const std::pair<const char*, const char*> meanings[] = {
      {"Share of the pairs in order; theory: all.", "share of the pairs in order"},
      {"Share of the pairs. Both are uniform.", "share of the pairs"},
      {"Share of |cosine| below .1 at the 99.9% level.", "share of |cosine| below .1 at the 99.9% level"},
      {"L/.6165 over the base; noise 1.5.", "L/.6165 over the base"},
      {"As in Yan et al. 2019; more", "as in Yan et al. 2019"},
      {"Largest r₉₉.₉ of all", "largest r₉₉.₉ of all"},
      {"", ""}};
  for (const auto& [meaning, says] : meanings) {
    Outcome outcome;
    outcome.findings = {finding("O9", "share", {}, {0.5}, {.meaning = meaning})};
    outcome.rule = {condition(Role::core, "share", Is::above, 0.0, Evidence::simulation, {})};
    complete(outcome, "O9");
    BOOST_TEST(outcome.rule.front().says == says);
  }
}

BOOST_AUTO_TEST_SUITE_END()

namespace perp {
namespace {

Results made() {
  Results results;
  results.study = "orthogonality";
  results.preset = "quick";
  results.seed = 18446744073709551615u;
  results.parameters = {
      {"pairs", std::int64_t{20000}}, {"near", 0.1}, {"whole", 512.0}, {"dim", std::string("8..64*2")}};
  results.inputs = {{"words.npy", std::string(64, 'a')}};
  Finding spread{"O1.spread.d512",
                 {{"d", std::int64_t{512}}},
                 1.0 / 3,
                 0.25,
                 0.5,
                 0.99,
                 1e-300,
                 "1",
                 20000,
                 Kind::sampled,
                 "Spread, \"quoted\" — and a line\nbreak"};
  spread.spread = Spread{MeanSpread{0.125, 7}, {}, 8};
  Finding bare{"O1.bare", {}, std::nan(""), {}, std::nan(""), {}, {}, "bit", 1, Kind::exact, "Nothing"};
  results.findings = {spread, bare};
  Claim claim{"O1", "nearly orthogonal", "[d]", "O1", {}, {}, {"O1.spread.d512", "O1.bare"}};
  claim.rule = {
      {.finding = "O1.spread.d512",
       .is = Is::equal,
       .bound = "theory",
       .margin = 0.25,
       .evidence = Evidence::simulation,
       .levels = {{"noise", "1"}, {"positions", "learned"}},
       .says = "the spread"},
      {.finding = "O1.spread.d512", .is = Is::above, .bound = 0.125, .evidence = Evidence::closed_form},
      {.finding = "",
       .role = Role::limit,
       .evidence = Evidence::released,
       .levels = {{"evidence", "released"}},
       .needs = "a model"}};
  claim.judgement = judge(results.findings, claim.rule);
  results.claims = {claim};
  results.tables = {
      {"o1.csv", {{"d", "1", Kind::exact, "Dimension"}, {"s", "1", Kind::sampled, "Spread", "a", "b"}}, {}}};
  return results;
}

/// made()'s JSON with one piece of text exchanged.
std::string spoilt(const std::string& from, const std::string& to) {
  std::string text = to_json(made());
  const std::size_t at = text.find(from);
  BOOST_REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

void refuses(const std::string& text, const std::string& message) {
  test::check_refusal([&] { results_from_json(text, "r.json"); }, message);
}

BOOST_AUTO_TEST_SUITE(results)

// Nothing that `made` sets is what a reader would leave alone, so what was not read would be missing.
BOOST_AUTO_TEST_CASE(what_is_written_comes_back) {
  const std::string text = to_json(made());
  const Results back = results_from_json(text, "r.json");
  BOOST_TEST(to_json(back) == text);
  BOOST_TEST((back.parameters == made().parameters));
  BOOST_TEST(std::isnan(back.findings[1].value));
  BOOST_TEST(!back.findings[1].high.has_value());
  BOOST_TEST(!back.findings[1].spread);
  BOOST_TEST(!back.claims[0].judgement.readings[2].interval);
}

// The layout of the contract is that of every committed file: what a golden test writes once is never moved
// by writing it again.
BOOST_AUTO_TEST_CASE(golden_files_come_back_byte_by_byte) {
  for (const char* study :
       {"anatomy", "capacity", "distance", "inspect", "learning", "order", "orthogonality"}) {
    const std::string golden =
        read_file(std::filesystem::path(PERP_SOURCE_DIR) / "tests/golden" / study / "results.json");
    BOOST_TEST((to_json(results_from_json(golden, study)) == golden), study);
  }
}

BOOST_AUTO_TEST_CASE(every_spread_comes_back) {
  Results results = made();
  results.claims.clear();
  const auto back = [&](const Spread& spread) {
    results.findings[0].spread = spread;
    const Results read = results_from_json(to_json(results), "r.json");
    BOOST_TEST(to_json(read) == to_json(results));
    return read.findings[0].spread;
  };
  BOOST_TEST(std::isinf(back(known_spread(0.5))->mean->freedom));
  BOOST_TEST(!back(share_spread(3, 7))->mean);
  const std::optional<Spread> both = back(Spread{MeanSpread{0.25, 9}, ShareSpread{3, 7}, 10});
  BOOST_TEST(both->mean->freedom == 9.0);
  BOOST_TEST(both->share->trials == 7u);
  BOOST_TEST(both->replicates == 10u);
  BOOST_TEST(!back(known_spread(std::nan(""))));  // nothing was measured
}

BOOST_AUTO_TEST_CASE(results_of_another_study_are_not_written_over) {
  const Scratch scratch;
  expect_place_for_results(scratch.path(), "order");
  Results results;
  results.study = "order";
  write_results(scratch.path(), results);
  expect_place_for_results(scratch.path(), "order");
  check_refusal([&] { expect_place_for_results(scratch.path(), "inspect"); },
                "': those of the study 'order' are there; expected a folder of its own");
}

BOOST_AUTO_TEST_CASE(infinities_are_not_written) {
  Results results = made();
  results.findings[0].high = INFINITY;
  test::check_refusal([&] { to_json(results); }, "O1.spread.d512 is infinite", Exit::failed);
  results = made();
  results.claims[0].rule[0].bound = std::nan("");
  BOOST_CHECK_THROW(to_json(results), Error);
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_text_are_replaced) {
  Results results = made();
  results.inputs[0].name = "caf\xe9.npy";
  BOOST_TEST(results_from_json(to_json(results), "r.json").inputs[0].name == "caf\xef\xbf\xbd.npy");
}

BOOST_AUTO_TEST_CASE(every_complaint_names_file_and_field) {
  refuses("{\"schema\": 1}", "r.json: has schema 1; this program reads 2 and 3");
  refuses("[]", "r.json: expected an object");
  refuses("{\"schema\": 3", "r.json: not JSON: parse error at line 1, column 13");
  refuses(spoilt("\"unit\": \"1\"", "\"unit\": 1"), "r.json.findings[0].unit: expected a text");
  refuses(spoilt("\"value\": null", "\"value\": \"x\""), "r.json.findings[1].value: expected a number");
  refuses(spoilt("\"n\": 20000", "\"n\": -1"), "r.json.findings[0].n: expected an integer from 0");
  refuses(spoilt("\"low\": 0.25, ", ""), "r.json.findings[0]: has no \"low\"");
  refuses(spoilt("\"kind\": \"sampled\"", "\"kind\": \"random\""),
          "r.json.findings[0].kind: kind 'random' is none of");
  refuses(spoilt("\"verdict\": \"open\"", "\"verdict\": \"yes\""),
          "r.json.claims[0].verdict: verdict 'yes' is not known");
  refuses(spoilt("\"bound\": \"theory\"", "\"bound\": null"),
          "r.json.claims[0].rule[0].bound: expected a number");
  refuses(spoilt("\"findings\": [\n", "\"findings\": {\n"), "not JSON");
  refuses(spoilt("\"pairs\": 20000", "\"pairs\": 9223372036854775808"),
          "r.json.parameters.pairs: expected an integer of 64 bits");
  refuses(spoilt("\"pairs\": 20000", "\"pairs\": [1]"), "r.json.parameters.pairs: expected");
  refuses(spoilt("\"level\": 0.99", "\"level\": 2"),
          "r.json.findings[0].level: expected a level between 0 and 1");
  refuses(spoilt("\"preset\": \"", "\"preset\": \"$(touch x)"), "expected quick, full or long");
  refuses(spoilt("\"near\": 0.1", "\"pairs\": 0.1"),
          "r.json: the key \"pairs\" is given twice in one object");
}

BOOST_AUTO_TEST_CASE(hostile_nesting_size_and_width_are_refused) {
  refuses(std::string(200000, '['), "r.json: nested deeper than 32 levels");
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  refuses(objects, "nested deeper than 32 levels");
  refuses(std::string((std::size_t{64} << 20) + 1, ' '), "results may have 67108864");
  std::string wide = "{";
  for (int i = 0; i < 2000; ++i) wide += "\"k" + std::to_string(i) + "\":1,";
  refuses(wide + "\"z\":1}", "an object has more than 1000 keys");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(table)

BOOST_AUTO_TEST_CASE(as_csv) {
  Table table{
      "t.csv",
      {{"family", "", Kind::exact, "x"}, {"d", "1", Kind::exact, "x"}, {"s", "1", Kind::rounded, "x"}},
      {}};
  table.add({std::string("a, \"b\""), std::int64_t{512}, 0.1});
  table.add({std::string("=1+1"), std::int64_t{-1}, std::nan("")});
  BOOST_TEST(to_csv(table) == "family,d,s\n\"a, \"\"b\"\"\",512,0.1\n'=1+1,-1,\n");
}

BOOST_AUTO_TEST_CASE(a_row_has_a_value_per_column) {
  Table table{"t.csv", {{"a", "1", Kind::exact, "x"}, {"b", "1", Kind::exact, "x"}}, {}};
  test::check_refusal([&] { table.add({1.0}); }, "table 't.csv': a row has 1 values, the table 2 columns");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp

BOOST_AUTO_TEST_SUITE(study_provenance)

BOOST_AUTO_TEST_CASE(what_was_there_alone_is_named) {
  RunRecord run;
  run.experiments = {{"O1", 3, 0.5}};
  run.command = {"study", "--out", "caf\xe9"};  // what is no UTF-8 does not lose the run
  BOOST_TEST(contains(timings_json(run), "\"claim\": \"O1\""));
  BOOST_TEST(contains(run_json(run), "\"caf\xef\xbf\xbd\""));
}

BOOST_AUTO_TEST_CASE(a_study_has_the_digest_of_its_libraries_or_the_programs_hash) {
  static const LibrariesDigest one("one", "0123"), two("two", "4567");
  BOOST_TEST(program_sha256("one") == "0123");
  BOOST_TEST(program_sha256("two") == "4567");
  BOOST_TEST(program_sha256("three") == sha256_file("/proc/self/exe"));
  RunRecord run;
  run.study = "two";
  BOOST_TEST(contains(run_json(run), "\"program_sha256\": \"4567\""));
}

BOOST_AUTO_TEST_CASE(memory_and_seconds_are_of_the_study) {
  const auto peak = [] {
    const std::string json = run_json({});
    return std::stod(json.substr(json.find("\"peak_memory_mib\": ") + 19));
  };
  {
    std::vector<char> room(std::size_t{256} << 20, 1);
    BOOST_TEST(room.back() == 1);
  }
  const double before = peak();
  BOOST_TEST(before > 256);
  forget_peak_memory();
  BOOST_TEST(peak() < before - 128);
  RunRecord run;
  run.process_cpu_s = 0.75;
  BOOST_TEST(contains(timings_json(run), "\"process_cpu_s\": 0.75"));
}

BOOST_AUTO_TEST_CASE(seconds_of_cells_are_those_of_their_claims) {
  RunRecord run;
  run.experiments = {{"O1", 3, 2.5, 4.25}, {"O2", 1, 1, 0.5}};
  const std::string json = timings_json(run);
  for (const char* part : {"\"cells\": 3", "\"wall_s\": 2.5", "\"cpu_s\": 4.25", "\"cells_cpu_s\": 4.75"})
    BOOST_TEST(contains(json, part), part);
  BOOST_TEST(thread_seconds() > 0.0);
}

BOOST_AUTO_TEST_SUITE_END()
