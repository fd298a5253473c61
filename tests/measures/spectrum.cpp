#include "perp/measures/spectrum.hpp"

#include <boost/test/unit_test.hpp>
#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/sinusoid_spectrum.hpp"
#include "tests/measures/made.hpp"
#include "tests/tolerance.hpp"

using namespace perp;

namespace {

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// AᵀA whose eigenvalues are `values`, in a random basis.
Matrix<double> of_eigenvalues(std::size_t d, const std::vector<double>& values, std::uint64_t number) {
  Matrix<double> scaled = leading_rows(orthonormal_rows(made::normal<double>(d, d, number)), values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    for (double& x : row(scaled, i)) x *= std::sqrt(values[i]);
  return gram_columns(scaled);
}

/// The closed form against the table, both ways.
void check_sinusoids(const std::vector<double>& omega, std::size_t n) {
  const SinusoidSpectra got = sinusoid_spectra(omega, n);
  const Matrix<double> table = made::sinusoids<double>(omega, n);
  const double bound = tolerance::sinusoid_spectrum * static_cast<double>(omega.size());
  const std::vector<double> as_is = spectrum(table, Centring::as_is),
                            centred = spectrum(table, Centring::centred);
  BOOST_TEST(made::worst_difference(got.uncentred, as_is) < bound);
  BOOST_TEST(made::worst_difference(got.centred, centred) < bound);
  BOOST_TEST(std::abs(sum(got.uncentred) - static_cast<double>(omega.size())) < bound);
  BOOST_TEST(std::abs(sum(got.centred) - sum(centred)) < bound);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(spectra)

BOOST_AUTO_TEST_CASE(dimensions_of_known_spectra) {
  const EffectiveDimension flat = effective_dimension(std::vector<double>(100, 2.0)),
                           single = effective_dimension(std::vector<double>{5, 0, 0}),
                           two = effective_dimension(std::vector<double>{3, 1});
  BOOST_TEST((flat.stable_rank == 100 && flat.participation_ratio == 100));
  BOOST_TEST((flat.r90 == 90 && flat.r99 == 99 && flat.r999 == 100));
  BOOST_TEST((single.stable_rank == 1 && single.participation_ratio == 1 && single.r999 == 1));
  BOOST_TEST((two.participation_ratio == 1.6 && two.stable_rank == 4.0 / 3));
}

BOOST_AUTO_TEST_CASE(sinusoids_in_closed_form_agree_with_the_table) {
  check_sinusoids(made::frequencies(64, 1e4), 100);
  for (const std::size_t n : {1, 2, 3}) check_sinusoids(made::frequencies(64, 1e4), n);
  check_sinusoids(made::frequencies(32, 10), 1000);
  check_sinusoids(made::frequencies(128, 1e5), 65);
  check_sinusoids(made::frequencies(256, 1e4), 256);
  check_sinusoids(made::frequencies(2, 1e4), 50);
  check_sinusoids({1, 1, 1 + 1e-9, 0.5, 0.5 * (1 - 1e-4), 1e-9, 0, 0, 3}, 200);  // equal, close and none
  const SinusoidSpectra constant = sinusoid_spectra(std::vector<double>{0}, 10);
  BOOST_TEST((constant.uncentred == std::vector<double>{1} && constant.centred.empty()));
}

BOOST_AUTO_TEST_CASE(directions_below_rounding_do_not_count) {
  // Turned, so that no entry is 0 any more: variances of 1, just above and just below the bound, and of 0.
  const auto rank_of = [](const std::vector<double>& variances) {
    return numerical_rank(of_eigenvalues(6, variances, 77), 1e-10);
  };
  BOOST_TEST(rank_of({1, 1, 1, 1, 1, 1}) == 6U);
  BOOST_TEST(rank_of({1, 0.5, 1.1e-10}) == 3U);
  BOOST_TEST(rank_of({1e9, 0.5e9, 0.11, 0.09}) == 3U);
  BOOST_TEST(numerical_rank(zeros<double>(6, 6), 1e-10) == 0U);
  const std::vector<double> rising = {-1e-17, 1e-12, 1e-9, 1}, none;
  BOOST_TEST(numerical_rank(rising, 1e-10) == 2U);
  BOOST_TEST(numerical_rank(rising, 1e-6) == 1U);
  BOOST_TEST(numerical_rank(none, 1e-10) == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
