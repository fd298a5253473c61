// The fit of one matrix to scores of sums: identities, limits and the descent. Its numbers: reference.cpp.

#include "perp/measures/bilinear.hpp"

#include <boost/test/unit_test.hpp>
#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/measures/bilinear_optimum.hpp"
#include "perp/theory/bilinear.hpp"
#include "tests/measures/made.hpp"
#include "tests/tolerance.hpp"

using namespace perp;

BOOST_AUTO_TEST_SUITE(measures_bilinear)

BOOST_AUTO_TEST_CASE(orthonormal_parts_amplify_by_one) {
  Matrix<double> eye = zeros<double>(8, 8);
  for (std::size_t i = 0; i < 8; ++i) eye(i, i) = 3;
  const BilinearFit fit =
      bilinear_fit(eye, bilinear_targets(made::normal<double>(8, 8, 9), 5, ScoreOf::parts));
  BOOST_TEST(std::abs(fit.noise_gain - 1) < tolerance::bilinear);
  BOOST_TEST(fit.error < tolerance::bilinear);
}

BOOST_AUTO_TEST_CASE(the_boundary_of_exactness) {
  for (std::size_t d = 15; d <= 20; ++d) {
    const Matrix<double> table = made::normal<double>(18, d, 30 + d),
                         targets = made::normal<double>(18, 18, 60 + d);
    const BilinearFit sums = bilinear_fit(table, bilinear_targets(targets, 11)),
                      parts = bilinear_fit(table, bilinear_targets(targets, 11, ScoreOf::parts));
    BOOST_TEST((sums.error < 1e-8) == (d >= theory::exact_dimension(11, 7)), "d = " << d);
    BOOST_TEST((parts.error < 1e-8) == (d >= theory::exact_dimension(11, 7, theory::Match::parts)),
               "d = " << d);
    BOOST_TEST(sums.rank == std::min<std::size_t>(d, 17));
    BOOST_TEST(parts.rank == std::min<std::size_t>(d, 18));
  }
}

BOOST_AUTO_TEST_CASE(the_cutoff_decides_what_counts) {
  Matrix<double> table = made::normal<double>(12, 4, 1);
  for (std::size_t i = 0; i < 12; ++i) table(i, 3) *= 1e-7;
  const BilinearTargets targets = bilinear_targets(made::normal<double>(12, 12, 2), 7);
  const BilinearResidual coarse = bilinear_residual(table, targets, 1e-6),
                         fine = bilinear_residual(table, targets, 1e-9);
  BOOST_TEST(coarse.rank == 3U);
  BOOST_TEST(fine.rank == 4U);
  BOOST_TEST(fine.residual < coarse.residual);
  BOOST_TEST(fine.noise_gain > 1e5);
}

// Pythagoras: where the four blocks are matched one by one, their residuals add up to the whole. From the
// matrix fitted they would not: a singular value of 1e-8, in a direction of no column, goes into it inverted
// and twice.
BOOST_AUTO_TEST_CASE(jobs_add_up_near_the_cutoff) {
  Matrix<double> table = made::normal<double>(12, 4, 1);
  for (std::size_t i = 0; i < 12; ++i) table(i, 3) *= 1e-8;
  table = product(table, orthonormal_rows(made::normal<double>(4, 4, 3)));
  const BilinearTargets targets = bilinear_targets(made::normal<double>(12, 12, 2), 7, ScoreOf::parts);
  const BilinearFit fit = bilinear_fit(table, targets, 1e-9);
  BOOST_REQUIRE(fit.rank == 4U);
  double sum = 0;
  for (std::size_t job = 0; job < fit.by_job.size(); ++job) sum += fit.by_job[job] * targets.energies[job];
  BOOST_TEST(std::abs(sum / targets.energy - fit.residual) < tolerance::bilinear);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(measures_bilinear_optimum)

BOOST_AUTO_TEST_CASE(gradient_by_finite_differences) {
  for (const ScoreOf of : {ScoreOf::sums, ScoreOf::parts}) {
    Matrix<double> table = made::normal<double>(12, 4, 7);
    const BilinearTargets targets = bilinear_targets(made::normal<double>(12, 12, 8), 7, of);
    const BilinearGradient at = bilinear_gradient(table, targets);
    BOOST_TEST(std::abs(at.residual - bilinear_residual(table, targets).residual) < tolerance::bilinear);
    for (std::size_t i = 0; i < table.size(); ++i) {
      constexpr double h = 1e-5;
      const double kept = table.data()[i];
      table.data()[i] = kept + h;
      const double up = bilinear_residual(table, targets).residual;
      table.data()[i] = kept - h;
      const double down = bilinear_residual(table, targets).residual;
      table.data()[i] = kept;
      // Truncation h² = 1e-10, rounding u/h = 1e-11.
      BOOST_TEST(std::abs(at.gradient.data()[i] - (up - down) / (2 * h)) < 1e-8, "entry " << i);
    }
  }
}

BOOST_AUTO_TEST_CASE(descents_keep_what_is_fixed_and_end_where_the_gradient_is_radial) {
  const Matrix<double> table = made::normal<double>(26, 8, 7);
  const BilinearTargets targets = bilinear_targets(made::normal<double>(26, 26, 8), 20);
  constexpr std::size_t fixed = std::size_t{20} * 8;  // words
  Matrix<double> free = zeros<double>(26, 8);
  std::fill(free.data() + fixed, free.data() + free.size(), 1.0);
  const auto of_free = [](const Matrix<double>& a, const Matrix<double>& b) {
    return std::inner_product(a.data() + fixed, a.data() + a.size(), b.data() + fixed, 0.0);
  };
  const BilinearOptimum end =
      bilinear_optimum(table, targets, free, {.steps = 600, .keep_power = true, .enough = 1e-13});
  BOOST_TEST(std::is_sorted(end.path.rbegin(), end.path.rend()));
  BOOST_TEST(end.path.front() == bilinear_gradient(table, targets).residual);
  BOOST_TEST(end.residual() < end.path.front() - .01);
  BOOST_TEST(std::abs(bilinear_residual(end.table, targets).residual - end.residual()) < tolerance::bilinear);
  BOOST_TEST(std::equal(table.data(), table.data() + fixed, end.table.data()));
  BOOST_TEST(std::abs(of_free(end.table, end.table) / of_free(table, table) - 1) < tolerance::bilinear);
  // The square of the gradient's part along the sphere of equal power.
  const auto tangential = [&](const Matrix<double>& at) {
    const Matrix<double> g = bilinear_gradient(at, targets).gradient;
    return of_free(g, g) - std::pow(of_free(g, at), 2) / of_free(at, at);
  };
  BOOST_TEST(tangential(end.table) < 1e-8 * tangential(table));
}

BOOST_AUTO_TEST_CASE(a_residual_of_nothing_is_found) {
  // Targets of rank 4 that lie in the range of some table.
  const Matrix<double> hidden = made::normal<double>(20, 4, 3), head = made::normal<double>(4, 4, 4),
                       off = made::normal<double>(20, 4, 5);
  const BilinearTargets targets = bilinear_targets(product_nt(product(hidden, head), hidden), 14);
  Matrix<double> free = zeros<double>(20, 4), start = hidden;
  for (double& x : free) x = 1;
  for (std::size_t i = 0; i < start.size(); ++i) start.data()[i] += .3 * off.data()[i];
  const BilinearOptimum end = bilinear_optimum(start, targets, free, {.steps = 300, .enough = 1e-14});
  BOOST_TEST(end.path.front() > .02);
  BOOST_TEST(end.residual() < 1e-8);
}

BOOST_AUTO_TEST_SUITE_END()
