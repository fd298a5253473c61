#include "perp/measures/kernel.hpp"

#include <boost/test/unit_test.hpp>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/theory/distance.hpp"
#include "tests/lib/measures/made.hpp"
#include "tests/tolerance.hpp"

using namespace perp;

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

BOOST_AUTO_TEST_CASE(whole_numbers_are_summed_exactly_and_every_entry_once) {
  // Scores a step of 1/4 apart, all sums exact but the division: the mean is right to its last bits.
  const auto score = [](std::size_t t, std::size_t s) {
    return static_cast<double>((t * 31 + s * s * 17) % 64) / 4;
  };
  const LagStatistics got = lags_of(830, score, 2);
  BOOST_TEST(agrees(got, score, tolerance::merged_mean * 16));
  BOOST_TEST(lag_squares(got).entries == 830.0 * 830);
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
