// The law of the cosine against values from mpmath at 40 digits, and against what must hold whatever the
// digits.

#include "perp/theory/cosine.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp::theory;
using perp::test::check_refusal;
using perp::tolerance::closed_form;
using perp::tolerance::inverse;
namespace tt = boost::test_tools;

namespace {
const double not_a_number = std::numeric_limits<double>::quiet_NaN();
}

BOOST_AUTO_TEST_SUITE(theory_cosine)

BOOST_AUTO_TEST_CASE(density_and_distribution_match_the_integral) {
  struct Row {
    std::size_t d;
    double c, density, cdf;
  };
  // mpmath: the density from gamma functions, the distribution by quadrature of the density.
  const Row rows[] = {{2, .5, 0.367552596947861366, 0.666666666666666667},
                      {3, -.9, 0.5, 0.05},
                      {4, .1, 0.633428675719419554, 0.563555714215230902},
                      {64, .25, 0.44053554164235655, 0.977703425608272766},
                      {512, -.1, 0.698337024730806286, 0.0117531017708609394},
                      {4096, .03, 4.04338448366406524, 0.972576137343313136}};
  for (const Row& row : rows) {
    BOOST_TEST_CONTEXT("d = " << row.d << ", c = " << row.c) {
      BOOST_TEST(cosine_density(row.d, row.c) == row.density, tt::tolerance(closed_form));
      BOOST_TEST(cosine_cdf(row.d, row.c) == row.cdf, tt::tolerance(closed_form));
      BOOST_TEST(cosine_quantile(row.d, row.cdf) == row.c, tt::tolerance(inverse));
      BOOST_TEST(cosine_cdf(row.d, row.c) + cosine_cdf(row.d, -row.c) == 1, tt::tolerance(closed_form));
    }
  }
}

BOOST_AUTO_TEST_CASE(ends_and_outside) {
  for (const std::size_t d : {2, 3, 4, 512}) {
    BOOST_TEST(cosine_cdf(d, -1) == 0);
    BOOST_TEST(cosine_cdf(d, 1) == 1);
    BOOST_TEST(cosine_cdf(d, -1.5) == 0);
    BOOST_TEST(cosine_cdf(d, 1.5) == 1);
    BOOST_TEST(cosine_cdf(d, 0) == 0.5);
    BOOST_TEST(cosine_density(d, 1 + 1e-15) == 0);
    BOOST_TEST(cosine_quantile(d, 0) == -1);
    BOOST_TEST(cosine_quantile(d, 1) == 1);
    BOOST_TEST(cosine_quantile(d, 0.5) == 0);
    BOOST_TEST(cosine_exceeds(d, 0) == 1);
    BOOST_TEST(cosine_exceeds(d, 1) == 0);
  }
  BOOST_TEST(std::isinf(cosine_density(2, 1)));
  BOOST_TEST(cosine_density(3, 1) == 0.5, tt::tolerance(closed_form));
  BOOST_TEST(cosine_density(4, -1) == 0);
}

BOOST_AUTO_TEST_CASE(second_moment_is_one_over_d) {
  // Midpoint rule in the angle, exact for these trigonometric polynomials up to rounding.
  for (const std::size_t d : {2, 5, 16, 300}) {
    const int n = 2000;
    double total = 0, square = 0;
    for (int i = 0; i < n; ++i) {
      const double angle = std::numbers::pi * (i + 0.5) / n;
      const double weight = cosine_density(d, std::cos(angle)) * std::sin(angle) * std::numbers::pi / n;
      total += weight;
      square += weight * std::cos(angle) * std::cos(angle);
    }
    BOOST_TEST(total == 1, tt::tolerance(1e-9));
    BOOST_TEST(std::sqrt(square) == cosine_sd(d), tt::tolerance(1e-9));
  }
}

