#include "perp/measures/kernel.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>

#include "perp/base/linalg.hpp"
#include "perp/theory/distance.hpp"
#include "tests/measures/made.hpp"
#include "tests/tolerance.hpp"

using namespace perp;

namespace {

/// One diagonal by the definition, in long double.
struct Diagonal {
  long double mean = 0, worst = 0, square = 0;
};
template <class Score>
Diagonal by_definition(std::size_t length, std::int64_t lag, Score score) {
  const std::size_t t0 = lag < 0 ? static_cast<std::size_t>(-lag) : 0,
                    n = length - static_cast<std::size_t>(std::abs(lag));
  const auto entry = [&](std::size_t i) {
    return static_cast<long double>(
        score(t0 + i, static_cast<std::size_t>(static_cast<std::int64_t>(t0 + i) + lag)));
  };
  Diagonal out;
  for (std::size_t i = 0; i < n; ++i) out.mean += entry(i) / static_cast<long double>(n);
  for (std::size_t i = 0; i < n; ++i) {
    const long double off = std::abs(entry(i) - out.mean);
    out.worst = std::max(out.worst, off);
    out.square += off * off;
  }
  return out;
}

/// Compares every lag; `e` bounds the error of a score and of a mean.
template <class Score>
bool agrees(const LagStatistics& got, Score score, double e) {
  for (std::size_t i = 0; i < got.mean.size(); ++i) {
    const std::int64_t lag = got.lag(i);
    const Diagonal want = by_definition(got.length, lag, score);
    const double n = static_cast<double>(got.length) - std::abs(static_cast<double>(lag));
    const double worst = static_cast<double>(want.worst);
    const bool ok =
        got.at(lag) == i && static_cast<double>(got.count[i]) == n &&
        std::abs(got.mean[i] - static_cast<double>(want.mean)) <= e &&
        std::abs(got.worst_deviation[i] - worst) <= 2 * e &&
        std::abs(got.square_deviation[i] - static_cast<double>(want.square)) <= n * e * (4 * worst + 4 * e);
    if (!ok) {
      BOOST_TEST_MESSAGE("L " << got.length << " lag " << lag << ": " << got.mean[i] << " "
                              << got.worst_deviation[i] << " " << got.square_deviation[i] << ", expected "
                              << want.mean << " " << want.worst << " " << want.square);
      return false;
    }
  }
  return true;
}

bool same_bytes(const LagStatistics& a, const LagStatistics& b) {
  return a.mean == b.mean && a.worst_deviation == b.worst_deviation &&
         a.square_deviation == b.square_deviation && a.count == b.count && a.length == b.length &&
         a.max_lag == b.max_lag && a.symmetric == b.symmetric;
}

template <class T>
double largest_norm(const Matrix<T>& table) {
  double most = 0;
  for (std::size_t r = 0; r < rows(table); ++r) {
    double square = 0;
    for (const T x : row(table, r)) square += static_cast<double>(x) * static_cast<double>(x);
    most = std::max(most, std::sqrt(square));
  }
  return most;
}

template <class T>
void check_against_definition(std::size_t length, std::size_t d) {
  const Matrix<T> a = made::normal<T>(length, d, length), b = made::normal<T>(length, d, length + 7);
  const auto dot = [](const Matrix<T>& x, const Matrix<T>& y) {
    return [&x, &y](std::size_t t, std::size_t s) {
      double sum = 0;
      for (std::size_t j = 0; j < cols(x); ++j)
        sum += static_cast<double>(x(t, j)) * static_cast<double>(y(s, j));
      return sum;
    };
  };
  const double e = tolerance::lag_mean<T>(d) * largest_norm(a) * std::max(largest_norm(a), largest_norm(b));
  const LagStatistics both = lag_statistics(a, b, 2), own = lag_statistics(a, 2);
  BOOST_TEST(both.mean.size() == 2 * length - 1);
  BOOST_TEST(own.mean.size() == length);
  BOOST_TEST(agrees(both, dot(a, b), e));
  BOOST_TEST(agrees(own, dot(a, a), e));
}

/// Scores by a formula.
template <class Score>
ScoreTile<double> tile_of(Score score) {
  return [score](std::size_t r0, std::size_t r1, std::size_t c0, std::size_t c1, double* out) {
    for (std::size_t t = r0; t < r1; ++t)
      for (std::size_t s = c0; s < c1; ++s) *out++ = score(t, s);
  };
}

}  // namespace

