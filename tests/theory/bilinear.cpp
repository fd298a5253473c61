#include "perp/theory/bilinear.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp::theory;
using perp::test::check_refusal;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(theory_bilinear)

BOOST_AUTO_TEST_CASE(sums_hide_one_direction) {
  BOOST_TEST(exact_dimension(300, 32) == 331U);
  BOOST_TEST(exact_dimension(300, 32, Match::parts) == 332U);
  BOOST_TEST(exact_dimension(300, 32, Match::contrasts) == 330U);
  BOOST_TEST(exact_dimension(1, 1, Match::contrasts) == 0U);
}

BOOST_AUTO_TEST_CASE(known_residuals) {
  // 300 words and 32 positions of equal power in 64 dimensions: .854 measured, .692 for the split.
  BOOST_TEST(std::abs(added_residual(300, 32, 64, 1) - .854) < .003);
  BOOST_TEST(std::abs(split_residual(300, 32, 32, 32) - .692) < .003);
  BOOST_TEST(best_split(300, 32, 64) == 32U);
  // One dimension short of 65 and all weights equal but the mean's: 1 - (1 - 1/65)² up to that one.
  BOOST_TEST(std::abs(added_residual(33, 33, 64, 1) - .031) < .001);
  BOOST_TEST(added_residual(33, 32, 64, 1) == 0);
  BOOST_TEST(added_residual(33, 32, 63, 1) > 0);
}

BOOST_AUTO_TEST_CASE(equal_weights_keep_the_share_of_dimensions) {
  // V = L and equal power: Π knows no direction (the mean aside), so d of 2V are kept.
  for (const std::size_t d : {50U, 200U, 800U})
    BOOST_TEST(std::abs(added_residual(500, 500, d, 1) - (1 - std::pow(static_cast<double>(d) / 1000, 2))) <
               2e-3);
}

BOOST_AUTO_TEST_CASE(louder_positions_tend_to_the_split) {
  double last = 1;
  for (const double power : {.25, 1., 4., 16., 256., 1e6}) {
    const double residual = added_residual(300, 32, 64, power);
    BOOST_TEST(residual < last);
    last = residual;
  }
  BOOST_TEST(std::abs(last - split_residual(300, 32, 32, 32)) < .005);
}

BOOST_AUTO_TEST_CASE(expected_residual_of_shares) {
  BOOST_TEST(expected_residual(1, 2) == .75);
  BOOST_TEST(expected_residual(0, 2) == 1);
  BOOST_TEST(expected_residual(2, 2) == 0);
}

BOOST_AUTO_TEST_CASE(quarter_circle) {
  BOOST_TEST(largest_singular_share(0) < 1e-12);
  BOOST_TEST(std::abs(largest_singular_share(1) - 1) < 1e-12);
  // Against the density √(4 - s²)/π by the midpoint rule, above the s where a given share begins.
  for (const double from : {.3, 1., 1.7}) {
    double count = 0, energy = 0;
    constexpr int n = 200000;
    for (int i = 0; i < n; ++i) {
      const double s = from + (2 - from) * (i + .5) / n,
                   weight = std::sqrt(4 - s * s) / M_PI * (2 - from) / n;
      count += weight;
      energy += s * s * weight;
    }
    BOOST_TEST(std::abs(largest_singular_share(count) - energy) < 1e-6);
  }
}

BOOST_AUTO_TEST_CASE(least_singular_value_of_a_plane) {
  // Two unit vectors at 60°: Gram [1 ½; ½ 1], eigenvalues 1 ± ½.
  BOOST_TEST(least_singular_value(.5) == std::sqrt(.5), tt::tolerance(perp::tolerance::closed_form));
  BOOST_TEST(least_singular_value(1) == 0);
}

BOOST_AUTO_TEST_CASE(refusals) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  check_refusal([] { exact_dimension(0, 3); }, "0 words and 3 positions");
  check_refusal([] { expected_residual(3, 2); }, "3 of 2 kept");
  check_refusal([] { expected_residual(0, 0); }, "0 of 0 kept");
  check_refusal([] { added_residual(3, 0, 4, 1); }, "3 words and 0 positions");
  check_refusal([] { added_residual(3, 3, 0, 1); }, "dimension 0");
  check_refusal([=] { added_residual(3, 3, 4, nan); }, "power nan");
  check_refusal([] { split_residual(0, 1, 2, 2); }, "0 words");
  check_refusal([] { best_split(3, 3, 1); }, "1 dimensions");
  check_refusal([] { largest_singular_share(1.5); }, "1.5");
  check_refusal([=] { least_singular_value(nan); }, "nan");
}

BOOST_AUTO_TEST_SUITE_END()