BOOST_AUTO_TEST_CASE(far_tail) {
  struct Row {
    std::size_t d;
    double m, log_p;
  };
  // mpmath: y^a sqrt(1-y) / (a B(a, 1/2)) 2F1(a + 1/2, 1; a + 1; y), y = 1 - m^2, a = (d-1)/2.
  const Row rows[] = {{2, .5, -0.405465108108164382},    {3, .25, -0.287682072451780927},
                      {8, .9, -6.96637818807631338},     {64, .3, -4.18750436944246229},
                      {300, .2, -7.63832046328088354},   {512, .05, -1.35363594584691898},
                      {2048, .3, -99.3658616878693131},  {2048, .9, -1703.69112288822167},
                      {4096, .99, -8024.50485101860355}, {1000000, .05, -1255.70207020461044}};
  for (const Row& row : rows) {
    BOOST_TEST_CONTEXT("d = " << row.d << ", m = " << row.m) {
      BOOST_TEST(cosine_log_exceeds(row.d, row.m) == row.log_p, tt::tolerance(closed_form));
    }
  }
  BOOST_TEST(cosine_exceeds(2048, .3) == 7.01381940691003597e-44, tt::tolerance(1e-11));
  BOOST_TEST(cosine_log_exceeds(512, 0) == 0);
}

BOOST_AUTO_TEST_CASE(log_tail_has_no_seam) {
  // The logarithm of the plain value and the series take over from one another near 1e-280, before the
  // plain value loses digits (1e-308) and vanishes (1e-324); the range spans all three. The tail falls
  // smoothly in m, so its second difference on an even grid is small everywhere, seam included.
  const double step = 1e-4;
  for (double m = .755; m < .80; m += step) {
    const double bend = cosine_log_exceeds(1500, m - step) - 2 * cosine_log_exceeds(1500, m) +
                        cosine_log_exceeds(1500, m + step);
    const double expected = step * step * -1500 * (1 + m * m) / std::pow(1 - m * m, 2);
    BOOST_TEST(std::abs(bend - expected) < .01 * std::abs(expected));
  }
}

BOOST_AUTO_TEST_CASE(largest_of_many) {
  struct Row {
    std::size_t d;
    double pairs, p, m;
  };
  // mpmath: bisection of ln I_{1-m^2}(a, 1/2) = ln(1 - p^(1/pairs)).
  const Row rows[] = {{300, 199990000, .5, 0.332186910111456767},
                      {64, 499500, .5, 0.557762887344345879},
                      {512, 199990000, .5, 0.25706906803946722},
                      {512, 199990000, .025, 0.245189878612837731},
                      {512, 199990000, .975, 0.278968965716171558},
                      {768, 1.28e9, .5, 0.221391816503728869},
                      {4, 10, .5, 0.851764726968253643},
                      {2, 1, .5, 0.707106781186547524},
                      {4096, 1e12, .999, 0.124949809972053726},
                      {64, 1, .01, 0.00158534606604058695},
                      {8, 199990000, .5, 0.997275630544902956}};
  for (const Row& row : rows) {
    BOOST_TEST_CONTEXT("d = " << row.d << ", pairs = " << row.pairs << ", p = " << row.p) {
      const double m = largest_cosine_quantile(row.d, row.pairs, row.p);
      BOOST_TEST(m == row.m, tt::tolerance(inverse));
      BOOST_TEST(largest_cosine_cdf(row.d, row.pairs, m) == row.p,
                 tt::tolerance(perp::tolerance::extreme_value));
    }
  }
  BOOST_TEST(largest_cosine_median(300, 199990000) == largest_cosine_quantile(300, 199990000, .5));
  BOOST_TEST(largest_cosine_cdf(64, 1, .3) == 1 - cosine_exceeds(64, .3), tt::tolerance(closed_form));
  BOOST_TEST(largest_cosine_median(512, 1e9) > largest_cosine_median(512, 1e8));
  BOOST_TEST(largest_cosine_median(1024, 1e8) < largest_cosine_median(512, 1e8));
}

