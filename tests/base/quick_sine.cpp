// Sine and cosine without calls against the library's.

#include "perp/base/quick_sine.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <vector>

using namespace perp;

namespace {

/// Largest error of both at x, in units of 2⁻⁵³: half a unit in the last place of numbers from 1/2 up.
double error_at(double x) {
  const auto [sine, cosine] = quick_sine(x);
  const long double exact = x;
  return 0x1p53 * static_cast<double>(std::max(std::abs(static_cast<long double>(sine) - std::sin(exact)),
                                               std::abs(static_cast<long double>(cosine) - std::cos(exact))));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(base_quick_sine)

BOOST_AUTO_TEST_CASE(near_the_library_for_all_sizes) {
  double worst = 0;
  for (int i = 0; i < 200'000; ++i) {
    const double x = std::exp2(-20 + 40 * (i / 200'000.0));
    worst = std::max({worst, error_at(x), error_at(-x)});
  }
  BOOST_TEST(worst < 2);
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

BOOST_AUTO_TEST_CASE(whole_positions) {
  double worst = 0;
  for (int t = 0; t <= 1'048'576; t += 1 + t / 5000) worst = std::max(worst, error_at(t));
  BOOST_TEST(worst < 2);
  BOOST_TEST(quick_sine(0).sine == 0);
  BOOST_TEST(quick_sine(0).cosine == 1);
  BOOST_TEST(std::isnan(quick_sine(std::numeric_limits<double>::quiet_NaN()).sine));
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
