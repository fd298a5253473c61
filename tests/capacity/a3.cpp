// A3: closed forms against fits of drawn targets, and the tables that are fitted.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/bilinear.hpp"
#include "perp/random/normal.hpp"
#include "perp/study/experiment.hpp"
#include "perp/theory/bilinear.hpp"
#include "tests/capacity/quick.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(capacity_a3)

/// Words of d dimensions above positions of `power` times their length, all drawn.
Matrix<double> added(std::size_t v, std::size_t l, std::size_t d, double power, const Streams& streams,
                     std::size_t replicate = 0) {
  const Matrix<double> words = normal_matrix<double>(v, d, streams("words", replicate)),
                       positions = normal_matrix<double>(l, d, streams("positions", replicate));
  Matrix<double> sum = matrix<double>(v + l, d);
  for (std::size_t i = 0; i < v + l; ++i)
    for (std::size_t j = 0; j < d; ++j)
      sum(i, j) = i < v ? words(i, j) : std::sqrt(power) * positions(i - v, j);
  return sum;
}

/// What sums and what words and positions apart, in d dimensions each, leave of random targets on average.
std::pair<double, double> drawn(std::size_t v, std::size_t l, std::size_t d, double power) {
  const Streams streams{1, "A3", "apart"};
  const BilinearTargets targets =
      bilinear_targets(normal_matrix<double>(v + l, v + l, streams("targets", 0)), v);
  const Matrix<double> sum = added(v, l, d, power, streams);
  Matrix<double> apart = zeros<double>(v + l, 2 * d);
  for (std::size_t i = 0; i < v + l; ++i)
    std::ranges::copy(row(sum, i), row(apart, i).begin() + (i < v ? 0 : d));
  return {bilinear_fit(sum, targets).expected, bilinear_fit(apart, targets).expected};
}

BOOST_AUTO_TEST_CASE(sums_above_words_and_positions_alone) {
  for (const double power : {1., 16., 64.}) {
    const auto [sum, apart] = drawn(500, 60, 48, power);
    BOOST_TEST(std::abs(sum - theory::added_residual(500, 60, 48, power)) < .01);
    BOOST_TEST(std::abs(apart - theory::split_residual(500, 60, 48, 48)) < .01);
  }
}

constexpr std::size_t few = 4, many = 120, between = 80;  // axes of words, positions, dimensions
double by_distance(std::size_t t, std::size_t s) { return std::exp(-std::abs(double(t) - double(s)) / 4); }

/// Residual of `copies` of ± each axis with random positions: Gram against distance, of as much energy.
double left_by_axes(std::size_t copies, double power, std::size_t replicate) {
  const std::size_t v = 2 * few * copies;
  Matrix<double> sum = added(v, many, between, power, Streams{1, "A3", "crowd"}, replicate),
                 targets = zeros<double>(v + many, v + many);
  double square = 0;
  for (std::size_t t = 0; t < many; ++t)
    for (std::size_t s = 0; s < many; ++s) {
      targets(v + t, v + s) = by_distance(t, s);
      square += targets(v + t, v + s) * targets(v + t, v + s);
    }
  const auto sign = [](std::size_t i) { return i / few % 2 ? -1. : 1.; };
  const Matrix<double> axes = orthonormal_rows(leading_rows(sum, few));
  for (std::size_t i = 0; i < v; ++i) {
    for (std::size_t j = 0; j < between; ++j) sum(i, j) = sign(i) * std::sqrt(between) * axes(i % few, j);
    for (std::size_t j = i % few; j < v; j += few)  // T² on average as at positions
      targets(i, j) = sign(i) * sign(j) * std::sqrt(few * square) / many;
  }
  return bilinear_fit(sum, bilinear_targets(targets, v)).residual;
}

BOOST_AUTO_TEST_CASE(random_positions_crowd_words_of_low_rank) {
  double square = 0;
  for (std::size_t t = 0; t < many; ++t)
    for (std::size_t s = 0; s < many; ++s) square += by_distance(t, s) * by_distance(t, s);
  for (const double power : {1., 64.}) {
    double mean = 0;
    for (std::size_t draw = 0; draw < 6; ++draw) mean += left_by_axes(1, power, draw) / 6;
    BOOST_TEST(std::abs(mean - theory::low_rank_residual(few, many, between, power, many / square)) < .03);
    BOOST_TEST(std::abs(left_by_axes(3, power, 0) - left_by_axes(1, power, 0)) < 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(low_rank_leaves_room_for_both) {
  for (const char* power : {"1", "16", "64"})
    BOOST_TEST(value(std::string("A3.above_alone.rank16.power") + power) < 1e-6);
  const Table& rows = table("a3_apart.csv");
  for (std::size_t row = 0; row < rows.rows.size(); ++row)
    BOOST_TEST(std::abs(rows.number(row, "above") - rows.number(row, "residual") +
                        rows.number(row, "apart")) < 1e-6);
  BOOST_TEST(value("A3.best_concatenation_width") == 767);
}

BOOST_AUTO_TEST_SUITE_END()
