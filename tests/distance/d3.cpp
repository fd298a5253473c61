// D3: the shift as a construction and as data determine it, against plain sums and known numbers.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>

#include "perp/measures/shift.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"
#include "tests/distance/quick.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/rule.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(distance_d3)

BOOST_AUTO_TEST_CASE(the_construction_errs_by_rounding_alone) {
  BOOST_TEST(value("D3.excess") < 1);
  BOOST_TEST(value("D3.excess") > 0.01);  // the bound is no wish: positions near 10^6 come near it
  BOOST_TEST(value("D3.composition") < 1);
  BOOST_TEST(value("D3.orthogonality") < 4 * 0x1p-53);
}

BOOST_AUTO_TEST_CASE(a_long_range_gives_the_map_back) {
  // 65536 rows, each consistent to 1e-12 at worst: the fit averages.
  BOOST_TEST(value("D3.distance.d64.l65536") < tolerance::recovered_map);
  BOOST_TEST(value("D3.next.d64.l65536") < tolerance::shift_next);
}

BOOST_AUTO_TEST_CASE(a_short_one_does_not) {
  BOOST_TEST(value("D3.inside.d512.l512") < 10 * value("D3.cutoff"));
  BOOST_TEST(std::abs(value("D3.next.d512.l512") - 0.73) < 0.01);
  BOOST_TEST(std::abs(value("D3.rank.d512.l512") - 130) <= 1);
  const Finding& far = finding("D3.far.d512.l512");
  BOOST_TEST(std::abs(far.value - *far.theory) < tolerance::limit_at_512,
             far.value << " against " << *far.theory);
}

BOOST_AUTO_TEST_CASE(certain_length_by_hand) {
  // d = 4, T = 10000: frequencies 1 and .01; the smallest gap is that between .01 and -.01.
  BOOST_TEST(std::abs(certain_length(frequencies(4)) - 2 * std::numbers::pi / 0.02) < 1e-9);
  // d = 64: neighbours at the slow end are nearer than a frequency to its own negative.
  const double gap = std::pow(1e4, -60.0 / 64) - std::pow(1e4, -62.0 / 64);
  check_refusal([] { certain_length({}); }, "no frequencies");
  BOOST_TEST(std::abs(certain_length(frequencies(64)) * gap / (2 * std::numbers::pi) - 1) < 1e-9);
}

BOOST_AUTO_TEST_CASE(the_gap_bounds_the_condition) {
  // Moitra's bound: (L - 1 + 1/g)/(L - 1 - 1/g) limits the squared condition, g the smallest gap in turns.
  for (const std::size_t d : {4, 8}) {
    const double inverse = certain_length(frequencies(d));
    const auto length = static_cast<std::size_t>(2 * inverse) + 2;
    const Matrix<double> table = sinusoidal<double>(length + 1, d);
    const RecoveredMap map = recover_map(block(table, 0, length), block(table, 1, length + 1), 1e-12);
    const double condition = map.singular_values.front() / map.singular_values.back(),
                 span = static_cast<double>(length - 1);
    BOOST_TEST(condition * condition <= (span + inverse) / (span - inverse) * (1 + 1e-9), "d = " << d);
  }
}

BOOST_AUTO_TEST_CASE(far_error_at_its_ends) {
  BOOST_TEST(theory::shift_error_far(64, 64) == 0);
  BOOST_TEST(theory::shift_error_far(64, 0) == 1);
  BOOST_TEST(theory::shift_error_far(64, 48) == 0.5);
}

BOOST_AUTO_TEST_CASE(rule_of_the_claim) {
  const Results& results = results_of("D3");
  const Claim& claim = results.claims.front();
  BOOST_TEST(conditions(claim.rule, Role::core) == 2U);
  BOOST_TEST(conditions(claim.rule, Role::limit) == 1U);
  BOOST_TEST(factors(claim.rule) == "rows");
  BOOST_TEST(to_text(claim.judgement) == "true, with limits");
  BOOST_TEST((answer_on(claim, "D3.row_error.t1000") == Answer::holds));
  BOOST_TEST((answer_on(claim, "D3.row_error.l65536") == Answer::holds));
  BOOST_TEST((answer_on(claim, "D3.next.d512.l512") == Answer::fails));
  BOOST_TEST(to_text(with(results.findings, claim.rule, "D3.row_error.t1000", 1.1)) ==
             "depends, with limits");
  // Rows beyond the table of 65,536 are told beside, and judge nothing.
  BOOST_TEST(value("D3.row_error.t1000000") < 1);
  check_wording(results);
}

BOOST_AUTO_TEST_SUITE_END()
