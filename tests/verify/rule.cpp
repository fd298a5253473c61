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

Outcome outcome(Kind kind, double before, double now, Common common, std::string unit = "1") {
  Pair pair{kind, {before}, {now}};
  pair.unit = std::move(unit);
  return compare(pair, common).outcome;
}

BOOST_AUTO_TEST_SUITE(verify_rule)

BOOST_AUTO_TEST_CASE(equal_numbers_are_equal_whatever_the_kind) {
  for (const Kind kind : {Kind::exact, Kind::count, Kind::rounded, Kind::sampled})
    for (const Common common : {Common::bytes, Common::draws, Common::definitions})
      BOOST_TEST(outcome(kind, 0.3, 0.3, common) == Outcome::equal);
}

BOOST_AUTO_TEST_CASE(the_same_configuration_allows_nothing) {
  const double next = std::nextafter(0.3, 1.0);
  for (const Kind kind : {Kind::exact, Kind::count, Kind::rounded, Kind::sampled})
    BOOST_TEST(outcome(kind, 0.3, next, Common::bytes) == Outcome::failed);
}

BOOST_AUTO_TEST_CASE(exact_means_equal_for_whole_numbers_and_last_bits_for_closed_forms) {
  for (const Common common : {Common::draws, Common::definitions}) {
    BOOST_TEST(outcome(Kind::exact, 662, 663, common) == Outcome::failed);
    BOOST_TEST(outcome(Kind::exact, 0.3, 0.3 * (1 + 5e-13), common) == Outcome::within);
    BOOST_TEST(outcome(Kind::exact, 0.3, 0.3 * (1 + 5e-12), common) == Outcome::failed);
  }
}

BOOST_AUTO_TEST_CASE(counts_move_by_one_or_a_thousandth) {
  for (const Common common : {Common::draws, Common::definitions}) {
    BOOST_TEST(outcome(Kind::count, 109, 110, common) == Outcome::within);
    BOOST_TEST(outcome(Kind::count, 109, 111, common) == Outcome::failed);
    BOOST_TEST(outcome(Kind::count, 20000, 19981, common) == Outcome::within);
    BOOST_TEST(outcome(Kind::count, 20000, 19979, common) == Outcome::failed);
  }
}