BOOST_AUTO_TEST_SUITE(kernel)

BOOST_AUTO_TEST_CASE(agrees_with_the_definition_at_every_edge_of_the_tiles) {
  for (const std::size_t length : {1, 2, 3, 5, 255, 256, 257, 300, 511, 512, 513, 769, 1100}) {
    check_against_definition<double>(length, 3);
    check_against_definition<float>(length, 5);
  }
}

BOOST_AUTO_TEST_CASE(whole_numbers_are_summed_exactly_and_every_entry_once) {
  // Scores a step of 1/4 apart, all sums exact but the division: the mean is right to its last bits.
  const auto score = [](std::size_t t, std::size_t s) {
    return static_cast<double>((t * 31 + s * s * 17) % 64) / 4;
  };
  const std::size_t length = 830;
  const LagStatistics got = lag_statistics_of<double>(length, false, tile_of(score), 2);
  BOOST_TEST(agrees(got, score, tolerance::merged_mean * 16));
  std::uint64_t entries = 0;
  for (const std::uint64_t n : got.count) entries += n;
  BOOST_TEST(entries == length * length);
  BOOST_TEST(lag_squares(got).entries == static_cast<double>(length * length));
}

BOOST_AUTO_TEST_CASE(small_deviations_from_large_means_survive) {
  const auto score = [](std::size_t t, std::size_t s) {
    return 1e8 * (1 + static_cast<double>(s > t ? s - t : t - s)) +
           static_cast<double>((t * 7 + s * 13) % 32) / 1024;
  };
  const LagStatistics got = lag_statistics_of<double>(600, false, tile_of(score), 1);
  double within = 0;
  for (std::size_t i = 0; i < got.mean.size(); ++i)
    within += static_cast<double>(by_definition(600, got.lag(i), score).square);
  BOOST_TEST(std::abs(lag_squares(got).within / within - 1) < tolerance::shifted_squares);
}

BOOST_AUTO_TEST_CASE(the_same_bytes_for_every_number_of_threads) {
  const Matrix<float> a = made::normal<float>(1500, 16, 1), b = made::normal<float>(1500, 16, 2);
  const View<float> va = a, vb = b;
  const LagStatistics both = lag_statistics(va, vb, 1), own = lag_statistics(va, 1);
  for (const std::size_t threads : {2, 7}) {
    BOOST_TEST(same_bytes(lag_statistics(va, vb, threads), both));
    BOOST_TEST(same_bytes(lag_statistics(va, threads), own));
  }
}

BOOST_AUTO_TEST_CASE(fewer_lags_are_the_same_lags) {
  const Matrix<double> a = made::normal<double>(1200, 6, 3), b = made::normal<double>(1200, 6, 4);
  const View<double> va = a, vb = b;
  const LagStatistics all = lag_statistics(va, vb, 2), own = lag_statistics(va, 2);
  for (const std::size_t most : {std::size_t{0}, std::size_t{1}, std::size_t{300}, std::size_t{700}}) {
    const LagStatistics some = lag_statistics(va, vb, 2, most), half = lag_statistics(va, 2, most);
    BOOST_TEST(some.mean.size() == 2 * most + 1);
    BOOST_TEST(half.mean.size() == most + 1);
    bool same = true;
    for (std::size_t i = 0; i < some.mean.size(); ++i) {
      const std::size_t j = all.at(some.lag(i));
      same = same && some.mean[i] == all.mean[j] && some.worst_deviation[i] == all.worst_deviation[j];
    }
    for (std::size_t i = 0; i < half.mean.size(); ++i) same = same && half.mean[i] == own.mean[i];
    BOOST_TEST(same);
  }
}

