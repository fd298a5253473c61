// The null model of two tables' overlap: exactly, by the fourth moments of a random rotation, and by turning
// tables.

#include "perp/theory/overlap.hpp"

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp::theory;
using perp::test::check_refusal;
using perp::tolerance::closed_form;
namespace tt = boost::test_tools;

namespace {

struct Traces {
  double trace = 0;
  double square = 0;
};

/// Variance of sum_ij a_i b_j Q_ij^2 from the moments of a uniformly random orthogonal matrix (Weingarten):
/// E Q_ij^4 = 3/(d(d+2)), same row or column E = 1/(d(d+2)), neither E = (d+1)/(d(d-1)(d+2)).
double variance_from_moments(const std::vector<double>& a, const std::vector<double>& b) {
  const std::size_t d = a.size();
  const double n = static_cast<double>(d);
  const double neither = (n + 1) / (n * (n - 1) * (n + 2));
  double second = 0;
  double first = 0;
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < d; ++j) {
      first += a[i] * b[j] / n;
      for (std::size_t k = 0; k < d; ++k)
        for (std::size_t l = 0; l < d; ++l) {
          const double moment = i == k && j == l   ? 3 / (n * (n + 2))
                                : i == k || j == l ? 1 / (n * (n + 2))
                                                   : neither;
          second += a[i] * b[j] * a[k] * b[l] * moment;
        }
    }
  return second - first * first;
}

Traces traces(const std::vector<double>& eigenvalues) {
  Traces t;
  for (const double v : eigenvalues) {
    t.trace += v;
    t.square += v * v;
  }
  return t;
}

/// SplitMix64 and Box-Muller: enough to turn a table, and independent of the library's own streams.
class Normals {
 public:
  explicit Normals(std::uint64_t seed) : state_(seed) {}
  double operator()() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  double uniform() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return static_cast<double>((z ^ (z >> 31U)) >> 11U) * 0x1p-53;
  }
  std::uint64_t state_;
};

using Rows = std::vector<std::vector<double>>;

double dot(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

/// Unit rows; `lean` pulls them towards the first axis, as a common mean does.
Rows unit_rows(std::size_t count, std::size_t d, double lean, Normals& normal) {
  Rows rows(count, std::vector<double>(d));
  for (auto& row : rows) {
    for (double& v : row) v = normal();
    row[0] += lean;
    const double length = std::sqrt(dot(row, row));
    for (double& v : row) v /= length;
  }
  return rows;
}

/// Traces of the mean outer product A of the rows: tr A = 1, tr A^2 = mean square of all row products.
Traces traces(const Rows& rows) {
  double square = 0;
  for (const auto& x : rows)
    for (const auto& y : rows) square += dot(x, y) * dot(x, y);
  const double n = static_cast<double>(rows.size());
  return {1, square / (n * n)};
}

/// Uniformly random orthogonal matrix: Gram-Schmidt of normal rows.
Rows rotation(std::size_t d, Normals& normal) {
  Rows q = unit_rows(d, d, 0, normal);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double share = dot(q[i], q[j]);
      for (std::size_t c = 0; c < d; ++c) q[i][c] -= share * q[j][c];
    }
    const double length = std::sqrt(dot(q[i], q[i]));
    for (double& v : q[i]) v /= length;
  }
  return q;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(theory_overlap)

BOOST_AUTO_TEST_CASE(variance_is_that_of_the_exact_moments) {
  Normals normal(7);
  for (const std::size_t d : {2, 3, 8, 11, 16}) {
    std::vector<double> a(d), b(d);
    for (std::size_t i = 0; i < d; ++i) {
      a[i] = std::abs(normal());
      b[i] = std::exp(-0.5 * static_cast<double>(i));
    }
    const Traces ta = traces(a), tb = traces(b);
    const OverlapNull null = overlap_null(d, ta.trace, ta.square, tb.trace, tb.square);
    BOOST_TEST(null.mean == ta.trace * tb.trace / static_cast<double>(d), tt::tolerance(closed_form));
    BOOST_TEST(null.sd * null.sd == variance_from_moments(a, b), tt::tolerance(1e-10));
  }
}

BOOST_AUTO_TEST_CASE(turned_tables_scatter_as_predicted) {
  for (const std::size_t d : {8, 16}) {
    Normals normal(d);
    const Rows words = unit_rows(10, d, 1.5, normal);
    const Rows positions = unit_rows(6, d, 3, normal);
    const Traces a = traces(words), b = traces(positions);
    const OverlapNull null = overlap_null(d, 1, a.square, 1, b.square);
    const int turns = 4000;
    double sum = 0, squares = 0;
    for (int turn = 0; turn < turns; ++turn) {
      const Rows q = rotation(d, normal);
      double overlap = 0;
      for (const auto& word : words) {
        std::vector<double> turned(d);
        for (std::size_t i = 0; i < d; ++i) turned[i] = dot(q[i], word);
        for (const auto& position : positions) overlap += dot(turned, position) * dot(turned, position);
      }
      const double z = (overlap / 60 - null.mean) / null.sd;
      sum += z;
      squares += z * z;
    }
    BOOST_TEST_CONTEXT("d = " << d) {
      BOOST_TEST(std::abs(sum / turns) < perp::tolerance::standardised_mean(turns));
      BOOST_TEST(std::abs(squares / turns - 1) < perp::tolerance::standardised_variance(turns));
    }
  }
}

