// Arrays and their algebra, sums lane by lane in one order, sine and cosine without calls.

#include "perp/base/array.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "perp/base/functions.hpp"
#include "perp/base/lanes.hpp"
#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/base/memory.hpp"
#include "tests/support/refusal.hpp"

using namespace perp;

BOOST_AUTO_TEST_SUITE(array)

using perp::test::check_refusal;

namespace {

/// 1 2 3 … row by row.
template <class T>
Matrix<T> counting(std::size_t rows, std::size_t cols) {
  Matrix<T> m = matrix<T>(rows, cols);
  for (std::size_t i = 0; i < m.size(); ++i) m.data()[i] = static_cast<T>(i + 1);
  return m;
}

}  // namespace

BOOST_AUTO_TEST_CASE(blocks_see_the_right_values) {
  const Matrix<int> m = counting<int>(4, 3);
  const View<int> b = block(View<int>(m), 1, 3, 2);
  BOOST_TEST((b.rows == 2 && b.cols == 2 && b(1, 1) == 8 && b.row(0).size() == 2));
  BOOST_TEST(row(m, 3)[2] == 12);
  BOOST_TEST(block(m, 4, 4).rows == 0U);
}

BOOST_AUTO_TEST_CASE(what_memory_cannot_hold_is_refused_before_it_is_allocated) {
  const std::size_t many = std::size_t{1} << 40;
  check_refusal([] { matrix<double>(1 << 20, 1 << 30); },
                "a table of 1048576 x 1073741824 numbers takes 8.39e+06 GiB; this process may", Exit::failed);
  // 2^80 items, of which a size of 64 bits would count none.
  check_refusal([&] { matrix<double>(many, many); }, "1099511627776 x 1099511627776", Exit::failed);
  check_refusal([&] { zeros<float>(many, many); }, "GiB", Exit::failed);
  BOOST_TEST(memory_limit() > std::size_t{1} << 24);
}

BOOST_AUTO_TEST_CASE(a_transpose_exchanges_every_pair) {
  // Wider than one square of the loop, and no multiple of it; a view's stride is not its width.
  const Matrix<float> m = counting<float>(37, 70);
  const Matrix<float> all = transposed(m), part = transposed(block(m, 2, 36, 65));
  BOOST_TEST((rows(all) == 70 && cols(all) == 37 && rows(part) == 65 && cols(part) == 34));
  bool good = true;
  for (std::size_t i = 0; i < 37; ++i)
    for (std::size_t j = 0; j < 70; ++j) {
      good = good && all(j, i) == m(i, j);
      if (i >= 2 && i < 36 && j < 65) good = good && part(j, i - 2) == m(i, j);
    }
  BOOST_TEST(good);
}

BOOST_AUTO_TEST_CASE(columns_lose_their_means) {
  const Matrix<float> m = counting<float>(3, 2);  // columns 1 3 5 and 2 4 6
  BOOST_TEST((column_means(m) == std::vector<double>{3, 4}));
  const Matrix<float> less = centred(m);
  BOOST_TEST((less(0, 0) == -2 && less(1, 1) == 0 && less(2, 1) == 2));
  // Added up in double: in float 2^24 + 1 is 2^24.
  Matrix<float> large = matrix<float>(3, 1);
  large(0, 0) = 0x1p24F;
  large(1, 0) = large(2, 0) = 1;
  BOOST_TEST(column_means(large)[0] == (0x1p24 + 2) / 3);
}

BOOST_AUTO_TEST_CASE(lengths_products_and_traces) {
  const Matrix<float> m = counting<float>(2, 3);
  const std::vector<double> norms = row_norms(block(m, 0, 2, 2));
  BOOST_TEST(norms[0] == std::sqrt(5.));
  BOOST_TEST(norms[1] == std::sqrt(41.));
  BOOST_TEST(row_norms(zeros<double>(0, 3)).empty());
  BOOST_TEST(dot(row(m, 0), row(m, 1)) == 32);
  BOOST_TEST(dot(std::vector<double>{1, 2}, std::vector<double>{3, 4}) == 11);
  // The square of a large float is beyond float.
  Matrix<float> large = matrix<float>(1, 1);
  large(0, 0) = 1e30F;
  BOOST_TEST(row_norms(large)[0] == static_cast<double>(1e30F));
  BOOST_TEST(trace(counting<double>(2, 2)) == 5);
}

BOOST_AUTO_TEST_SUITE_END()

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
