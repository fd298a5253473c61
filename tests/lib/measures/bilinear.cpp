// The fit of one matrix to scores of sums: identities and limits. Its numbers: reference.cpp.

#include "perp/measures/bilinear.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "tests/lib/measures/made.hpp"
#include "tests/tolerance.hpp"

using namespace perp;

BOOST_AUTO_TEST_SUITE(measures_bilinear)

BOOST_AUTO_TEST_CASE(the_boundary_of_exactness) {
  // Eleven words and seven positions make sums that span 17 dimensions, whatever the targets.
  for (std::size_t d = 15; d <= 20; ++d) {
    const Matrix<double> table = made::normal<double>(18, d, 30 + d);
    const BilinearTargets targets = bilinear_targets(made::normal<double>(18, 18, 60 + d), 11);
    const BilinearFit fit = bilinear_fit(table, targets);
    const Matrix<double> sums = whitened_rows(table, 11), scores = product_nt(product(sums, fit.head), sums);
    double off = 0;
    for (std::size_t i = 0; i < scores.size(); ++i)
      off += std::pow(scores.data()[i] - targets.whitened.data()[i], 2);
    BOOST_TEST((std::sqrt(off / targets.energy) < 1e-8) == (d >= 17), "d = " << d);
    BOOST_TEST(std::abs(off / targets.energy - fit.residual) < tolerance::bilinear);
    BOOST_TEST(fit.rank == std::min<std::size_t>(d, 17));
  }
}

BOOST_AUTO_TEST_CASE(the_cutoff_decides_what_counts) {
  Matrix<double> table = made::normal<double>(12, 4, 1);
  for (std::size_t i = 0; i < 12; ++i) table(i, 3) *= 1e-7;
  const BilinearTargets targets = bilinear_targets(made::normal<double>(12, 12, 2), 7);
  const BilinearFit coarse = bilinear_fit(table, targets, 1e-6), fine = bilinear_fit(table, targets, 1e-9);
  BOOST_TEST(coarse.rank == 3U);
  BOOST_TEST(fine.rank == 4U);
  BOOST_TEST(fine.residual < coarse.residual);
}

BOOST_AUTO_TEST_SUITE_END()