BOOST_AUTO_TEST_CASE(limits_and_symmetry) {
  // An isotropic table cannot be turned out of place; nor can a subspace that is everything.
  BOOST_TEST(overlap_null(64, 1, 1. / 64, 1, .3).sd == 0);
  BOOST_TEST(overlap_null(64, 1, 1. / 64, 1, .3).mean == 1. / 64);
  BOOST_TEST(overlap_null(10, 10, 10, 3, 3).sd == 0);
  BOOST_TEST(overlap_null(10, 10, 10, 3, 3).mean == 3);
  const OverlapNull ab = overlap_null(300, 1, .2, 1, .05), ba = overlap_null(300, 1, .05, 1, .2);
  BOOST_TEST(ab.mean == ba.mean);
  BOOST_TEST(ab.sd == ba.sd, tt::tolerance(closed_form));
  // Single rows: cos^2 ~ Beta(1/2, (d-1)/2), variance 2(d-1)/(d^2(d+2)).
  BOOST_TEST(overlap_null(16, 1, 1, 1, 1).sd == std::sqrt(2. * 15 / (256 * 18)), tt::tolerance(closed_form));
  // Rounding just below the smallest possible tr A^2 is no error.
  BOOST_TEST(overlap_null(64, 1, 1. / 64 - 1e-15, 1, .3).sd == 0);
}

BOOST_AUTO_TEST_CASE(least_overlap_is_the_least_of_all_orders) {
  // tr(A Q B Q') is an average of the sums over orders of b (Birkhoff 1946): the least order is the least
  // value.
  Normals normal(11);
  for (int draw = 0; draw < 5; ++draw) {
    const std::size_t d = 6;
    std::vector<double> a(d), b(d), order(d);
    double sum_a = 0, sum_b = 0;
    for (std::size_t i = 0; i < d; ++i) {
      sum_a += a[i] = std::abs(normal());
      sum_b += b[i] = std::exp(2 * normal());
    }
    double least = 1e300;
    order = b;
    std::ranges::sort(order);
    do {
      least = std::min(least, dot(a, order));
    } while (std::ranges::next_permutation(order).found);
    const double floor = least_overlap(a, b);
    BOOST_TEST(floor == double(d) * least / (sum_a * sum_b), tt::tolerance(closed_form));
    BOOST_TEST(floor == least_overlap(b, a), tt::tolerance(closed_form));
    for (int turn = 0; turn < 200; ++turn) {
      const Rows q = rotation(d, normal);
      double sum = 0;
      for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j < d; ++j) sum += a[i] * q[i][j] * q[i][j] * b[j];
      BOOST_TEST(double(d) * sum / (sum_a * sum_b) >= floor * (1 - closed_form));
    }
  }
}

BOOST_AUTO_TEST_CASE(least_overlap_in_closed_form) {
  // An isotropic table cannot be turned away; subspaces of k and r dimensions share at least k + r - d.
  BOOST_TEST(least_overlap({2, 2, 2}, {5, 0, 1}) == 1, tt::tolerance(closed_form));
  const auto subspace = [](std::size_t k) {
    std::vector<double> eigenvalues(10, 0.0);
    std::fill_n(eigenvalues.begin(), k, 3.0);
    return eigenvalues;
  };
  BOOST_TEST(least_overlap(subspace(4), subspace(6)) == 0);
  BOOST_TEST(least_overlap(subspace(7), subspace(5)) == 10. * 2 / (7 * 5), tt::tolerance(closed_form));
  BOOST_TEST(least_overlap({1, 3, -1e-12}, {0, 1, 1}) == least_overlap({3, 0, 1}, {1, 0, 1}));
}

BOOST_AUTO_TEST_CASE(refusals) {
  check_refusal([] { least_overlap({1, 2}, {1}); }, "least_overlap: 2 eigenvalues of A and 1 of B");
  check_refusal([] { least_overlap({1, 2}, {0, -1}); }, "least_overlap: no eigenvalue of B is above 0");
  check_refusal([] { least_overlap({1, std::nan("")}, {1, 1}); }, "least_overlap: an eigenvalue of A is nan");
  check_refusal([] { overlap_null(1, 1, 1, 1, 1); }, "overlap_null: dimension 1 given, expected at least 2");
  check_refusal([] { overlap_null(4, -1, 1, 1, 1); }, "overlap_null: tr A is -1, expected 0 or more");
  check_refusal([] { overlap_null(4, 1, .5, std::nan(""), 1); }, "overlap_null: tr B is nan");
  check_refusal([] { overlap_null(4, 1, .2, 1, 1); }, "overlap_null: tr A^2 is 0.2, expected 0.25 to 1");
  check_refusal([] { overlap_null(4, 1, .5, 1, 1.5); }, "overlap_null: tr B^2 is 1.5, expected 0.25 to 1");
}

BOOST_AUTO_TEST_SUITE_END()
