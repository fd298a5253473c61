// Second moments, LayerNorm, spectra, one look at a table, its coordinates and kernels of positions, against their
// definitions. Numbers: reference.cpp.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/concentration.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/measures/rows.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/measures/stream_table.hpp"
#include "perp/random/draws.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/vectors/positions.hpp"
#include "tests/lib/measures/made.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(measures_outer)

namespace {

/// Columns of unequal spread about a mean that is not 0; more rows than a tile of `mean_outer_product`.
template <class T>
Matrix<T> uneven() {
  Matrix<T> table = made::normal<T>(5000, 6, 1);
  for (std::size_t i = 0; i < rows(table); ++i)
    for (std::size_t j = 0; j < cols(table); ++j) table(i, j) = T(j + 1) * table(i, j) + T(3);
  return table;
}

/// `relative`: of the largest entry, 5000 roundings of 2^-53, or some of 2^-24.
template <class T>
void check_moments(double relative) {
  const Matrix<T> table = uneven<T>();
  const Matrix<double> got = covariance(table);
  const double n = static_cast<double>(rows(table));
  double square = 0;
  for (std::size_t i = 0; i < cols(table); ++i)
    for (std::size_t j = 0; j < cols(table); ++j) {
      double both = 0, one = 0, other = 0;
      for (std::size_t r = 0; r < rows(table); ++r) {
        const double a = table(r, i), b = table(r, j);
        both += a * b / n;
        one += a / n;
        other += b / n;
      }
      BOOST_TEST(std::abs(got(i, j) - (both - one * other)) < 36 * relative);
      if (i == j) square += both;
    }
  BOOST_TEST(std::abs(mean_square_length(table) / square - 1) < 5000 * 0x1p-53);
}

}  // namespace

BOOST_AUTO_TEST_CASE(covariance_and_mean_square_length_are_what_they_say) {
  check_moments<double>(5000 * 0x1p-53);
  check_moments<float>(100 * 0x1p-24);
  BOOST_TEST(std::isnan(mean_square_length(zeros<float>(0, 3))));
}