BOOST_AUTO_TEST_CASE(sinusoids_depend_on_the_lag_alone) {
  const std::vector<double> omega = made::frequencies(512, 10000);
  const std::size_t length = 1024, d = 512;
  const Matrix<double> table = made::sinusoids<double>(omega, length);
  const LagStatistics got = lag_statistics(table, 2);
  const double e = tolerance::sinusoid_product(d, length);
  BOOST_TEST(worst_deviation(got) < 2 * e);
  BOOST_TEST(1 - toeplitz_r2(got) < e);
  double off = 0;
  for (std::size_t k = 0; k < length; ++k)
    off = std::max(off, std::abs(got.mean[k] - theory::kernel_exact(d, 10000, static_cast<double>(k))));
  BOOST_TEST(off < e);
  BOOST_TEST(std::abs(got.mean[1] / 256 - 0.9731) < tolerance::rounded(1e-4));
  BOOST_TEST(std::abs(got.mean[10] / 256 - 0.6789) < tolerance::rounded(1e-4));
  BOOST_TEST(std::abs(got.mean[100] / 256 - 0.4373) < tolerance::rounded(1e-4));
  const Matrix<float> rounded = made::sinusoids<float>(omega, length);
  const LagStatistics coarse = lag_statistics(rounded, 2);
  BOOST_TEST(worst_deviation(coarse) > 100 * worst_deviation(got));
  BOOST_TEST(worst_deviation(coarse) < 2 * tolerance::inner_product<float>(d) * 256);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(toeplitz)

BOOST_AUTO_TEST_CASE(defect_and_r2_by_hand) {
  // S = [1 2; 5 3]: lag means 2 (1 and 3), 2 and 5; mean 11/4.
  const auto score = [](std::size_t t, std::size_t s) {
    return t == s ? 1.0 + 2.0 * static_cast<double>(t) : t == 0 ? 2.0 : 5.0;
  };
  const LagStatistics got = lag_statistics_of<double>(2, false, tile_of(score), 1);
  const LagSquares squares = lag_squares(got);
  BOOST_TEST(squares.within == 2.0);
  BOOST_TEST(squares.total == 39.0);
  BOOST_TEST(squares.mean == 2.75);
  BOOST_TEST(squares.between == 6.75);
  BOOST_TEST(toeplitz_defect(got) == std::sqrt(2.0 / 39));
  BOOST_TEST(toeplitz_r2(got) == 6.75 / 8.75);
  BOOST_TEST(worst_deviation(got) == 1.0);
}

BOOST_AUTO_TEST_CASE(symmetric_scores_give_the_same_either_way) {
  const Matrix<double> a = made::normal<double>(600, 4, 9);
  const View<double> view = a;
  const LagStatistics half = lag_statistics(view, 2), full = lag_statistics(view, view, 2);
  BOOST_TEST(std::abs(toeplitz_r2(half) - toeplitz_r2(full)) < tolerance::shifted_squares);
  BOOST_TEST(std::abs(toeplitz_defect(half) - toeplitz_defect(full)) < tolerance::shifted_squares);
  BOOST_TEST(lag_parity(half).odd_share == 0.0);
  BOOST_TEST(lag_parity(full).odd_share < tolerance::shifted_squares);
  BOOST_TEST(half.at(-5) == half.at(5));
}

BOOST_AUTO_TEST_CASE(independent_scores_reach_the_null) {
  const std::size_t length = 64, draws = 200;
  double sum = 0, square = 0;
  for (std::size_t i = 0; i < draws; ++i) {
    const Matrix<double> scores = made::normal<double>(length, length, 1000 + i);
    const double r2 = toeplitz_r2(lag_statistics_of<double>(
        length, false, tile_of([&](std::size_t t, std::size_t s) { return scores(t, s); }), 1));
    sum += r2 / draws;
    square += r2 * r2 / draws;
  }
  const double error = std::sqrt((square - sum * sum) / draws);
  BOOST_TEST(std::abs(sum - theory::toeplitz_null(length)) < tolerance::five_sigma(error));
}

BOOST_AUTO_TEST_CASE(before_and_after_are_told_apart_by_the_odd_part_alone) {
  const auto share = [](auto score) {
    return lag_parity(lag_statistics_of<double>(50, false, tile_of(score), 1)).odd_share;
  };
  const auto lag = [](std::size_t t, std::size_t s) {
    return static_cast<double>(s) - static_cast<double>(t);
  };
  BOOST_TEST(share([&](std::size_t t, std::size_t s) { return 3 + lag(t, s); }) == 1.0);
  BOOST_TEST(share([&](std::size_t t, std::size_t s) { return std::abs(lag(t, s)); }) == 0.0);
  BOOST_TEST(share([](std::size_t, std::size_t) { return 2.0; }) == 0.0);
  // M = aI + bJ: a Σ cos ω k + b Σ sin ω k; the parts come back, and the scores are still Toeplitz.
  const std::vector<double> omega = {0.4, 0.05};
  const Matrix<double> table = made::sinusoids<double>(omega, 300);
  Matrix<double> m = zeros<double>(4, 4);
  for (std::size_t i = 0; i < 4; i += 2) {
    m(i, i) = m(i + 1, i + 1) = 2;
    m(i, i + 1) = -0.5;
    m(i + 1, i) = 0.5;
  }
  const Matrix<double> queries = product(table, m);
  const LagStatistics got = lag_statistics(queries, table, 1);
  const LagParity parity = lag_parity(got);
  double off = 0;
  for (std::size_t k = 0; k < 300; ++k) {
    const double x = static_cast<double>(k);
    off = std::max({off, std::abs(parity.even[k] - 2 * (std::cos(0.4 * x) + std::cos(0.05 * x))),
                    std::abs(parity.odd[k] - 0.5 * (std::sin(0.4 * x) + std::sin(0.05 * x)))});
  }
  BOOST_TEST(off < tolerance::sinusoid_product(8, 300));
  BOOST_TEST(1 - toeplitz_r2(got) < tolerance::sinusoid_product(8, 300));
  BOOST_TEST(parity.odd_share > 0.03);
  BOOST_TEST(parity.odd_share < 0.1);
}

BOOST_AUTO_TEST_CASE(unusable_input_is_refused) {
  Matrix<float> a = made::normal<float>(5, 4, 1);
  const Matrix<float> narrow = made::normal<float>(5, 3, 1), longer = made::normal<float>(6, 4, 1);
  const View<float> va = a, none = block(a, 2, 2);
  BOOST_TEST(made::refused([&] { lag_statistics(va, narrow, 1); }, "a is 5 x 4, b is 5 x 3"));
  BOOST_TEST(made::refused([&] { lag_statistics(va, longer, 1); }, "a is 5 x 4, b is 6 x 4"));
  BOOST_TEST(made::refused([&] { lag_statistics(none, 1); }, "an empty table, 0 x 4"));
  BOOST_TEST(made::refused([&] { lag_statistics(va, 1, 5); }, "a lag of 5 between 5 positions; at most 4"));
  BOOST_TEST(made::refused([&] { lag_statistics(va, va, 1, 9); }, "a lag of 9 between 5"));
  BOOST_TEST(made::refused([&] { lag_statistics(va, 1).at(5); }, "lag 5 was asked for; lags up to 4 of 5"));
  BOOST_TEST(
      made::refused([&] { lag_statistics(va, va, 1, 2).at(-3); }, "lag -3 was asked for; lags up to 2"));
  a(3, 1) = std::numeric_limits<float>::infinity();
  BOOST_TEST(made::refused([&] { lag_statistics(va, 1); }, "row 3 of the 5 x 4 table a"));
  a(3, 1) = std::numeric_limits<float>::quiet_NaN();
  BOOST_TEST(made::refused([&] { lag_statistics(longer, longer, 1, 6); }, "at most 5"));
  BOOST_TEST(made::refused([&] { lag_statistics(va, va, 1); }, "row 3 of the 5 x 4 table a"));
  a(3, 1) = 3e38F;
  BOOST_TEST(made::refused([&] { lag_statistics(va, 1); }, "not finite or too large"));
  const auto constant = [](double value) {
    return lag_statistics_of<double>(4, false, tile_of([value](std::size_t, std::size_t) { return value; }),
                                     1);
  };
  BOOST_TEST(made::refused([&] { toeplitz_defect(constant(0)); }, "all scores of 4 positions are 0"));
  BOOST_TEST(made::refused([&] { toeplitz_r2(constant(2)); }, "all scores of 4 positions are 2"));
  BOOST_TEST(toeplitz_defect(constant(2)) == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()
