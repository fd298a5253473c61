#include "perp/study/judge.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "perp/base/error.hpp"

namespace perp {
namespace {

Finding made(std::string id, double value, std::optional<double> low = {}, std::optional<double> high = {},
             std::optional<double> theory = {}) {
  Finding finding;
  finding.id = std::move(id);
  finding.value = value;
  finding.low = low;
  finding.high = high;
  finding.theory = theory;
  return finding;
}

const double nan = std::nan("");
const std::vector<Finding> findings{made("O1.a", 0.5, 0.4, 0.6, 0.55),   made("O1.bare", 0.5),
                                    made("O1.far", 0.9, 0.8, 1.0, 0.55), made("O1.lost", nan),
                                    made("O1.half", 0.5, nan, nan, nan), made("O1.infinite", INFINITY)};

bool holds_for(const char* id, Is is, Bound bound) { return holds(findings, {id, is, std::move(bound)}); }

BOOST_AUTO_TEST_SUITE(judging)

BOOST_AUTO_TEST_CASE(below_and_above_mean_the_whole_interval) {
  BOOST_TEST(holds_for("O1.a", Is::below, 0.7));
  BOOST_TEST(!holds_for("O1.a", Is::below, 0.55));  // the value is below, its interval is not
  BOOST_TEST(!holds_for("O1.a", Is::below, 0.6));   // touching is not below
  BOOST_TEST(holds_for("O1.a", Is::above, 0.3));
  BOOST_TEST(!holds_for("O1.a", Is::above, 0.45));
  BOOST_TEST(!holds_for("O1.a", Is::above, 0.4));
}

BOOST_AUTO_TEST_CASE(within_and_outside_are_opposites_and_the_interval_is_closed) {
  for (const double bound : {0.3, 0.4, 0.5, 0.6, 0.7}) {
    const bool inside = bound >= 0.4 && bound <= 0.6;
    BOOST_TEST(holds_for("O1.a", Is::within, bound) == inside);
    BOOST_TEST(holds_for("O1.a", Is::outside, bound) == !inside);
  }
}

BOOST_AUTO_TEST_CASE(without_interval_the_value_is_the_interval) {
  for (const char* id : {"O1.bare", "O1.half"}) {
    BOOST_TEST(holds_for(id, Is::below, 0.51));
    BOOST_TEST(!holds_for(id, Is::below, 0.5));
    BOOST_TEST(holds_for(id, Is::above, 0.49));
    BOOST_TEST(holds_for(id, Is::within, 0.5));
    BOOST_TEST(!holds_for(id, Is::within, std::nextafter(0.5, 1.0)));
    BOOST_TEST(holds_for(id, Is::outside, 0.51));
  }
}

BOOST_AUTO_TEST_CASE(a_bound_may_be_the_theory_or_another_finding) {
  BOOST_TEST(holds_for("O1.a", Is::within, "theory"));
  BOOST_TEST(!holds_for("O1.far", Is::within, "theory"));
  BOOST_TEST(
      holds_for("O1.a", Is::below, "O1.far"));  // below its value, .9, though its interval begins at .8
  BOOST_TEST(!holds_for("O1.far", Is::above, "O1.far"));
}

BOOST_AUTO_TEST_CASE(verdicts_count_the_conditions) {
  const Condition good{"O1.a", Is::below, 0.7}, bad{"O1.a", Is::above, 0.7};
  BOOST_TEST((judge(findings, {good}) == Verdict::supported));
  BOOST_TEST((judge(findings, {good, good}) == Verdict::supported));
  BOOST_TEST((judge(findings, {bad}) == Verdict::refuted));
  BOOST_TEST((judge(findings, {bad, bad}) == Verdict::refuted));
  BOOST_TEST((judge(findings, {good, bad}) == Verdict::conditional));
  BOOST_TEST((judge(findings, {bad, good}) == Verdict::conditional));
}

BOOST_AUTO_TEST_CASE(whatever_is_missing_makes_it_unmeasured) {
  const Condition good{"O1.a", Is::below, 0.7};
  const std::vector<Condition> unmeasurable{
      {"O1.absent", Is::below, 0.7},     {"O1.lost", Is::below, 0.7},       {"O1.a", Is::below, nan},
      {"O1.bare", Is::within, "theory"}, {"O1.half", Is::within, "theory"}, {"O1.a", Is::below, "O1.absent"},
      {"O1.a", Is::below, "O1.lost"}};
  for (const Condition& condition : unmeasurable) {
    BOOST_TEST((judge(findings, {condition}) == Verdict::unmeasured));
    BOOST_TEST((judge(findings, {good, condition}) == Verdict::unmeasured));
    BOOST_CHECK_EXCEPTION(holds(findings, condition), Error, [&](const Error& error) {
      return std::string(error.what()) == "rule: '" + condition.finding + "' or its bound was not measured";
    });
  }
}

BOOST_AUTO_TEST_CASE(an_empty_rule_is_refused) {
  BOOST_CHECK_EXCEPTION(judge(findings, {}), Error, [](const Error& error) {
    return std::string(error.what()) == "a claim needs at least one condition to be judged by" &&
           error.exit() == Exit::unusable;
  });
}

BOOST_AUTO_TEST_CASE(infinity_is_above_everything) {
  BOOST_TEST(holds_for("O1.infinite", Is::above, std::numeric_limits<double>::max()));
}

BOOST_AUTO_TEST_CASE(names_there_and_back) {
  for (const Verdict v : {Verdict::supported, Verdict::refuted, Verdict::conditional, Verdict::unmeasured})
    BOOST_TEST((verdict_from(to_text(v)) == v));
  for (const Is is : {Is::below, Is::above, Is::within, Is::outside})
    BOOST_TEST((is_from(to_text(is)) == is));
  BOOST_CHECK_EXCEPTION(verdict_from("true"), Error, [](const Error& e) {
    return std::string(e.what()) == "verdict 'true' is not known";
  });
  BOOST_CHECK_EXCEPTION(is_from("near"), Error, [](const Error& e) {
    return std::string(e.what()) == "relation 'near' is not known";
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp
