// Principal angles: Wachter's bulk against quadrature, Johnstone's largest against simulation, the mean
// exactly.

#include "perp/theory/angles.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>
#include <utility>

#include "perp/theory/energy.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp::theory;
using perp::test::check_refusal;
using perp::tolerance::closed_form;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(theory_angles)

BOOST_AUTO_TEST_CASE(bulk_reference_values) {
  struct Row {
    double a, b, x, lower, upper, density, cdf;
  };
  // mpmath at 40 digits, the distribution by quadrature in the angle that removes both square roots.
  const Row rows[] = {
      {.125, .25, .3, 0.0260890190652599996, 0.59891098093474, 1.73486817558409262, 0.63598856996843287},
      {.1, .1, .05, 0, .36, 4.1715011831951733, 0.423978420205277589},
      {.1, .1, .0001, 0, .36, 95.4892509471440971, 0.0190983455449682877},
      {.5, .625, .7, 0.0158770817240728894, 0.984122918275927111, 0.668268569825610262, 0.501573923907391305},
      {.3, .7, .8, .16, 1, 1.1862709056952951, 0.552515200221338089},
      {.02, .9, .85, .8, .968, 4.79408750738267519, 0.156303514793598936}};
  for (const Row& row : rows) {
    BOOST_TEST_CONTEXT("a = " << row.a << ", b = " << row.b << ", x = " << row.x) {
      const Edges edges = wachter_edges(row.a, row.b);
      BOOST_TEST(edges.lower == row.lower, tt::tolerance(closed_form));
      BOOST_TEST(edges.upper == row.upper, tt::tolerance(closed_form));
      BOOST_TEST(wachter_density(row.a, row.b, row.x) == row.density, tt::tolerance(closed_form));
      BOOST_TEST(wachter_cdf(row.a, row.b, row.x) == row.cdf, tt::tolerance(closed_form));
      BOOST_TEST(wachter_quantile(row.a, row.b, row.cdf) == row.x, tt::tolerance(perp::tolerance::inverse));
    }
  }
}

BOOST_AUTO_TEST_CASE(bulk_integrates_to_one_less_the_atom_and_has_the_right_mean) {
  const double shares[][2] = {{.1, .1}, {.125, .25}, {.02, .9}, {.3, .7}, {.5, .5}, {.5, .625}, {.9, .95}};
  for (const auto& [a, b] : shares) {
    const Edges e = wachter_edges(a, b);
    const int n = 20000;
    double total = 0, first = 0;
    for (int i = 0; i < n; ++i) {  // x = midpoint of the edges - half their distance cos(angle)
      const double angle = std::numbers::pi * (i + 0.5) / n;
      const double half = (e.upper - e.lower) / 2;
      const double x = e.lower + half * (1 - std::cos(angle));
      const double weight = wachter_density(a, b, x) * half * std::sin(angle) * std::numbers::pi / n;
      total += weight;
      first += weight * x;
    }
    BOOST_TEST_CONTEXT("a = " << a << ", b = " << b) {
      BOOST_TEST(total == 1 - wachter_atom(a, b), tt::tolerance(1e-7));
      BOOST_TEST(first + wachter_atom(a, b) == b, tt::tolerance(1e-7));
      BOOST_TEST(wachter_cdf(a, b, e.upper) == 1 - wachter_atom(a, b), tt::tolerance(closed_form));
    }
  }
}

BOOST_AUTO_TEST_CASE(bulk_ends) {
  BOOST_TEST(wachter_atom(.5, .625) == .25);
  BOOST_TEST(wachter_atom(.125, .25) == 0);
  BOOST_TEST(wachter_cdf(.5, .625, 0) == 0);
  BOOST_TEST(wachter_cdf(.5, .625, .99) == .75);
  BOOST_TEST(wachter_cdf(.5, .625, 1) == 1);
  BOOST_TEST(wachter_cdf(.5, .625, 2) == 1);
  BOOST_TEST(wachter_density(.125, .25, .7) == 0);
  BOOST_TEST(wachter_density(.125, .25, 0) == 0);
  BOOST_TEST(std::isinf(wachter_density(.1, .1, 0)));
  BOOST_TEST(wachter_quantile(.5, .625, .8) == 1);
  BOOST_TEST(wachter_quantile(.5, .625, 0) == wachter_edges(.5, .625).lower);
  BOOST_TEST(wachter_quantile(.5, .625, .75) == wachter_edges(.5, .625).upper);
  // The distribution rises at the density's rate.
  const double h = 1e-5;
  for (const double x : {.03, .1, .3, .59})
    BOOST_TEST((wachter_cdf(.125, .25, x + h) - wachter_cdf(.125, .25, x - h)) / (2 * h) ==
                   wachter_density(.125, .25, x),
               tt::tolerance(1e-4));
}

