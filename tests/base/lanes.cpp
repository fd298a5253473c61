// Sums lane by lane: right for every length, and in the order that the header promises.

#include "perp/base/lanes.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <vector>

using namespace perp;

namespace {

/// Numbers of many sizes and both signs, so that another order of additions rounds to another sum.
template <class T>
std::vector<T> uneven(std::size_t n) {
  std::vector<T> x(n);
  std::uint32_t state = 1;
  for (T& value : x) {
    state = 1664525U * state + 1013904223U;
    value = (static_cast<T>(state >> 8U) - T{8388608}) / static_cast<T>(1U << (state >> 28U));
  }
  return x;
}

/// Sixteen running sums, halves onto halves, then what is left.
template <class T>
T in_order(const std::vector<T>& x) {
  std::vector<T> sums(lanes, T{0});
  const std::size_t whole = x.size() / lanes * lanes;
  for (std::size_t i = 0; i < whole; ++i) sums[i % lanes] += x[i];
  for (std::size_t half = lanes / 2; half > 0; half /= 2)
    for (std::size_t j = 0; j < half; ++j) sums[j] += sums[half + j];
  for (std::size_t i = whole; i < x.size(); ++i) sums[0] += x[i];
  return sums[0];
}

template <class T>
void check_sums() {
  for (std::size_t n = 0; n <= 100; ++n) {
    const std::vector<T> x = uneven<T>(n), ones(n, T{1});
    BOOST_TEST(sum_of(x.data(), n) == in_order(x), n << " numbers");
    // A product with one is exact, fused with its addition or not.
    BOOST_TEST(sum_of_products(x.data(), ones.data(), n) == in_order(x), n << " numbers");
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(base_lanes)

BOOST_AUTO_TEST_CASE(sums_are_taken_in_one_order) {
  check_sums<float>();
  check_sums<double>();
}

BOOST_AUTO_TEST_CASE(both_factors_count) {
  for (std::size_t n = 0; n <= 50; ++n) {
    std::vector<float> x(n), y(n);
    float expected = 0;  // whole numbers: exact in any order
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = static_cast<float>(i) - 20;
      y[i] = static_cast<float>(7 * i % 11);
      expected += x[i] * y[i];
    }
    BOOST_TEST(sum_of_products(x.data(), y.data(), n) == expected, n << " numbers");
  }
}

BOOST_AUTO_TEST_SUITE_END()
