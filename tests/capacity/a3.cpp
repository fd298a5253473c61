// A3: closed forms against fits of drawn targets, and the tables that are fitted.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/squares.hpp"
#include "perp/theory/bilinear.hpp"
#include "studies/capacity/a3_tables.hpp"
#include "tests/capacity/quick.hpp"
#include "tests/support/refusal.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(capacity_a3)

/// What sums and what words and positions apart, in d dimensions each, leave of random targets on average.
std::pair<double, double> drawn(std::size_t v, std::size_t l, std::size_t d, double power) {
  const Streams streams{1, "A3", "apart"};
  const capacity::Draw one = capacity::draw(v, l, d, streams);
  const BilinearTargets targets = bilinear_targets(one.targets, v);
  const Matrix<double> sum = capacity::added_table(one, capacity::Positions::random, power);
  Matrix<double> apart = zeros<double>(v + l, 2 * d);
  for (std::size_t i = 0; i < v + l; ++i)
    std::ranges::copy(row(sum, i), row(apart, i).begin() + (i < v ? 0 : d));
  return {bilinear_residual(sum, targets).expected, bilinear_residual(apart, targets).expected};
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
  const capacity::Draw one = capacity::draw(v, many, between, Streams{1, "A3", "crowd"}, replicate);
  Matrix<double> sum = capacity::added_table(one, capacity::Positions::random, power),
                 targets = zeros<double>(v + many, v + many);
  double square = 0;
  for (std::size_t t = 0; t < many; ++t)
    for (std::size_t s = 0; s < many; ++s) {
      targets(v + t, v + s) = by_distance(t, s);
      square += targets(v + t, v + s) * targets(v + t, v + s);
    }
  const auto sign = [](std::size_t i) { return i / few % 2 ? -1. : 1.; };
  const Matrix<double> axes = orthonormal_rows(leading_rows(one.word_entries, few));
  for (std::size_t i = 0; i < v; ++i) {
    for (std::size_t j = 0; j < between; ++j) sum(i, j) = sign(i) * std::sqrt(between) * axes(i % few, j);
    for (std::size_t j = i % few; j < v; j += few)  // T² on average as at positions
      targets(i, j) = sign(i) * sign(j) * std::sqrt(few * square) / many;
  }
  return bilinear_residual(sum, bilinear_targets(targets, v)).residual;
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

BOOST_AUTO_TEST_CASE(tables_of_equal_power) {
  const Streams streams{1, "A3", "test"};
  const capacity::Draw one = capacity::draw(400, 16, 32, streams);
  for (const capacity::Positions kind : {capacity::Positions::sinusoidal, capacity::Positions::centred}) {
    const Matrix<double> added = capacity::added_table(one, kind, .5),
                         split = capacity::split_table(one, kind, 8, .5);
    for (const Matrix<double>& table : {added, split})
      BOOST_TEST(std::abs(mean_square_length(converted<double>(block(View(table), 400, 416, 32))) - 16) <
                 1e-12);
    BOOST_TEST(std::abs(mean_square_length(leading_rows(split, 400)) / 32 - 1) < .06);  // sd .014
    for (std::size_t i = 0; i < 416; ++i)
      for (std::size_t j = 0; j < 32; ++j)
        if ((i < 400) != (j < 24)) BOOST_TEST(split(i, j) == 0);
  }
  check_refusal([&] { capacity::split_table(one, capacity::Positions::random, 32, 1); }, "32 of 32");
  check_refusal([&] { capacity::exact_positions(capacity::Positions::random, one, 40, 1); }, "40 of 32");
  check_refusal([&] { capacity::even_widths(8, 3); }, "step of 3");
  const capacity::Draw single = capacity::draw(4, 1, 8, streams);
  check_refusal([&] { capacity::exact_positions(capacity::Positions::centred, single, 8, 1); }, "is nothing");
}

BOOST_AUTO_TEST_SUITE_END()
