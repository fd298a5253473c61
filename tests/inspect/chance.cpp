// How often chance alone is said to be more than that: among tables and rotations that nothing relates.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/concentration.hpp"
#include "perp/random/normal.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/theory/overlap.hpp"
#include "studies/inspect/opening.hpp"

using namespace perp;
using namespace perp::inspect;

namespace {

/// A count of so many draws, a thousandth of which is expected at most: a right program has more once in 10^6 runs
/// (Poisson's tail from 46 at a mean of 20, and from 17 at a mean of 4).
struct Rate {
  std::size_t draws, most;
};
constexpr Rate many{20'000, 46}, few{4'000, 17};

Stream draws_of(const char* what) { return stream(1, "test", "chance", 0, what); }

TableNumbers numbers_of(const Matrix<double>& table) {
  std::vector<double> sum(cols(table), 0.0);
  for (std::size_t i = 0; i < rows(table); ++i) {
    const double norm = std::sqrt(dot(row(table, i), row(table, i)));
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += table(i, j) / norm;
  }
  TableNumbers out;
  out.rows = rows(table);
  out.dim = cols(table);
  const double n = rows(table);
  out.mean_cosine = (dot(sum, sum) - n) / (n * (n - 1));
  return out;
}

/// An eigenvalue each of a spectrum that falls off as a power of its place.
std::vector<double> power(std::size_t d, double exponent, std::size_t rank) {
  std::vector<double> values(d, 0.0);
  for (std::size_t i = 0; i < rank; ++i) values[i] = std::pow(i + 1.0, -exponent);
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  for (double& x : values) x /= sum;
  return values;
}

theory::TraceMoments moments(const std::vector<double>& values) {
  theory::TraceMoments out;
  for (const double x : values) out.first += x, out.second += x * x, out.third += x * x * x;
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(inspect_chance)

BOOST_AUTO_TEST_CASE(a_common_direction_of_independent_rows_is_one_in_a_thousand) {
  for (const auto& [n, d] : {std::pair{30, 4}, {100, 2}, {8, 8}, {20, 16}}) {
    std::size_t departs = 0, by_three_deviations = 0;
    for (std::size_t draw = 0; draw < many.draws; ++draw) {
      const AgainstChance cosine =
          mean_cosine_against_chance(numbers_of(normal_matrix<double>(n, d, draws_of("rows"), draw * n * d)));
      departs += cosine.departs();
      by_three_deviations += std::abs(cosine.departure()) >= 3;
    }
    BOOST_TEST(departs <= many.most, n << " x " << d << ": " << departs);
    // As it would be were the law normal: 27 in ten thousand.
    BOOST_TEST(by_three_deviations > 100U);
  }
}

BOOST_AUTO_TEST_CASE(an_overlap_with_a_turned_table_is_one_in_a_thousand) {
  for (const std::size_t d : {4, 8, 16})
    for (const auto& [a, b] : {std::pair{power(d, 0, 1), power(d, 0, 1)},
                               {power(d, 0, d / 2), power(d, 0, d / 2)},
                               {power(d, 0, 1), power(d, 0, d - 1)},
                               {power(d, 1, d), power(d, 1, d)},
                               {power(d, 4, d), power(d, .2, d)}}) {
      const theory::TraceMoments of_a = moments(a), of_b = moments(b);
      const theory::OverlapNull null = theory::overlap_null(d, 1, of_a.second, 1, of_b.second);
      const double skew = theory::overlap_skewness(d, of_a, of_b);
      std::size_t departs = 0;
      std::vector<double> cubes;
      for (std::size_t draw = 0; draw < few.draws; ++draw) {
        const Matrix<double> turn =
            orthonormal_rows(normal_matrix<double>(d, d, draws_of("turn"), draw * d * d));
        double value = 0;
        for (std::size_t i = 0; i < d; ++i)
          for (std::size_t j = 0; j < d; ++j) value += a[i] * b[j] * turn(i, j) * turn(i, j);
        const AgainstChance overlap{value, null.mean, null.sd, skew};
        departs += overlap.departs();
        cubes.push_back(std::pow(overlap.departure(), 3));
      }
      BOOST_TEST(departs <= few.most, d << " dimensions: " << departs);
      // The mean of the cubes, within six of its standard errors: a right program fails less than once in 10^6.
      const Moments found = moments_of(cubes);
      BOOST_TEST(std::abs(found.mean - skew) < 6 * std::sqrt(found.variance / few.draws),
                 d << " dimensions: " << found.mean << ", expected " << skew);
    }
}

// By rank nothing is assumed of the law: outside all, and no sooner.
BOOST_AUTO_TEST_CASE(a_participation_ratio_is_ranked_where_that_is_quick) {
  BOOST_TEST((rotations_for(500, 64) == ranked_rotations && rotations_for(512, 768) == rotations));
  std::vector<double> turned(ranked_rotations);
  std::iota(turned.begin(), turned.end(), 1.0);
  BOOST_TEST((!departs_from_rotations(1, turned) && !departs_from_rotations(1999, turned)));
  BOOST_TEST((departs_from_rotations(0.9, turned) && departs_from_rotations(1999.1, turned)));
  std::fill(turned.begin(), turned.end(), 8.0);
  BOOST_TEST((!departs_from_rotations(8 + 1e-12, turned) && departs_from_rotations(7.9, turned)));
}

BOOST_AUTO_TEST_CASE(what_lies_far_away_departs_and_what_has_no_law_does_not) {
  BOOST_TEST((AgainstChance{4, 0, 1}.departs() && AgainstChance{-4, 0, 1}.departs()));
  BOOST_TEST((!AgainstChance{3.2, 0, 1}.departs() && !AgainstChance{-3.2, 0, 1}.departs()));
  // As far as chi-square with one degree of freedom comes once in two thousand times: 12.1.
  const double skew = std::sqrt(8.0), deviation = std::sqrt(2.0);
  BOOST_TEST((!AgainstChance{12, 1, deviation, skew}.departs() &&
              AgainstChance{12.3, 1, deviation, skew}.departs()));
  BOOST_TEST((!AgainstChance{-12, -1, deviation, -skew}.departs() &&
              AgainstChance{-12.3, -1, deviation, -skew}.departs()));
  BOOST_TEST((!AgainstChance{9, 0, NAN}.departs() && !AgainstChance{NAN, 0, 1}.departs() &&
              !AgainstChance{9, 0, 0}.departs()));
}

BOOST_AUTO_TEST_SUITE_END()