BOOST_AUTO_TEST_CASE(first_dimension_is_the_first) {
  // mpmath: the same search.
  BOOST_TEST(first_dimension(.1, .99) == 662U);
  BOOST_TEST(first_dimension(.1, .5) == 47U);
  BOOST_TEST(first_dimension(.5, .9) == 11U);
  BOOST_TEST(first_dimension(.05, .95) == 1537U);
  BOOST_TEST(first_dimension(.9, .1) == 2U);
  for (const double m : {.02, .2, .7}) {
    const std::size_t d = first_dimension(m, .999);
    BOOST_TEST(1 - cosine_exceeds(d, m) >= .999);
    BOOST_TEST(1 - cosine_exceeds(d - 1, m) < .999);
  }
}

BOOST_AUTO_TEST_CASE(random_signs_have_atoms) {
  BOOST_TEST(rademacher_atom(1) == .5, tt::tolerance(closed_form));
  BOOST_TEST(rademacher_atom(2) == .5, tt::tolerance(closed_form));
  BOOST_TEST(rademacher_atom(3) == .375, tt::tolerance(closed_form));
  BOOST_TEST(rademacher_atom(8) == 70. / 256, tt::tolerance(closed_form));
  BOOST_TEST(rademacher_atom(16) == 12870. / 65536, tt::tolerance(closed_form));
  BOOST_TEST(rademacher_atom(512) == 0.0352446354858387406, tt::tolerance(closed_form));
  BOOST_TEST(rademacher_atom(4096) == 0.0124661853637602596, tt::tolerance(closed_form));
  BOOST_TEST(rademacher_distance(8) == 35. / 256, tt::tolerance(closed_form));
}

BOOST_AUTO_TEST_CASE(refusals) {
  check_refusal([] { cosine_density(1, 0); }, "cosine_density: dimension 1 given, expected 2 to 1000000000");
  check_refusal([] { cosine_density(4, not_a_number); }, "cosine_density: the cosine is not a number");
  check_refusal([] { cosine_cdf(1, 0); }, "cosine_cdf: dimension 1 given");
  check_refusal([] { cosine_cdf(4, not_a_number); }, "cosine_cdf: the cosine is not a number");
  check_refusal([] { cosine_quantile(0, .5); }, "cosine_quantile: dimension 0 given");
  check_refusal([] { cosine_quantile(4, 1.5); }, "cosine_quantile: probability 1.5 given, expected 0 to 1");
  check_refusal([] { cosine_quantile(4, not_a_number); }, "cosine_quantile: probability nan given");
  check_refusal([] { cosine_exceeds(2000000000, .5); }, "cosine_exceeds: dimension 2000000000 given");
  check_refusal([] { cosine_exceeds(4, -.5); }, "cosine_exceeds: bound -0.5 given, expected 0 to 1");
  check_refusal([] { cosine_log_exceeds(1, .5); }, "cosine_log_exceeds: dimension 1 given");
  check_refusal([] { cosine_log_exceeds(4, 1); }, "cosine_log_exceeds: bound 1 given, expected 0 to below 1");
  check_refusal([] { cosine_sd(1); }, "cosine_sd: dimension 1 given");
  check_refusal([] { largest_cosine_cdf(4, .5, .5); },
                "largest_cosine_cdf: 0.5 pairs given, expected at least 1");
  check_refusal([] { largest_cosine_quantile(1, 4, .5); }, "largest_cosine_quantile: dimension 1 given");
  check_refusal([] { largest_cosine_quantile(4, 0, .5); }, "largest_cosine_quantile: 0 pairs given");
  check_refusal([] { largest_cosine_quantile(4, 1e300 * 1e300, .5); }, "inf pairs given");
  check_refusal([] { largest_cosine_quantile(4, 4, 1); }, "probability 1 given, expected between 0 and 1");
  check_refusal([] { first_dimension(0, .5); }, "first_dimension: bound 0 given, expected between 0 and 1");
  check_refusal([] { first_dimension(.5, 1); }, "first_dimension: share 1 given, expected between 0 and 1");
  check_refusal([] { first_dimension(1e-6, .9); }, "takes more than 10^9 dimensions");
  check_refusal([] { rademacher_atom(0); }, "rademacher_atom: dimension 0 given, expected at least 1");
}

BOOST_AUTO_TEST_SUITE_END()
