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
  BOOST_TEST(value("D3.mixing.built") == 0);
  BOOST_TEST(value("D3.worst.t1000000") > 100 * value("D3.worst.t0"));  // it grows with the position
}

BOOST_AUTO_TEST_CASE(a_long_range_gives_the_map_back) {
  BOOST_TEST(value("D3.rank.d64.l65536") == 64);
  // 65536 rows, each consistent to 1e-12 at worst: the fit averages.
  BOOST_TEST(value("D3.distance.d64.l65536") < tolerance::recovered_map);
  BOOST_TEST(value("D3.inside.d64.l65536") < theory::shift_rounding_bound(65536, 1));
  BOOST_TEST(value("D3.next.d64.l65536") < tolerance::shift_next);
  BOOST_TEST(value("D3.far.d64.l65536") < tolerance::shift_far);
  BOOST_TEST(value("D3.mixing.d64.l65536") < tolerance::recovered_map * tolerance::recovered_map);
}

BOOST_AUTO_TEST_CASE(a_short_one_does_not) {
  BOOST_TEST(value("D3.inside.d512.l512") < 10 * value("D3.cutoff"));
  BOOST_TEST(std::abs(value("D3.next.d512.l512") - 0.73) < 0.01);
  BOOST_TEST(std::abs(value("D3.rank.d512.l512") - 130) <= 1);
  BOOST_TEST(value("D3.mixing.d512.l512") > 0.1);
  for (const char* at : {"d512.l512", "d64.l512"}) {
    const Finding& far = finding(std::string("D3.far.") + at);
    BOOST_TEST(std::abs(far.value - *far.theory) < tolerance::limit_at_512,
               far.value << " against " << *far.theory);
  }
}

BOOST_AUTO_TEST_CASE(rows_by_their_length) {
  // √2 times the largest entry, over 4u(t + k), from the table.
  const Table& construction = table("d3_construction.csv");
  double most = 0;
  for (std::size_t i = 0; i < construction.rows.size(); ++i)
    if (construction.number(i, "first") == 1000)
      most = std::max(most, std::sqrt(2.0) * construction.number(i, "worst") /
                                (4 * 0x1p-53 * (1000 + construction.number(i, "lag"))));
  BOOST_TEST(std::abs(value("D3.row_error.t1000") / most - 1) < tolerance::plain_sum);
  BOOST_TEST(find(results_of("D3").findings, "D3.row_error.t0") == nullptr);
  BOOST_TEST(results_of("D3").claims.front().condition.find("73%") != std::string::npos,
             results_of("D3").claims.front().condition);
}

BOOST_AUTO_TEST_CASE(every_row_of_a_long_table) {
  const Table& errors = table("d3_rows.csv");
  BOOST_REQUIRE(errors.rows.size() == 12U);  // three widths, four lags
  double largest = 0;
  for (std::size_t i = 0; i < errors.rows.size(); ++i) {
    const double worst = errors.number(i, "worst"), lag = errors.number(i, "lag");
    BOOST_TEST(errors.number(i, "positions") == 65536);
    BOOST_TEST(worst < 1);
    BOOST_TEST(worst > 0.01);  // no wish: rounding is there
    largest = std::max(largest, worst);
    if (errors.number(i, "d") != 16 || lag > 10) continue;
    // Row by row from sines and cosines: the largest of lag 1 is an early row, that of lag 10 a late one.
    std::vector<double> shares;
    for (int t = 0; t < 65536; ++t) {
      double off = 0, length = 0;
      for (const double w : frequencies(16)) {
        const double sine = std::sin(w * t), cosine = std::cos(w * t);
        off += std::pow(std::cos(w * lag) * sine + std::sin(w * lag) * cosine - std::sin(w * (t + lag)), 2) +
               std::pow(std::cos(w * lag) * cosine - std::sin(w * lag) * sine - std::cos(w * (t + lag)), 2);
        length += sine * sine + cosine * cosine;
      }
      shares.push_back(std::sqrt(off / length) / (4 * 0x1p-53 * (t + lag)));
    }
    // Sines from elsewhere differ by a rounding: two roundings in 4(t + k) of them.
    const double row = errors.number(i, "row"), rounding = 2 / (4 * (row + lag));
    BOOST_TEST(std::abs(worst - shares[static_cast<std::size_t>(row)]) <= rounding, "lag " << lag);
    BOOST_TEST(std::abs(worst - std::ranges::max(shares)) <= rounding, "lag " << lag << ", row " << row);
  }
  BOOST_TEST(value("D3.row_error.l65536") == largest);
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
