// What an overlap is held against: the least that two spectra allow, orders of the coordinates, one direction
// left out.

#include "studies/inspect/overlap_nulls.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/outer.hpp"
#include "perp/random/normal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::inspect;

namespace {

const Streams streams{1, "test", "overlap nulls"};

Matrix<double> diagonal(const std::vector<double>& values) {
  Matrix<double> out = zeros<double>(values.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) out(i, i) = values[i];
  return out;
}

/// Variances 1, 1/2, 1/3 …
std::vector<double> falling(std::size_t d) {
  std::vector<double> values;
  for (std::size_t i = 0; i < d; ++i) values.push_back(1.0 / double(i + 1));
  return values;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double x : values) sum += x;
  return sum / double(values.size());
}
double sd(const std::vector<double>& values) {
  double square = 0;
  for (const double x : values) square += (x - mean(values)) * (x - mean(values));
  return std::sqrt(square / double(values.size() - 1));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(inspect_overlap_nulls)

BOOST_AUTO_TEST_CASE(turned_as_far_apart_as_they_go_they_meet_the_least_overlap) {
  const std::size_t d = 7;
  std::vector<double> rising = falling(d);
  std::ranges::reverse(rising);
  const Matrix<double> a = diagonal(falling(d)), apart = diagonal(rising),
                       rotation = orthonormal_rows(normal_matrix<double>(d, d, streams("turned")));
  const auto turned = [&](const Matrix<double>& m) { return product_nt(product(rotation, m), rotation); };
  const double least = overlap(a, apart);
  BOOST_TEST(least < 0.7);
  // Whatever their directions: spectra alone decide.
  for (const Matrix<double>& b : {apart, a, turned(a)})
    BOOST_TEST(std::abs(least_overlap(a, b) - least) < 1e-12);
  // Beside a direction along which both are 0, in one dimension less.
  const std::vector<double> u(row(rotation, 0).begin(), row(rotation, 0).end());
  const Matrix<double> rest = without_direction(turned(a), u);
  std::vector<double> values = symmetric_eigenvalues(rest);
  BOOST_TEST(std::abs(values[0]) < 1e-12);
  double sum = 0;
  for (std::size_t i = 1; i < d; ++i) sum += values[i] * values[d - i];
  BOOST_TEST(std::abs(least_overlap_beside(rest, rest) - (d - 1) * sum / std::pow(trace(rest), 2)) < 1e-12);
}

BOOST_AUTO_TEST_CASE(orders_of_the_coordinates_see_what_lies_along_the_axes) {
  const std::size_t d = 5, draws = 4000;
  const std::vector<double> orders =
      permuted_overlaps(diagonal({1, 0, 0, 0, 0}), diagonal({1, 0, 0, 0, 0}), draws, streams);
  double met = 0;
  for (const double x : orders) {
    BOOST_TEST((x == 0 || x == double(d)));
    met += x > 0;
  }
  BOOST_TEST(std::abs(met / draws - 1.0 / d) < 4.5 * std::sqrt(0.2 * 0.8 / draws));
  // Rows and columns go together: a direction across the axes stays one, of the same overlap in any order.
  Matrix<double> across = zeros<double>(d, d);
  for (double& x : across) x = 1;
  for (const double x : permuted_overlaps(across, across, 20, streams))
    BOOST_TEST(std::abs(x - double(d)) < tolerance::plain_sum * d);
  Matrix<double> pair = zeros<double>(4, 4);
  pair(0, 0) = pair(1, 1) = pair(0, 1) = pair(1, 0) = 1;
  for (const double x : permuted_overlaps(pair, pair, 50, streams))
    BOOST_TEST((x == 4 || x == 1 || x == 0), x);  // both, one, none of its two coordinates
}

BOOST_AUTO_TEST_CASE(one_direction_that_both_share_is_left_out) {
  const Matrix<double> a = diagonal({9, 2, 1, 0}), b = diagonal({6, 0, 1, 1});
  const std::vector<double> u = shared_direction(a, b);
  BOOST_TEST(std::abs(u[0]) == 1);
  BOOST_TEST(trace_of_product(without_direction(a, u), a) == 5);
  BOOST_TEST(overlap_beside(a, b, u) == 3.0 * 1 / (3.0 * 2));
  BOOST_TEST(std::isnan(overlap_beside(diagonal({9, 0, 0, 0}), b, u)));
  // It is neither the first of the one nor that of the other, but of both by their own traces.
  const std::vector<double> of_both = shared_direction(diagonal({500, 0, 400, 0}), diagonal({0, 5, 4, 0}));
  BOOST_TEST(std::abs(of_both[2]) == 1);
  // Off the axes: 1 - uuᵀ from both sides.
  const Matrix<double> cloud = gram_columns(normal_matrix<double>(9, 4, streams("cloud")));
  const std::vector<double> v{0.6, 0, 0.8, 0};
  const Matrix<double> rest = without_direction(cloud, v);
  for (std::size_t i = 0; i < 4; ++i) {
    BOOST_TEST(std::abs(dot(row(rest, i), v)) < 1e-12);
    for (std::size_t j = 0; j < 4; ++j) BOOST_TEST(std::abs(rest(i, j) - rest(j, i)) < 1e-12);
  }
  BOOST_TEST(std::abs(rest(1, 1) - cloud(1, 1)) < 1e-12);
}

BOOST_AUTO_TEST_CASE(turned_tables_lose_the_direction_that_they_share) {
  const std::size_t d = 10;
  for (const double x :
       turned_overlaps_beside(diagonal(std::vector<double>(d, 3)), diagonal(falling(d)), 5, streams))
    BOOST_TEST(std::abs(x - 1) < 1e-12);  // whatever is left out, the rest of one is the same all around
  // One large direction each: with it the overlap would spread as the exact null says, without it by less.
  std::vector<double> steep = falling(d);
  steep[0] = 50;
  const std::vector<double> rest =
      turned_overlaps_beside(diagonal(steep), diagonal(falling(d)), 200, streams);
  BOOST_TEST(sd(rest) > 0);
  BOOST_TEST(sd(rest) < 0.35);
  // Chosen as it is, it takes more than chance gave it: what is left is not 1 on average.
  BOOST_TEST(std::abs(mean(rest) - 1) > 5 * sd(rest) / std::sqrt(200.0));
}

BOOST_AUTO_TEST_SUITE_END()
