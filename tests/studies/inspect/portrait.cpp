// Portraits of tables of positions against the definitions.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/base/matrix_algebra.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/inspect/description.hpp"
#include "tests/studies/inspect/made.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::inspect;
using namespace perp::test;

namespace {

Matrix<double> normal(std::size_t rows, std::size_t cols, const char* what) {
  return converted<double>(normals(what, rows, cols));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(inspect_portrait)

BOOST_AUTO_TEST_CASE(portrait_of_the_sinusoid) {
  const std::size_t d = 64, length = 200;
  const Portrait seen = portrait(sinusoidal<double>(length, d));
  const double rounding = tolerance::sinusoid_product(d, length);
  BOOST_TEST(seen.r2_apart > 1 - rounding);
  BOOST_TEST(seen.neighbours == 1.0);
  for (std::size_t k = 0; k < length; ++k)
    BOOST_TEST(std::abs(seen.kernel.at(k) - theory::kernel_share(d, usual_base, static_cast<double>(k))) <
               rounding);
}

BOOST_AUTO_TEST_CASE(portrait_by_the_definitions) {
  const std::size_t length = 12;
  Matrix<double> table = normal(length, 5, "rows");
  for (std::size_t t = 1; t < length; ++t)  // rows that remember the one before
    for (std::size_t j = 0; j < 5; ++j) table(t, j) += table(t - 1, j);
  const Portrait seen = portrait(table);
  const auto product = [&](std::size_t t, std::size_t s) { return dot(row(table, t), row(table, s)); };
  double mean = 0, all = 0, within = 0, near = 0, at_0 = 0;
  for (std::size_t t = 0; t < length; ++t) {
    at_0 += product(t, t) / length;
    for (std::size_t s = 0; s < length; ++s)
      if (s != t) mean += product(t, s) / (length * (length - 1));
  }
  for (std::size_t k = 1; k < length; ++k) {
    double at_lag = 0;
    for (std::size_t t = 0; t + k < length; ++t) at_lag += product(t, t + k) / double(length - k);
    for (std::size_t t = 0; t + k < length; ++t) {
      within += 2 * std::pow(product(t, t + k) - at_lag, 2);
      all += 2 * std::pow(product(t, t + k) - mean, 2);
    }
    BOOST_TEST(std::abs(seen.kernel[k] - at_lag / at_0) < 1e-13);
  }
  BOOST_TEST(std::abs(seen.r2_apart - (1 - within / all)) < tolerance::gram_variance);
  for (std::size_t t = 0; t < length; ++t) {
    std::size_t best = t == 0 ? 1 : 0;
    const auto cosine = [&](std::size_t s) { return product(t, s) / std::sqrt(product(s, s)); };
    for (std::size_t s = 0; s < length; ++s)
      if (s != t && cosine(s) > cosine(best)) best = s;
    near += (best + 1 == t || best == t + 1) / double(length);
  }
  BOOST_TEST(std::abs(seen.neighbours - near) < 1e-15);
  BOOST_TEST(near > 0.2);
}

BOOST_AUTO_TEST_CASE(departures_beyond_half_of_the_positions_do_not_count) {
  BOOST_TEST(kernel_departure(std::vector{1., .9, .8, .7}, std::vector{1., .9, .5, -.7}) == .8 - .5);
}

BOOST_AUTO_TEST_CASE(rows_that_training_never_reached_are_left_out) {
  // Rows 0 to 2 and 70 keep a hundredth of the others' length and no direction: of what is left rows 3 to 69
  // are the longest run.
  Matrix<double> table = sinusoidal<double>(100, 32);
  const Matrix<double> start = normal(4, 32, "start");
  const std::size_t never[] = {0, 1, 2, 70};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 32; ++j) table(never[i], j) = 0.01 * start(i, j);
  const auto left = trained_beside_sinusoid(table);
  BOOST_REQUIRE(left.has_value());
  BOOST_TEST(left->own.kernel.size() == 67U);
  BOOST_TEST(left->own.r2_apart == portrait(block(table, 3, 70)).r2_apart);
  BOOST_TEST(left->own.r99 == left->wave.r99);
  // Every second row short: no run is left to measure.
  for (std::size_t t = 0; t < 100; t += 2)
    for (double& x : row(table, t)) x *= t > 2 && t != 70 ? 0.01 : 1;
  for (double& x : row(table, 1)) x *= 100;
  // 20 equal rows, then short ones that differ: without these there is no spectrum, and no error either.
  Matrix<double> equal = normal(30, 8, "equal");
  for (std::size_t t = 0; t < 30; ++t)
    for (double& x : row(equal, t)) x = t < 20 ? 1 : 0.01 * x;
  BOOST_TEST(!trained_beside_sinusoid(table));
  BOOST_TEST(!trained_beside_sinusoid(equal));
}

BOOST_AUTO_TEST_CASE(tables_that_cannot_be_compared) {
  check_refusal([] { portrait(normal(2, 4, "two")); }, "2 positions; expected at least 3");
  Matrix<double> padded = normal(10, 8, "padded");
  std::ranges::fill(row(padded, 4), 0.0);
  check_refusal([&] { portrait(padded); }, "row 4 is 0");
}

BOOST_AUTO_TEST_SUITE_END()
