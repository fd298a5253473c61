// What follows from all cells: ids and words of a rule's conditions.

#include <boost/test/unit_test.hpp>

#include "perp/study/experiment.hpp"
#include "tests/support/refusal.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(study_outcome)

BOOST_AUTO_TEST_CASE(rules_name_findings_without_the_claim_and_take_their_words) {
  Experiment claim{"O9", "A statement.", "[d]"};
  const Cell cell(Coordinates{{"table", "words"}});
  claim.add_cells({cell}, [](const Cell&, const Streams&) { return Records{}; });
  check_refusal([&] { claim.add_cells({cell}, {}); }, "O9: the cell table=words is listed twice");
  Outcome outcome;
  outcome.findings = {finding("O9", "share", {{"table", "words"}}, {0.5}, {.n = 8, .meaning = "A share."}),
                      finding("O9", "bound", {}, {0.25}, {.meaning = "A bound."})};
  outcome.rule = {condition(Role::core, "share.words", Is::above, "bound", Evidence::simulation, {}),
                  condition(Role::limit, "bound", Is::above, 0.0, Evidence::theorem, {}, "its own words"),
                  condition(Role::limit, "D9.theirs", Is::above, 0.0, Evidence::theorem, {},
                            "another claim's", "study distance")};
  complete(outcome, "O9");
  BOOST_TEST(outcome.rule.front().says == "a share, words");
  BOOST_TEST(outcome.rule[1].says == "its own words");
  BOOST_TEST(outcome.rule.back().finding == "D9.theirs");
  BOOST_TEST(outcome.rule.front().finding == "O9.share.words");
  BOOST_TEST(std::get<std::string>(outcome.rule.front().bound) == "O9.bound");
  BOOST_TEST((judge(outcome.findings, outcome.rule).verdict == Verdict::is_true));
}

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