BOOST_AUTO_TEST_CASE(whitened_rows_have_covariance_one) {
  const Matrix<double> table = uneven<double>(), map = whitening(covariance(table)),
                       white = covariance(product_nt(table, map));
  for (std::size_t i = 0; i < rows(white); ++i)
    for (std::size_t j = 0; j < rows(white); ++j)
      BOOST_TEST(std::abs(white(i, j) - (i == j ? 1 : 0)) < 5000 * 0x1p-53 * 36);
  // Two columns of one number, and two that differ by 1e-8 of it.
  Matrix<double> singular = zeros<double>(2, 2);
  singular(0, 0) = singular(0, 1) = singular(1, 0) = singular(1, 1) = 1;
  BOOST_TEST(whitening(singular).size() == 0U);
  singular(1, 1) = 1 + 4e-15;
  BOOST_TEST(whitening(singular).size() == 0U);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(layernorm)

BOOST_AUTO_TEST_CASE(equal_values_become_the_bias) {
  Matrix<double> table = matrix<double>(1, 5);
  for (double& x : table) x = .1;
  const std::vector<double> gain(5, 7), bias{1, 2, 3, 4, 5};
  const Matrix<double> got = layer_norm(table, gain, bias);
  BOOST_TEST(made::worst_difference(row(got, 0), bias) < 1e-12);
}

BOOST_AUTO_TEST_CASE(a_block_of_a_larger_table) {
  const Matrix<double> table = made::normal<double>(6, 8, 3);
  const View<double> left = block(table, 0, 6, 5);
  BOOST_TEST(made::worst_difference(layer_norm(left), layer_norm(converted<double>(left))) == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(spectra)

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
  Matrix<double> table = matrix<double>(n, 2 * omega.size());  // (sin ω_i t, cos ω_i t)
  for (std::size_t t = 0; t < n; ++t)
    for (std::size_t i = 0; i < omega.size(); ++i) {
      table(t, 2 * i) = std::sin(omega[i] * static_cast<double>(t));
      table(t, 2 * i + 1) = std::cos(omega[i] * static_cast<double>(t));
    }
  const double bound = tolerance::sinusoid_spectrum * static_cast<double>(omega.size());
  const std::vector<double> as_is = spectrum(table, Centring::as_is),
                            centred = spectrum(table, Centring::centred);
  BOOST_TEST(made::worst_difference(got.uncentred, as_is) < bound);
  BOOST_TEST(made::worst_difference(got.centred, centred) < bound);
  BOOST_TEST(std::abs(sum(got.uncentred) - static_cast<double>(omega.size())) < bound);
  BOOST_TEST(std::abs(sum(got.centred) - sum(centred)) < bound);
}

}  // namespace

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
  check_sinusoids(frequencies(64, 1e4), 100);
  for (const std::size_t n : {1, 2, 3}) check_sinusoids(frequencies(64, 1e4), n);
  check_sinusoids(frequencies(32, 10), 1000);
  check_sinusoids(frequencies(128, 1e5), 65);
  check_sinusoids(frequencies(256, 1e4), 256);
  check_sinusoids(frequencies(2, 1e4), 50);
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

BOOST_AUTO_TEST_SUITE(measures_stream_table)

namespace {

/// Normal rows about a common mean, row 7 of them 0.
Matrix<float> rows_with_mean(std::size_t count, std::size_t d, float mean) {
  Matrix<float> table = made::normal<float>(count, d, 1);
  for (float& x : table) x += mean;
  std::ranges::fill(row(table, 7), 0.0F);
  return table;
}

bool same_bytes(const Matrix<double>& a, const Matrix<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// The stream in pieces of at most `most` rows.
RowStream in_pieces(const Matrix<float>& table, std::size_t most) {
  RowStream whole = stream_of(table, "pieces");
  return {"pieces", whole.cols, [next = whole.next, most](std::size_t wanted, float* out) {
            return next(std::min(most, wanted), out);
          }};
}

}  // namespace

BOOST_AUTO_TEST_CASE(pieces_and_threads_change_nothing) {
  const Matrix<float> table = rows_with_mean(20'000, 17, 2), beside = rows_with_mean(40, 17, 0);
  const UnitRows unit = unit_rows(beside);
  const TableSums one = stream_table(stream_of(table, "table"), {1, unit.rows, 50});
  for (const std::size_t threads : {2U, 3U, 7U})
    for (const std::size_t piece : {20'000U, 611U}) {
      const TableSums other = stream_table(in_pieces(table, piece), {threads, unit.rows, 50});
      BOOST_TEST(same_bytes(one.as_is, other.as_is));
      BOOST_TEST(same_bytes(one.centred, other.centred));
      BOOST_TEST(same_bytes(one.directions, other.directions));
      BOOST_TEST(one.norms == other.norms);
      BOOST_TEST(one.unit_sum == other.unit_sum);
      BOOST_TEST(one.max_abs_cosine == other.max_abs_cosine);
      BOOST_TEST(one.cosines->counts() == other.cosines->counts());
    }
  BOOST_TEST(one.max_abs_cosine == cosines_between(unit_rows(table).rows, unit.rows, 1, 1).max_abs);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(measures_concentration)

namespace {

Stream rotations(std::uint64_t seed = 1) { return stream(seed, "test", "concentration", 0, "rotation"); }

}  // namespace

BOOST_AUTO_TEST_CASE(of_variances_by_hand) {
  const Concentration one = concentration(std::vector{0.0, 3.0, 0.0, 0.0});
  BOOST_TEST(one.participation_ratio == 1);
  BOOST_TEST(one.leading_share == 1);
  const Concentration even = concentration(std::vector<double>(40, 1e-300));
  BOOST_TEST(std::abs(even.participation_ratio - 40) < tolerance::plain_sum * 40);
  BOOST_TEST(std::abs(even.leading_share - 0.05) < tolerance::plain_sum);
  BOOST_TEST(std::abs(concentration(std::vector{1.0, 3.0}).participation_ratio - 1.6) < tolerance::plain_sum);
  for (const auto& [d, columns] : {std::pair{1U, 1U}, {9U, 1U}, {30U, 2U}, {384U, 19U}, {768U, 38U}})
    BOOST_TEST(leading_columns(d) == columns);
  Matrix<double> table = zeros<double>(2, 2);
  table(1, 0) = 4;
  BOOST_TEST((column_variances(table) == std::vector{4.0, 0.0}));
}

BOOST_AUTO_TEST_CASE(what_holds_a_part_and_what_is_refused) {
  for (const std::vector<double>& none : {std::vector<double>{}, {0, 0}, {3, -1}, {1, NAN}, {1, INFINITY}})
    check_refusal([&] { concentration(none); }, "");
  Matrix<double> covariance = zeros<double>(3, 3);
  covariance(0, 0) = 1, covariance(1, 1) = 5, covariance(2, 2) = 4, covariance(0, 1) = 9;
  BOOST_TEST((variance_shares(covariance) == std::vector{0.1, 0.5, 0.4}));
  const auto holding = [](double part) { return columns_holding(std::vector{0.25, 0.5, 0.25}, part); };
  BOOST_TEST((holding(0.5) == std::vector<std::size_t>{1}));
  BOOST_TEST((holding(0.6) == std::vector<std::size_t>{1, 0}));  // of equal ones the first
  BOOST_TEST((holding(1) == std::vector<std::size_t>{1, 0, 2}));
  BOOST_TEST(holding(0).empty());
  BOOST_TEST(holding(1.1).size() == 3U);
}

// Σv² of a rotation has the mean ((Σλ)² + 2Σλ²)/(d + 2): second moments of uniform directions.
BOOST_AUTO_TEST_CASE(rotations_have_the_exact_mean) {
  constexpr std::size_t d = 24, draws = 4000;
  std::vector<double> few(d, 0.0);
  few[3] = 5, few[7] = 2, few[8] = 1;
  std::vector<double> all;
  for (std::size_t i = 0; i < d; ++i) all.push_back(1 / double(1 + i));
  for (const std::vector<double>& eigenvalues : {few, all}) {
    double sum = 0, square = 0;
    for (const double x : eigenvalues) sum += x, square += x * x;
    MomentSums shares;
    for (const Concentration& draw : turned_concentrations(eigenvalues, draws, rotations(), 2))
      shares.add(1 / draw.participation_ratio);
    const double expected = (sum * sum + 2 * square) / (double(d) + 2) / (sum * sum);
    // A false alarm in 16,000 runs, were the numbers drawn anew.
    BOOST_TEST(std::abs(shares.moments().mean - expected) < 4 * standard_error(shares.moments()));
  }
  // Equal eigenvalues stay as they are.
  const auto same = turned_concentrations(std::vector<double>(d, 2.0), 3, rotations(), 1);
  for (const Concentration& draw : same) BOOST_TEST(std::abs(draw.participation_ratio - double(d)) < 1e-9);
}

BOOST_AUTO_TEST_CASE(rotations_are_the_streams_own_on_any_threads) {
  const std::vector<double> eigenvalues{4, 3, 2, 1, 0, 0, 0, 0};
  const auto one = turned_concentrations(eigenvalues, 20, rotations(), 1),
             three = turned_concentrations(eigenvalues, 20, rotations(), 3),
             other = turned_concentrations(eigenvalues, 20, rotations(2), 1);
  for (std::size_t i = 0; i < one.size(); ++i) {
    BOOST_TEST(one[i].participation_ratio == three[i].participation_ratio);
    BOOST_TEST(one[i].participation_ratio != other[i].participation_ratio);
    if (i > 0) BOOST_TEST(one[i].participation_ratio != one[i - 1].participation_ratio);
  }
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

/// Compares every lag with the definition in long double; `e` bounds the error of a score and of a mean.
template <class Score>
bool agrees(const LagStatistics& got, Score score, double e) {
  for (std::size_t i = 0; i < got.mean.size(); ++i) {
    const std::int64_t lag = got.lag(i);
    const std::size_t first = lag < 0 ? static_cast<std::size_t>(-lag) : 0,
                      count = got.length - static_cast<std::size_t>(std::abs(lag));
    const auto entry = [&](std::size_t t) {
      return static_cast<long double>(
          score(first + t, static_cast<std::size_t>(static_cast<std::int64_t>(first + t) + lag)));
    };
    long double mean = 0, worst = 0, square = 0;
    for (std::size_t t = 0; t < count; ++t) mean += entry(t) / static_cast<long double>(count);
    for (std::size_t t = 0; t < count; ++t) {
      const long double off = std::abs(entry(t) - mean);
      worst = std::max(worst, off);
      square += off * off;
    }
    const auto n = static_cast<double>(count), w = static_cast<double>(worst);
    if (got.at(lag) != i || got.count[i] != count || std::abs(got.mean[i] - static_cast<double>(mean)) > e ||
        std::abs(got.worst_deviation[i] - w) > 2 * e ||
        std::abs(got.square_deviation[i] - static_cast<double>(square)) > n * e * (4 * w + 4 * e))
      return false;
  }
  return true;
}

bool same_bytes(const LagStatistics& a, const LagStatistics& b) {
  return a.mean == b.mean && a.worst_deviation == b.worst_deviation &&
         a.square_deviation == b.square_deviation && a.count == b.count && a.length == b.length &&
         a.symmetric == b.symmetric;
}

template <class T>
void check_against_definition(std::size_t length, std::size_t d) {
  const Matrix<T> a = made::normal<T>(length, d, length), b = made::normal<T>(length, d, length + 7);
  const auto product = [](const Matrix<T>& x, const Matrix<T>& y) {
    return [&](std::size_t t, std::size_t s) { return dot(row(x, t), row(y, s)); };
  };
  const double norm_a = std::ranges::max(row_norms(a)), norm_b = std::ranges::max(row_norms(b)),
               e = tolerance::lag_mean<T>(d) * norm_a * std::max(norm_a, norm_b);
  const LagStatistics both = lag_statistics(a, b, 2), own = lag_statistics(a, 2);
  BOOST_TEST(both.mean.size() == 2 * length - 1);
  BOOST_TEST(own.mean.size() == length);
  BOOST_TEST(agrees(both, product(a, b), e));
  BOOST_TEST(agrees(own, product(a, a), e));
}

/// Of scores by a formula.
template <class Score>
LagStatistics lags_of(std::size_t length, Score score, std::size_t threads = 1) {
  const ScoreTile<double> tile = [score](std::size_t r0, std::size_t r1, std::size_t c0, std::size_t c1,
                                         double* out) {
    for (std::size_t t = r0; t < r1; ++t)
      for (std::size_t s = c0; s < c1; ++s) *out++ = score(t, s);
  };
  return lag_statistics_of<double>(length, false, tile, threads);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(kernel)

BOOST_AUTO_TEST_CASE(agrees_with_the_definition_at_every_edge_of_the_tiles) {
  for (const std::size_t length : {1, 2, 3, 5, 255, 256, 257, 300, 511, 512, 513, 769, 1100}) {
    check_against_definition<double>(length, 3);
    check_against_definition<float>(length, 5);
  }
}

BOOST_AUTO_TEST_CASE(small_deviations_from_large_means_survive) {
  const auto small = [](std::size_t t, std::size_t s) {
    return static_cast<double>((t * 7 + s * 13) % 32) / 1024;
  };
  const LagStatistics alone = lags_of(600, small),
                      raised = lags_of(600, [&](std::size_t t, std::size_t s) {
                        return 1e8 * (1 + static_cast<double>(s > t ? s - t : t - s)) + small(t, s);
                      });
  BOOST_TEST(std::abs(lag_squares(raised).within / lag_squares(alone).within - 1) <
             tolerance::shifted_squares);
}

BOOST_AUTO_TEST_CASE(the_same_bytes_for_every_number_of_threads) {
  const Matrix<float> a = made::normal<float>(1500, 16, 1), b = made::normal<float>(1500, 16, 2);
  for (const std::size_t threads : {2, 7}) {
    BOOST_TEST(same_bytes(lag_statistics(a, b, threads), lag_statistics(a, b, 1)));
    BOOST_TEST(same_bytes(lag_statistics(a, threads), lag_statistics(a, 1)));
  }
}

BOOST_AUTO_TEST_SUITE_END()