BOOST_AUTO_TEST_CASE(mean_of_all_angles) {
  const OverlapNull real = mean_cosine_squared_null(300, 30, 30);
  BOOST_TEST(real.mean == .1, tt::tolerance(closed_form));
  BOOST_TEST(real.sd == .9 * std::sqrt(2. / (299 * 302)), tt::tolerance(closed_form));
  // One line against a subspace: the energy of a direction, whose law is known.
  BOOST_TEST(mean_cosine_squared_null(64, 1, 20).mean == energy_mean(64, 20), tt::tolerance(closed_form));
  BOOST_TEST(mean_cosine_squared_null(64, 1, 20).sd == energy_sd(64, 20), tt::tolerance(closed_form));
  BOOST_TEST(mean_cosine_squared_null(512, 64, 128).mean == .25, tt::tolerance(closed_form));
  BOOST_TEST(mean_cosine_squared_null(512, 128, 64).mean == .25, tt::tolerance(closed_form));
  BOOST_TEST(mean_cosine_squared_null(16, 16, 3).mean == 1, tt::tolerance(closed_form));
  BOOST_TEST(mean_cosine_squared_null(16, 16, 3).sd == 0);
}

BOOST_AUTO_TEST_CASE(largest_angle_parameters) {
  // mpmath from the formulas.
  const LargestAngle law = largest_angle(512, 64, 128);
  BOOST_TEST(law.mu == 0.3940927575777441, tt::tolerance(closed_form));
  BOOST_TEST(law.sigma == 0.048135383171396, tt::tolerance(closed_form));
  const LargestAngle swapped = largest_angle(512, 128, 64);
  BOOST_TEST(swapped.mu == law.mu);
  BOOST_TEST(swapped.sigma == law.sigma);
  const LargestAngle complements = largest_angle(512, 512 - 64, 512 - 128);
  BOOST_TEST(complements.mu == law.mu);
  BOOST_TEST(complements.sigma == law.sigma);
  BOOST_TEST(largest_cosine_squared_quantile(512, 64, 128, .05) == 0.5599514051074025, tt::tolerance(1e-10));
  BOOST_TEST(largest_cosine_squared_quantile(512, 64, 128, .95) == 0.6085536478505633, tt::tolerance(1e-10));
  BOOST_TEST(largest_cosine_squared_quantile(300, 30, 30, .5) == 0.332282222874444, tt::tolerance(1e-10));
}

BOOST_AUTO_TEST_CASE(largest_angle_against_simulation) {
  struct Row {
    std::size_t d, k, r;
    double mean, sd, median;
    int runs;
  };
  // NumPy: largest generalised eigenvalue of Bartlett-sampled Wishart matrices, W_k(r) against W_k(r) +
  // W_k(d-r).
  const Row rows[] = {{512, 64, 128, .76347, .00962, .58215, 6000},
                      {64, 8, 16, .72316, .04219, .52312, 40000},
                      {64, 27, 28, .98328, .00645, .96820, 20000},
                      {300, 30, 30, .57680, .02017, .33188, 20000},
                      {128, 20, 60, .90178, .01399, .81323, 20000}};
  for (const Row& row : rows) {
    BOOST_TEST_CONTEXT("d = " << row.d << ", k = " << row.k << ", r = " << row.r) {
      BOOST_TEST(johnstone_applies(row.d, row.k, row.r));
      const double slack = perp::tolerance::johnstone_mean * row.sd;
      BOOST_TEST(std::abs(largest_cosine_expected(row.d, row.k, row.r) - row.mean) < slack);
      BOOST_TEST(largest_cosine_sd(row.d, row.k, row.r) == row.sd,
                 tt::tolerance(perp::tolerance::johnstone_sd));
      const double median = std::sqrt(largest_cosine_squared_quantile(row.d, row.k, row.r, .5));
      BOOST_TEST(std::abs(median - std::sqrt(row.median)) < slack);
    }
  }
}

