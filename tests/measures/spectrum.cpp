#include "perp/measures/spectrum.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/low_rank.hpp"
#include "perp/measures/sinusoid_spectrum.hpp"
#include "tests/measures/made.hpp"
#include "tests/tolerance.hpp"

using namespace perp;

namespace {

/// The same by singular values of the (centred) table.
std::vector<double> by_singular_values(Matrix<double> table, Centring centring) {
  const double n = static_cast<double>(rows(table));
  for (std::size_t j = 0; j < cols(table) && centring == Centring::centred; ++j) {
    double mean = 0;
    for (std::size_t i = 0; i < rows(table); ++i) mean += table(i, j) / n;
    for (std::size_t i = 0; i < rows(table); ++i) table(i, j) -= mean;
  }
  std::vector<double> values = singular_values(table);
  for (double& s : values) s = s * s / n;
  return values;
}

double sum(const std::vector<double>& values) {
  double total = 0;
  for (const double x : values) total += x;
  return total;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(spectra)

BOOST_AUTO_TEST_CASE(agree_with_singular_values_either_way_round) {
  for (const auto& [n, d] : {std::pair<std::size_t, std::size_t>{40, 90}, {90, 40}, {4100, 5}, {1, 6}}) {
    Matrix<double> table = made::normal<double>(n, d, n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < d; ++j) table(i, j) = table(i, j) / static_cast<double>(1 + j) + 3;
    for (const Centring centring : {Centring::as_is, Centring::centred}) {
      const std::vector<double> got = spectrum(table, centring), want = by_singular_values(table, centring);
      BOOST_TEST(got.size() == std::min(n, d));
      BOOST_TEST(made::worst_difference(got, want) < tolerance::spectrum_double * (9.0 * d));
    }
  }
}

BOOST_AUTO_TEST_CASE(float_tables_are_summed_in_double) {
  const Matrix<float> table = made::normal<float>(300, 20, 2);
  Matrix<double> same = matrix<double>(300, 20);
  std::copy(table.data(), table.data() + table.size(), same.data());
  const std::vector<double> a = spectrum(table, Centring::centred), b = spectrum(same, Centring::centred);
  BOOST_TEST(made::worst_difference(a, b) == 0.0);
}

BOOST_AUTO_TEST_CASE(dimensions_of_known_spectra) {
  const std::vector<double> flat(100, 2.0), one = {5, 0, 0}, two = {3, 1};
  const EffectiveDimension all = effective_dimension(flat), single = effective_dimension(one);
  BOOST_TEST(all.stable_rank == 100.0);
  BOOST_TEST(all.participation_ratio == 100.0);
  BOOST_TEST(all.r90 == 90U);
  BOOST_TEST(all.r99 == 99U);
  BOOST_TEST(all.r999 == 100U);
  BOOST_TEST(single.stable_rank == 1.0);
  BOOST_TEST(single.participation_ratio == 1.0);
  BOOST_TEST(single.r999 == 1U);
  BOOST_TEST(effective_dimension(two).participation_ratio == 1.6);
  BOOST_TEST(effective_dimension(two).stable_rank == 4.0 / 3);
}

BOOST_AUTO_TEST_CASE(unusable_input_is_refused) {
  const std::vector<double> none, zero = {0, 0}, up = {1, 2}, negative = {1, -1};
  BOOST_TEST(made::refused([&] { effective_dimension(none); }, "all 0 eigenvalues are 0"));
  BOOST_TEST(made::refused([&] { effective_dimension(zero); }, "all 2 eigenvalues are 0"));
  BOOST_TEST(made::refused([&] { effective_dimension(up); }, "eigenvalue 1 of 2 is 2 after 1"));
  BOOST_TEST(made::refused([&] { effective_dimension(negative); }, "eigenvalue 1 of 2 is -1"));
  Matrix<double> table = made::normal<double>(4, 3, 1);
  BOOST_TEST(made::refused([&] { spectrum(block(table, 1, 1), Centring::as_is); }, "0 x 3"));
  table(2, 1) = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(
      made::refused([&] { spectrum(table, Centring::as_is); }, "entry (2, 1) of the 4 x 3 table is nan"));
  BOOST_TEST(made::refused([&] { spectrum(table, Centring::centred); }, "column 1 of the 4 x 3"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(low_rank)

BOOST_AUTO_TEST_CASE(stops_early_and_keeps_its_promise) {
  // Eigenvalues 4^-i in a random basis: the tolerance, not the size, decides how many come back.
  const std::size_t n = 60;
  const Matrix<double> basis = orthonormal_rows(made::normal<double>(n, n, 5));
  Matrix<double> scaled = basis;
  for (std::size_t i = 0; i < n; ++i)
    for (double& x : row(scaled, i)) x *= std::pow(2.0, -static_cast<double>(i));
  const Matrix<double> a = gram_columns(scaled);
  std::vector<double> diagonal(n);
  for (std::size_t i = 0; i < n; ++i) diagonal[i] = a(i, i);
  const double trace = sum(diagonal), tol = 1e-8;
  std::size_t columns = 0;
  const std::vector<double> got = low_rank_eigenvalues(
      diagonal,
      [&](std::size_t j, std::span<double> out) {
        ++columns;
        std::copy(row(a, j).begin(), row(a, j).end(), out.begin());
      },
      tol);
  BOOST_TEST(columns == got.size());
  BOOST_TEST(got.size() < 30U);
  BOOST_TEST(trace - sum(got) <= tol * trace);
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double want = std::pow(4.0, -static_cast<double>(i));
    BOOST_TEST(got[i] <= want + tolerance::spectrum_double * trace);
    BOOST_TEST(got[i] >= want - tol * trace);
  }
}

BOOST_AUTO_TEST_CASE(columns_ahead_are_the_same_columns) {
  // Eigenvalues .97^i in a random basis: some two hundred pivots, of which those beyond the 64th come in
  // groups.
  const std::size_t n = 257;
  Matrix<double> scaled = orthonormal_rows(made::normal<double>(n, n, 6));
  for (std::size_t i = 0; i < n; ++i)
    for (double& x : row(scaled, i)) x *= std::pow(0.97, static_cast<double>(i) / 2);
  const Matrix<double> a = gram_columns(scaled);
  std::vector<double> diagonal(n);
  for (std::size_t i = 0; i < n; ++i) diagonal[i] = a(i, i);
  const double trace = sum(diagonal), tol = 1e-2;
  std::size_t columns = 0;
  const std::vector<double> got = low_rank_eigenvalues(
      diagonal,
      [&](std::size_t j, std::span<double> out) {
        ++columns;
        std::copy(row(a, j).begin(), row(a, j).end(), out.begin());
      },
      tol);
  BOOST_TEST((got.size() > 100 && got.size() < n));
  BOOST_TEST((columns > got.size() && columns < 4 * got.size()));
  BOOST_TEST(trace - sum(got) <= tol * trace);
  BOOST_TEST(trace - sum(got) >= 0);
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double want = std::pow(0.97, static_cast<double>(i));
    BOOST_TEST(got[i] <= want + tolerance::spectrum_double * trace);
    BOOST_TEST(got[i] >= want - tol * trace);
  }
}

BOOST_AUTO_TEST_CASE(refuses_what_it_cannot_use) {
  const auto column = [](std::size_t, std::span<double>) {};
  BOOST_TEST(made::refused([&] { low_rank_eigenvalues({}, column, 0.1); }, "empty diagonal"));
  BOOST_TEST(made::refused([&] { low_rank_eigenvalues({1}, column, 1.5); }, "tolerance 1.5"));
  BOOST_TEST(made::refused(
      [&] {
        low_rank_eigenvalues({1, -2}, column, 0.1);
      },
      "entry 1 of the diagonal of 2 is -2"));
  BOOST_TEST(low_rank_eigenvalues({0, 0}, column, 0.1).empty());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(sinusoid)

BOOST_AUTO_TEST_CASE(closed_form_agrees_with_the_table) {
  for (const auto& [d, n, base] : {std::tuple<std::size_t, std::size_t, double>{64, 100, 1e4},
                                   {64, 1, 1e4},
                                   {64, 2, 1e4},
                                   {64, 3, 1e4},
                                   {32, 1000, 10.0},
                                   {128, 65, 1e5},
                                   {256, 256, 1e4},
                                   {2, 50, 1e4}}) {
    const std::vector<double> omega = made::frequencies(d, base);
    const SinusoidSpectra got = sinusoid_spectra(omega, n);
    const Matrix<double> table = made::sinusoids<double>(omega, n);
    const double trace = static_cast<double>(d) / 2;
    const std::vector<double> as_is = by_singular_values(table, Centring::as_is);
    const std::vector<double> centred = by_singular_values(table, Centring::centred);
    BOOST_TEST(made::worst_difference(got.uncentred, as_is) < tolerance::sinusoid_spectrum * trace);
    BOOST_TEST(made::worst_difference(got.centred, centred) < tolerance::sinusoid_spectrum * trace);
    BOOST_TEST(std::abs(sum(got.uncentred) - trace) < tolerance::sinusoid_spectrum * trace);
    BOOST_TEST(std::abs(sum(got.centred) - sum(centred)) < tolerance::sinusoid_spectrum * trace);
  }
}

BOOST_AUTO_TEST_CASE(equal_close_and_zero_frequencies) {
  const std::vector<double> omega = {1, 1, 1 + 1e-9, 0.5, 0.5 * (1 - 1e-4), 1e-9, 0, 0, 3};
  const Matrix<double> table = made::sinusoids<double>(omega, 200);
  const SinusoidSpectra got = sinusoid_spectra(omega, 200);
  BOOST_TEST(made::worst_difference(got.uncentred, by_singular_values(table, Centring::as_is)) <
             tolerance::sinusoid_spectrum * 9);
  BOOST_TEST(made::worst_difference(got.centred, by_singular_values(table, Centring::centred)) <
             tolerance::sinusoid_spectrum * 9);
}

BOOST_AUTO_TEST_CASE(a_constant_has_one_direction_and_none_when_centred) {
  const std::vector<double> constant = {0};
  const SinusoidSpectra got = sinusoid_spectra(constant, 10);
  BOOST_REQUIRE(got.uncentred.size() == 1U);
  BOOST_TEST(got.uncentred[0] == 1.0);
  BOOST_TEST(got.centred.empty());
}

BOOST_AUTO_TEST_CASE(effective_dimensions_measured_before) {
  const auto r99 = [](std::size_t d, std::size_t n) {
    return effective_dimension(sinusoid_spectra(made::frequencies(d, 10000), n).uncentred).r99;
  };
  BOOST_TEST(r99(512, 512) == 109U);
  BOOST_TEST(r99(512, 2048) == 186U);
  BOOST_TEST(r99(512, 8192) == 263U);
  BOOST_TEST(r99(384, 512) == 94U);
  BOOST_TEST(r99(768, 512) == 129U);
  BOOST_TEST(effective_dimension(sinusoid_spectra(made::frequencies(512, 10000), 512).centred).r99 == 111U);
}

BOOST_AUTO_TEST_CASE(unusable_frequencies_are_refused) {
  const std::vector<double> none, fast = {0.5, 3.2}, ok = {1};
  BOOST_TEST(made::refused([&] { sinusoid_spectra(none, 3); }, "0 frequencies, 3 positions"));
  BOOST_TEST(made::refused([&] { sinusoid_spectra(ok, 0); }, "1 frequencies, 0 positions"));
  BOOST_TEST(made::refused([&] { sinusoid_spectra(fast, 3); }, "frequency 1 is 3.2"));
}

BOOST_AUTO_TEST_CASE(directions_below_rounding_do_not_count) {
  // Turned, so that no entry is 0 any more: variances of 1, just above and just below the bound, and of 0.
  constexpr std::size_t d = 6;
  const Matrix<double> turn = orthonormal_rows(made::normal<double>(d, d, 77));
  const auto rank_of = [&](std::initializer_list<double> variances) {
    Matrix<double> scaled = leading_rows(turn, variances.size());
    std::size_t i = 0;
    for (const double variance : variances) {
      for (double& x : row(scaled, i)) x *= std::sqrt(variance);
      ++i;
    }
    return numerical_rank(gram_columns(scaled), 1e-10);
  };
  BOOST_TEST(rank_of({1, 1, 1, 1, 1, 1}) == 6U);
  BOOST_TEST(rank_of({1, 0.5, 1.1e-10}) == 3U);
  BOOST_TEST(rank_of({1e9, 0.5e9, 0.11, 0.09}) == 3U);
  BOOST_TEST(numerical_rank(Matrix<double>(xt::zeros<double>({d, d})), 1e-10) == 0U);
  const std::vector<double> rising = {-1e-17, 1e-12, 1e-9, 1}, none;
  BOOST_TEST(numerical_rank(rising, 1e-10) == 2U);
  BOOST_TEST(numerical_rank(rising, 1e-6) == 1U);
  BOOST_TEST(numerical_rank(none, 1e-10) == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
