// A direction's share inside a subspace against mpmath at 40 digits and against elementary cases.

#include "perp/theory/energy.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/theory/cosine.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp::theory;
using perp::test::check_refusal;
using perp::tolerance::closed_form;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(theory_energy)

BOOST_AUTO_TEST_CASE(reference_values) {
  struct Row {
    std::size_t d, r;
    double x, density, cdf;
  };
  const Row rows[] = {{300, 30, .1, 16.1955328875089093, 0.528988839351310185},
                      {512, 128, .3, 2.71243688495661905, 0.963960026324622436},
                      {4, 2, .25, 1, .25},
                      {4096, 7, .004, 32.69758127481652, 0.978287699512119234}};
  for (const Row& row : rows) {
    BOOST_TEST_CONTEXT("d = " << row.d << ", r = " << row.r) {
      BOOST_TEST(energy_density(row.d, row.r, row.x) == row.density, tt::tolerance(closed_form));
      BOOST_TEST(energy_cdf(row.d, row.r, row.x) == row.cdf, tt::tolerance(closed_form));
      BOOST_TEST(energy_quantile(row.d, row.r, row.cdf) == row.x, tt::tolerance(perp::tolerance::inverse));
    }
  }
}

BOOST_AUTO_TEST_CASE(mean_and_sd_are_those_of_the_density) {
  for (const std::size_t d : {8, 64, 300}) {
    const std::size_t r = d / 4;
    const int n = 20000;
    double total = 0, first = 0, second = 0;
    for (int i = 0; i < n; ++i) {
      const double x = (i + 0.5) / n;
      const double weight = energy_density(d, r, x) / n;
      total += weight;
      first += weight * x;
      second += weight * x * x;
    }
    BOOST_TEST(total == 1, tt::tolerance(1e-6));
    BOOST_TEST(energy_mean(d, r) == first, tt::tolerance(1e-6));
    BOOST_TEST(energy_sd(d, r) == std::sqrt(second - first * first), tt::tolerance(1e-6));
  }
}

BOOST_AUTO_TEST_CASE(one_dimension_is_a_squared_cosine) {
  for (const double c : {.01, .1, .4})
    BOOST_TEST(energy_cdf(64, 1, c * c) == 1 - cosine_exceeds(64, c), tt::tolerance(closed_form));
}

BOOST_AUTO_TEST_CASE(ends_and_symmetry) {
  BOOST_TEST(energy_cdf(8, 3, -1) == 0);
  BOOST_TEST(energy_cdf(8, 3, 0) == 0);
  BOOST_TEST(energy_cdf(8, 3, 1) == 1);
  BOOST_TEST(energy_cdf(8, 3, 2) == 1);
  BOOST_TEST(energy_density(8, 3, -.1) == 0);
  BOOST_TEST(energy_density(8, 3, 1.1) == 0);
  BOOST_TEST(energy_density(8, 3, 0) == 0);
  BOOST_TEST(energy_density(8, 3, 1) == 0);
  BOOST_TEST(std::isinf(energy_density(8, 1, 0)));
  BOOST_TEST(std::isinf(energy_density(8, 7, 1)));
  BOOST_TEST(energy_density(4, 2, 0) == 1, tt::tolerance(closed_form));
  BOOST_TEST(energy_density(8, 2, 0) == 3, tt::tolerance(closed_form));
  BOOST_TEST(energy_density(8, 6, 1) == 3, tt::tolerance(closed_form));
  BOOST_TEST(energy_cdf(64, 10, .2) + energy_cdf(64, 54, .8) == 1, tt::tolerance(closed_form));
  BOOST_TEST(energy_sd(64, 10) == energy_sd(64, 54), tt::tolerance(closed_form));
  BOOST_TEST(energy_quantile(8, 3, 0) == 0);
  BOOST_TEST(energy_quantile(8, 3, 1) == 1);
}

BOOST_AUTO_TEST_CASE(refusals) {
  check_refusal([] { energy_density(8, 0, .5); },
                "energy_density: subspace of 0 dimensions in 8, expected 1 to d - 1");
  check_refusal([] { energy_density(8, 3, std::nan("")); }, "energy_density: the share is not a number");
  check_refusal([] { energy_cdf(8, 8, .5); }, "energy_cdf: subspace of 8 dimensions in 8");
  check_refusal([] { energy_cdf(8, 3, std::nan("")); }, "energy_cdf: the share is not a number");
  check_refusal([] { energy_quantile(8, 9, .5); }, "energy_quantile: subspace of 9 dimensions in 8");
  check_refusal([] { energy_quantile(8, 3, -.1); },
                "energy_quantile: probability -0.1 given, expected 0 to 1");
  check_refusal([] { energy_mean(8, 0); }, "energy_mean: subspace of 0 dimensions in 8");
  check_refusal([] { energy_sd(8, 0); }, "energy_sd: subspace of 0 dimensions in 8");
}

BOOST_AUTO_TEST_SUITE_END()