BOOST_AUTO_TEST_CASE(law_mean_and_sd_at_the_known_point) {
  // Mean over the law itself, by the midpoint rule in p: the line is this mean, not the transform of TW1's,
  // which lies .0001 above it. The sd of the delta method is of the latter.
  const int n = 2000;
  double first = 0, second = 0;
  for (int i = 0; i < n; ++i) {
    const double c2 = largest_cosine_squared_quantile(512, 64, 128, (i + 0.5) / n);
    first += std::sqrt(c2) / n;
    second += c2 / n;
  }
  BOOST_TEST(std::abs(first - .763579) < 1e-5);
  BOOST_TEST(std::abs(std::sqrt(second - first * first) - .009678) < 3e-5);
  BOOST_TEST(std::abs(largest_cosine_expected(512, 64, 128) - first) < 1e-5);
  BOOST_TEST(std::abs(largest_cosine_expected(512, 64, 128) - .763579) < 1e-6);
  BOOST_TEST(std::abs(largest_cosine_sd(512, 64, 128) - .009713) < 2e-6);
}

BOOST_AUTO_TEST_CASE(largest_is_one_when_subspaces_must_meet) {
  for (const auto& [k, r] : {std::pair<std::size_t, std::size_t>{40, 24}, {40, 40}, {64, 8}}) {
    BOOST_TEST(largest_cosine_expected(64, k, r) == 1);
    BOOST_TEST(largest_cosine_sd(64, k, r) == 0);
    BOOST_TEST(largest_cosine_squared_quantile(64, k, r, .5) == 1);
  }
}

BOOST_AUTO_TEST_CASE(where_the_law_applies) {
  BOOST_TEST(johnstone_applies(512, 64, 128));
  BOOST_TEST(johnstone_applies(512, 448, 384));
  BOOST_TEST(johnstone_applies(64, 8, 47));
  BOOST_TEST(!johnstone_applies(64, 8, 48));
  BOOST_TEST(!johnstone_applies(64, 7, 20));
  BOOST_TEST(!johnstone_applies(64, 20, 7));
  BOOST_TEST(!johnstone_applies(64, 32, 32));
  BOOST_TEST(!johnstone_applies(64, 36, 36));
  BOOST_TEST(johnstone_applies(64, 37, 36));
  BOOST_TEST(!johnstone_applies(64, 57, 40));
  BOOST_TEST(!johnstone_applies(64, 64, 64));
  BOOST_TEST(!johnstone_applies(64, 65, 10));
}

BOOST_AUTO_TEST_CASE(refusals) {
  check_refusal([] { wachter_edges(0, .5); },
                "wachter_edges: shares k/d = 0 and r/d = 0.5 given, expected 0 < k/d");
  check_refusal([] { wachter_density(.5, .4, .1); }, "wachter_density: shares k/d = 0.5 and r/d = 0.4 given");
  check_refusal([] { wachter_atom(.5, 1); }, "wachter_atom: shares k/d = 0.5 and r/d = 1 given");
  check_refusal([] { wachter_cdf(std::nan(""), .5, .1); }, "wachter_cdf: shares k/d = nan");
  check_refusal([] { wachter_quantile(.5, .4, .1); }, "wachter_quantile: shares k/d = 0.5");
  check_refusal([] { wachter_density(.1, .2, std::nan("")); },
                "wachter_density: the squared cosine is not a number");
  check_refusal([] { wachter_cdf(.1, .2, std::nan("")); }, "wachter_cdf: the squared cosine is not a number");
  check_refusal([] { wachter_quantile(.1, .2, 2); },
                "wachter_quantile: probability 2 given, expected 0 to 1");
  check_refusal([] { mean_cosine_squared_null(8, 0, 3); },
                "mean_cosine_squared_null: subspaces of 0 and 3 dimensions in 8");
  check_refusal([] { largest_angle(8, 9, 3); },
                "largest_angle: subspaces of 9 and 3 dimensions in 8, expected 1 to d");
  check_refusal([] { largest_angle(64, 40, 24); },
                "largest_angle: k + r = 40 + 24 = d, where the law does not hold");
  check_refusal([] { largest_angle(64, 64, 24); }, "largest_angle: one subspace is all of the 64 dimensions");
  check_refusal([] { largest_cosine_squared_quantile(64, 8, 0, .5); },
                "largest_cosine_squared_quantile: subspaces of 8 and 0");
  check_refusal([] { largest_cosine_squared_quantile(64, 8, 9, 1); },
                "probability 1 given, expected between 0 and 1");
  check_refusal([] { largest_cosine_expected(64, 0, 9); }, "largest_cosine_expected: subspaces of 0 and 9");
  check_refusal([] { largest_cosine_sd(64, 65, 9); }, "largest_cosine_sd: subspaces of 65 and 9");
}

BOOST_AUTO_TEST_SUITE_END()
