// What hot loops are made of: sums lane by lane, right for every length and in the order that the header
// promises; sine and cosine without calls against the library's.

#include "perp/base/lanes.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "perp/base/quick_sine.hpp"

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

/// Largest error of both at x, in units of 2⁻⁵³: half a unit in the last place of numbers from 1/2 up.
double error_at(double x) {
  const auto [sine, cosine] = quick_sine(x);
  const long double exact = x;
  return 0x1p53 * static_cast<double>(std::max(std::abs(static_cast<long double>(sine) - std::sin(exact)),
                                               std::abs(static_cast<long double>(cosine) - std::cos(exact))));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(base_lanes)

BOOST_AUTO_TEST_CASE(sums_are_taken_in_one_order) {
  check_sums<float>();
  check_sums<double>();
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(base_quick_sine)

BOOST_AUTO_TEST_CASE(near_the_library_for_all_sizes_and_whole_positions) {
  double worst = 0;
  for (int i = 0; i < 200'000; ++i) {
    const double x = std::exp2(-20 + 40 * (i / 200'000.0));
    worst = std::max({worst, error_at(x), error_at(-x)});
  }
  for (int t = 0; t <= 1'048'576; t += 1 + t / 5000) worst = std::max(worst, error_at(t));
  BOOST_TEST(worst < 2);
  BOOST_TEST(quick_sine(0).sine == 0);
  BOOST_TEST(quick_sine(0).cosine == 1);
  BOOST_TEST(std::isnan(quick_sine(std::numeric_limits<double>::quiet_NaN()).sine));
}

BOOST_AUTO_TEST_CASE(near_quarter_turns_the_small_one_keeps_its_digits) {
  // π/2 in three doubles; the first fused multiply-add is exact, for x is next to k times the first.
  constexpr double high = 1.5707963267948966, low = 6.123233995736766e-17, lowest = -1.4973849048591833e-33;
  double worst = 0;
  for (int k = 1; k < 667'000; k += 1 + k / 1000) {
    const double x = k * high, left = std::fma(-k, low, std::fma(-k, high, x)) - k * lowest;
    const auto [sine, cosine] = quick_sine(x);
    worst = std::max(worst, std::abs((k % 2 ? cosine : sine) / left) - 1);
    worst = std::max(worst, 1 - std::abs((k % 2 ? cosine : sine) / left));
  }
  BOOST_TEST(worst < 4e-16);
}

BOOST_AUTO_TEST_CASE(beyond_reach_it_is_the_library) {
  std::vector<double> angles{1, -2, 0.5}, out(6);
  sines_and_cosines(angles, out.data());
  for (std::size_t i = 0; i < 3; ++i) {
    BOOST_TEST(std::abs(out[2 * i] - std::sin(angles[i])) < 0x1p-52);
    BOOST_TEST(std::abs(out[2 * i + 1] - std::cos(angles[i])) < 0x1p-52);
  }
  angles[1] = -1e15;
  sines_and_cosines(angles, out.data());
  for (std::size_t i = 0; i < 3; ++i) {
    BOOST_TEST(out[2 * i] == std::sin(angles[i]));
    BOOST_TEST(out[2 * i + 1] == std::cos(angles[i]));
  }
}

BOOST_AUTO_TEST_SUITE_END()
