#pragma once
// Tables the tests of this floor share, from the library's keyed streams.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/random/draws.hpp"
#include "tests/lib/base/differences.hpp"
#include "tests/tolerance.hpp"

namespace made {

using Both = std::tuple<float, double>;
using perp::test::worst_difference;

/// rows x cols standard normals.
template <class T>
perp::Matrix<T> normal(std::size_t rows, std::size_t cols, std::uint64_t number) {
  return perp::normal_matrix<T>(rows, cols, perp::stream(20240607, "tests", "measures", number, "table"));
}

inline perp::Matrix<float> times(double factor, perp::Matrix<float> table) {
  for (float& x : table) x *= static_cast<float>(factor);
  return table;
}

inline std::vector<double> frequencies(std::size_t d, double base) {
  std::vector<double> out(d / 2);
  for (std::size_t i = 0; i < d / 2; ++i)
    out[i] = std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(d));
  return out;
}

/// L x 2m: (sin ω_i t, cos ω_i t).
template <class T>
perp::Matrix<T> sinusoids(const std::vector<double>& omega, std::size_t positions) {
  perp::Matrix<T> out = perp::matrix<T>(positions, 2 * omega.size());
  for (std::size_t t = 0; t < positions; ++t)
    for (std::size_t i = 0; i < omega.size(); ++i) {
      out(t, 2 * i) = static_cast<T>(std::sin(omega[i] * static_cast<double>(t)));
      out(t, 2 * i + 1) = static_cast<T>(std::cos(omega[i] * static_cast<double>(t)));
    }
  return out;
}

/// Holds the mean of independent draws against `line`.
template <class Draw>
void check_mean(std::size_t draws, const Draw& draw, double line) {
  double sum = 0, square = 0;
  const double n = static_cast<double>(draws);
  for (std::size_t i = 0; i < draws; ++i) {
    const double value = draw(i);
    sum += value / n;
    square += value * value / n;
  }
  BOOST_TEST(std::abs(sum - line) < perp::tolerance::five_sigma(std::sqrt((square - sum * sum) / n)),
             sum << " instead of " << line);
}

}  // namespace made
