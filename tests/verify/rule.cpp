// How far a number may move: each kind at, and just beyond, its bound.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "perp/statistics/interval.hpp"
#include "reports/verify_rule.hpp"

namespace perp::report {

inline std::ostream& operator<<(std::ostream& out, Outcome outcome) {
  return out << static_cast<int>(outcome);
}

namespace {

constexpr double absent = std::numeric_limits<double>::quiet_NaN();

Outcome outcome(Kind kind, double before, double now, Common common, const std::string& unit = "1") {
  return compare(Pair{kind, {before}, {now}, unit}, common).outcome;
}

BOOST_AUTO_TEST_SUITE(verify_rule)

BOOST_AUTO_TEST_CASE(equal_numbers_are_equal_and_the_same_configuration_allows_nothing_else) {
  for (const Kind kind : {Kind::exact, Kind::count, Kind::rounded, Kind::sampled}) {
    for (const Common common : {Common::bytes, Common::draws, Common::definitions})
      for (const double same : {0.3, absent}) BOOST_TEST(outcome(kind, same, same, common) == Outcome::equal);
    BOOST_TEST(outcome(kind, 0.3, std::nextafter(0.3, 1.0), Common::bytes) == Outcome::failed);
  }
}

/// A number that may be as far as `within` from `before`, and not as far as `beyond`.
struct Bounds {
  Kind kind;
  double before, within, beyond;
  const char* unit = "1";
};

BOOST_AUTO_TEST_CASE(each_kind_has_its_bound) {
  for (const auto& [kind, before, within, beyond, unit] : std::initializer_list<Bounds>{
           {Kind::exact, 0.3, 0.3 * (1 + 5e-13), 0.3 * (1 + 5e-12)},  // closed forms: their last bits
           {Kind::exact, 662, 662, 663},
           {Kind::count, 109, 110, 111},  // one, or a thousandth
           {Kind::count, 20000, 19981, 19979},
           {Kind::rounded, 7.5, 7.5 + 7e-5, 7.5 + 8e-5},
           {Kind::rounded, 3e-15, 9e-9, 2e-8},  // rounding itself has no digit in common
           {Kind::rounded, 0.2, 0.9, 1.3, rounding_bounds},
           {Kind::rounded, 0.2, 0.9, 1.3, rounding_itself},
           {Kind::rounded, 0.04, 0.04 + 9e-6, 0.04 + 2e-5, cosine},
           {Kind::rounded, 0.04, 0.04 + 9e-6, 0.04 + 2e-5, standard_deviations}})
    for (const Common common : {Common::draws, Common::definitions}) {
      BOOST_TEST(outcome(kind, before, within, common, unit) <= Outcome::within, within);
      BOOST_TEST(outcome(kind, before, beyond, common, unit) == Outcome::failed, beyond);
    }
  for (const auto& [kind, before, within, beyond, unit] :
       std::initializer_list<Bounds>{{Kind::sampled, 0.5, 0.5009, 0.5011},
                                     {Kind::sampled, 0.004, 0.0055, 0.0065, standard_deviations},
                                     {Kind::sampled, 0.004, 0.0055, 0.0065, share}}) {
    BOOST_TEST(outcome(kind, before, within, Common::draws, unit) == Outcome::within, unit);
    BOOST_TEST(outcome(kind, before, beyond, Common::draws, unit) == Outcome::failed, unit);
  }
}

BOOST_AUTO_TEST_CASE(cutoffs_extremes_and_intervals_have_bounds_of_their_own) {
  Pair magnified{Kind::rounded, {4.2e-6}, {1.2e-5}};
  BOOST_TEST(compare(magnified, Common::draws).outcome == Outcome::failed);
  magnified.cutoff = 1e-12;
  BOOST_TEST(compare(magnified, Common::draws).outcome == Outcome::within);
  Pair extreme{Kind::rounded, {51}, {5}};
  extreme.place = true;
  BOOST_TEST(compare(extreme, Common::draws).outcome == Outcome::listed);
  BOOST_TEST(compare(extreme, Common::bytes).outcome == Outcome::failed);
  const Pair wide{Kind::sampled, {0.5, 0.4, 0.6, 0.99}, {0.503, 0.4, 0.6, 0.99}};
  BOOST_TEST(compare(wide, Common::draws).outcome == Outcome::within);
  // Student's t with seven degrees of freedom, and the normal one.
  const double infinite = std::numeric_limits<double>::infinity();
  BOOST_TEST(tolerance::end_of_share(7, 0.99) == 4.4994833, boost::test_tools::tolerance(1e-7));
  BOOST_TEST(tolerance::end_of_share(infinite, 0.99) == 3.5758293, boost::test_tools::tolerance(1e-7));
}

BOOST_AUTO_TEST_CASE(another_seed_moves_by_six_standard_errors_and_is_listed_without_an_interval) {
  const double se = 0.01, z = normal_quantile(0.995), allowed = 6 * std::sqrt(2.0) * se;
  const auto estimate = [&](double value) { return Estimate{value, value - z * se, value + z * se, 0.99}; };
  BOOST_TEST(*standard_error(estimate(0.5)) == se, boost::test_tools::tolerance(1e-12));
  const auto moved = [&](double by) {
    return compare(Pair{Kind::sampled, estimate(0.5), estimate(0.5 + by)}, Common::definitions).outcome;
  };
  BOOST_TEST(moved(0.99 * allowed) == Outcome::within);
  BOOST_TEST(moved(1.01 * allowed) == Outcome::failed);
  BOOST_TEST(outcome(Kind::sampled, 0.98, 0.02, Common::definitions) == Outcome::listed);
  const Pair single_draw{Kind::sampled, {0.64, 0.64, 0.64, 0.99}, {0.66, 0.66, 0.66, 0.99}};
  BOOST_TEST(compare(single_draw, Common::definitions).outcome == Outcome::listed);
}

BOOST_AUTO_TEST_CASE(what_is_no_number_in_one_run) {
  BOOST_TEST(outcome(Kind::rounded, 0.5, absent, Common::definitions) == Outcome::failed);
  BOOST_TEST(compare(Pair{Kind::rounded, {absent}, {0.5}}, Common::draws).why ==
             "measured in one of them only");
  for (const auto& [kind, common, expected] :
       {std::tuple{Kind::exact, Common::draws, Outcome::failed},
        {Kind::rounded, Common::draws, Outcome::listed},  // a text that numbers chose
        {Kind::sampled, Common::definitions, Outcome::listed},
        {Kind::sampled, Common::bytes, Outcome::failed}})
    BOOST_TEST(compare(kind, "king", "queen", common).outcome == expected);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp::report