BOOST_AUTO_TEST_CASE(rounded_numbers_move_by_rounding_whatever_the_seed) {
  for (const Common common : {Common::draws, Common::definitions}) {
    BOOST_TEST(outcome(Kind::rounded, 7.5, 7.5 + 7e-5, common) == Outcome::within);
    BOOST_TEST(outcome(Kind::rounded, 7.5, 7.5 + 8e-5, common) == Outcome::failed);
    // Numbers that are rounding themselves have no digit in common.
    BOOST_TEST(outcome(Kind::rounded, 3e-15, 9e-9, common) == Outcome::within);
    BOOST_TEST(outcome(Kind::rounded, 3e-15, 2e-8, common) == Outcome::failed);
    BOOST_TEST(outcome(Kind::rounded, 0.2, 0.9, common, rounding_bounds) == Outcome::within);
    BOOST_TEST(outcome(Kind::rounded, 0.2, 1.3, common, rounding_bounds) == Outcome::failed);
    for (const char* natural : {cosine, standard_deviations}) {
      BOOST_TEST(outcome(Kind::rounded, 0.04, 0.04 + 9e-6, common, natural) == Outcome::within);
      BOOST_TEST(outcome(Kind::rounded, 0.04, 0.04 + 2e-5, common, natural) == Outcome::failed);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_cutoff_of_singular_values_magnifies_rounding) {
  Pair pair{Kind::rounded, {4.2e-6}, {1.2e-5}};
  BOOST_TEST(compare(pair, Common::draws).outcome == Outcome::failed);
  pair.cutoff = 1e-12;
  BOOST_TEST(compare(pair, Common::draws).outcome == Outcome::within);
}

BOOST_AUTO_TEST_CASE(where_an_extreme_lies_is_listed) {
  Pair pair{Kind::rounded, {51}, {5}};
  pair.place = true;
  BOOST_TEST(compare(pair, Common::draws).outcome == Outcome::listed);
  BOOST_TEST(compare(pair, Common::bytes).outcome == Outcome::failed);
}

BOOST_AUTO_TEST_CASE(the_same_draws_move_by_little) {
  BOOST_TEST(outcome(Kind::sampled, 0.5, 0.5009, Common::draws) == Outcome::within);
  BOOST_TEST(outcome(Kind::sampled, 0.5, 0.5011, Common::draws) == Outcome::failed);
  BOOST_TEST(outcome(Kind::sampled, 0.004, 0.0055, Common::draws, standard_deviations) == Outcome::within);
  BOOST_TEST(outcome(Kind::sampled, 0.004, 0.0065, Common::draws, standard_deviations) == Outcome::failed);
  BOOST_TEST(outcome(Kind::sampled, 0.004, 0.0055, Common::draws, share) == Outcome::within);
  BOOST_TEST(outcome(Kind::sampled, 0.004, 0.0065, Common::draws, share) == Outcome::failed);
  const Pair wide{Kind::sampled, {0.5, 0.4, 0.6, 0.99}, {0.503, 0.4, 0.6, 0.99}};
  BOOST_TEST(compare(wide, Common::draws).outcome == Outcome::within);
}

// Student's t with seven degrees of freedom, and the normal one.
BOOST_AUTO_TEST_CASE(an_end_of_a_share_moves_with_the_mean_and_with_the_spread) {
  const double infinite = std::numeric_limits<double>::infinity();
  BOOST_TEST(tolerance::end_of_share(7, 0.99) == 4.4994833, boost::test_tools::tolerance(1e-7));
  BOOST_TEST(tolerance::end_of_share(infinite, 0.99) == 3.5758293, boost::test_tools::tolerance(1e-7));
}

BOOST_AUTO_TEST_CASE(another_seed_moves_by_six_standard_errors) {
  const double se = 0.01, z = normal_quantile(0.995);
  const auto estimate = [&](double value) { return Estimate{value, value - z * se, value + z * se, 0.99}; };
  BOOST_TEST(*standard_error(estimate(0.5)) == se, boost::test_tools::tolerance(1e-12));
  const double allowed = 6 * std::sqrt(2.0) * se;
  const auto moved = [&](double by) {
    return compare(Pair{Kind::sampled, estimate(0.5), estimate(0.5 + by)}, Common::definitions).outcome;
  };
  BOOST_TEST(moved(0.99 * allowed) == Outcome::within);
  BOOST_TEST(moved(1.01 * allowed) == Outcome::failed);
}

BOOST_AUTO_TEST_CASE(without_an_interval_another_seed_is_listed) {
  BOOST_TEST(outcome(Kind::sampled, 0.98, 0.02, Common::definitions) == Outcome::listed);
  const Pair single_draw{Kind::sampled, {0.64, 0.64, 0.64, 0.99}, {0.66, 0.66, 0.66, 0.99}};
  BOOST_TEST(compare(single_draw, Common::definitions).outcome == Outcome::listed);
}

BOOST_AUTO_TEST_CASE(measured_in_one_run_only_is_a_failure) {
  const double absent = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(outcome(Kind::rounded, absent, 0.5, Common::draws) == Outcome::failed);
  BOOST_TEST(outcome(Kind::rounded, 0.5, absent, Common::definitions) == Outcome::failed);
  BOOST_TEST(outcome(Kind::rounded, absent, absent, Common::bytes) == Outcome::equal);
  BOOST_TEST(compare(Pair{Kind::rounded, {absent}, {0.5}}, Common::draws).why ==
             "measured in one of them only");
}

BOOST_AUTO_TEST_CASE(texts_are_equal_or_chosen_by_numbers) {
  BOOST_TEST(compare(Kind::exact, "king", "queen", Common::draws).outcome == Outcome::failed);
  BOOST_TEST(compare(Kind::rounded, "king", "queen", Common::draws).outcome == Outcome::listed);
  BOOST_TEST(compare(Kind::sampled, "king", "queen", Common::definitions).outcome == Outcome::listed);
  BOOST_TEST(compare(Kind::sampled, "king", "queen", Common::bytes).outcome == Outcome::failed);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp::report
