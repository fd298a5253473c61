// The transform against long double on the same words, and its tail quantile by quantile.

#include "perp/random/box_muller.hpp"

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "perp/random/normal.hpp"
#include "perp/random/uniform.hpp"
#include "tests/tolerance.hpp"

namespace {

namespace tolerance = perp::tolerance;
using perp::detail::box_muller;
using perp::detail::Pair;
constexpr long double pi = boost::math::constants::pi<long double>();

// -2 log((m + 1/2) / 2^bits); long double's own rounding is out of the way by log1p in the upper half.
long double radius(std::uint64_t m, int bits) {
  const long double top = std::ldexp(1.0L, bits);
  const long double u = (static_cast<long double>(m) + 0.5L) / top;
  const long double rest =
      (static_cast<long double>(bits == 64 ? ~m : (std::uint64_t{1} << bits) - 1 - m) + 0.5L) / top;
  return std::sqrt(-2 * (u < 0.5L ? std::log(u) : std::log1p(-rest)));
}

// Angle 2 pi (q + t) with t in [-1/8, 1/8) a part of a turn: sines of small arguments keep their relative
// accuracy.
Pair<long double> rotated(long double r, unsigned quarter, long double t) {
  const long double s = r * std::sin(2 * pi * t), c = r * std::cos(2 * pi * t);
  switch (quarter) {
    case 0:
      return {c, s};
    case 1:
      return {-s, c};
    case 2:
      return {-c, -s};
    default:
      return {s, -c};
  }
}

Pair<long double> reference(std::uint32_t radius_word, std::uint32_t angle) {
  const std::uint64_t m = std::uint64_t{radius_word} << 8 | (angle & 0xFF);
  const long double t = ((angle >> 8 & 0x3FFFFF) + 0.5L) / (1 << 24) - 0.125L;
  return rotated(radius(m, 40), angle >> 30, t);
}
Pair<long double> reference(std::uint64_t radius_bits, std::uint64_t angle) {
  const long double quarter = std::ldexp(1.0L, 62);
  const auto position =
      static_cast<std::int64_t>(angle & ((std::uint64_t{1} << 62) - 1)) - (std::int64_t{1} << 61);
  return rotated(radius(radius_bits, 64), static_cast<unsigned>(angle >> 62),
                 (static_cast<long double>(position) + 0.5L) / (4 * quarter));
}

template <class T>
double relative_error(T value, long double expected) {
  return static_cast<double>(std::abs((static_cast<long double>(value) - expected) / expected));
}
template <class T>
double relative_error(const Pair<T>& value, const Pair<long double>& expected) {
  return std::max(relative_error(value.x, expected.x), relative_error(value.y, expected.y));
}

std::vector<std::uint32_t> some_words(std::size_t count, std::uint64_t replicate) {
  std::vector<std::uint32_t> words(count);
  perp::fill_bits(perp::stream(1, "random", "box_muller", replicate, "words"), words);
  return words;
}

BOOST_AUTO_TEST_SUITE(transform)

BOOST_AUTO_TEST_CASE(float_agrees_with_long_double_everywhere) {
  double worst = 0;
  const std::vector<std::uint32_t> words = some_words(1000000, 0);
  for (std::size_t i = 0; i < words.size(); i += 2) {
    // Every magnitude of u and of 1 - u down to 2^-41, not only those a million draws would meet.
    const std::uint32_t shift = static_cast<std::uint32_t>(i / 2 % 33), mirror = i % 4 == 0 ? 0u : ~0u;
    const std::uint32_t high = (shift == 32 ? 0u : words[i] >> shift) ^ mirror;
    worst = std::max(worst, relative_error(box_muller(high, words[i + 1]), reference(high, words[i + 1])));
  }
  BOOST_TEST_MESSAGE("worst relative error of the float transform: " << worst / 0x1p-24 << " u");
  BOOST_TEST(worst < tolerance::normal_float);
}

// The parts on their own: in the whole, an error in one hides behind the others' roundings.
BOOST_AUTO_TEST_CASE(parts_of_the_float_transform) {
  double worst_log = 0, worst_root = 0, worst_turn = 0;
  const std::vector<std::uint32_t> words = some_words(1000000, 3);
  for (std::size_t i = 0; i < words.size(); i += 2) {
    const std::uint32_t high = (words[i] >> (i / 2 % 32)) ^ (i % 4 == 0 ? 0u : ~0u);
    const long double r = radius(std::uint64_t{high} << 8 | (words[i + 1] & 0xFF), 40);
    const float squared = perp::detail::minus_two_log(high, words[i + 1]);
    worst_log = std::max(worst_log, relative_error(squared, r * r));
    worst_root = std::max(worst_root, relative_error(perp::detail::square_root(squared),
                                                     std::sqrt(static_cast<long double>(squared))));
  }
  for (int i = -(1 << 17) + 1; i < 1 << 17; i += 2) {
    const float t = static_cast<float>(i) * 0x1p-18f;
    worst_turn =
        std::max(worst_turn, relative_error(perp::detail::cosine_and_sine(t), rotated(1, 0, t / 4.0L)));
  }
  BOOST_TEST_MESSAGE("worst relative errors: logarithm " << worst_log / 0x1p-24 << " u, root "
                                                         << worst_root / 0x1p-24 << " u, turn "
                                                         << worst_turn / 0x1p-24 << " u");
  BOOST_TEST(worst_log < tolerance::float_logarithm);
  BOOST_TEST(worst_root < tolerance::float_root);
  BOOST_TEST(worst_turn < tolerance::float_turn);
}

BOOST_AUTO_TEST_CASE(double_agrees_with_long_double_everywhere) {
  double worst = 0;
  const std::vector<std::uint32_t> words = some_words(400000, 1);
  for (std::size_t i = 0; i < words.size(); i += 4) {
    const std::uint64_t bits = std::uint64_t{words[i]} << 32 | words[i + 1];
    const std::uint64_t angle = std::uint64_t{words[i + 2]} << 32 | words[i + 3];
    const std::uint64_t high = (bits >> (i / 4 % 64)) ^ (i % 8 == 0 ? std::uint64_t{0} : ~std::uint64_t{0});
    worst = std::max(worst, relative_error(box_muller(high, angle), reference(high, angle)));
  }
  BOOST_TEST_MESSAGE("worst relative error of the double transform: " << worst / 0x1p-53 << " u");
  BOOST_TEST(worst < tolerance::normal_double);
}

// Fills use the words they promise: elements 64 b + 32 h + i and 64 b + 32 h + 16 + i come from words 2h and
// 2h + 1 of block 16 b + i.
BOOST_AUTO_TEST_CASE(fills_transform_the_streams_words) {
  const perp::Stream s = perp::stream(1, "random", "box_muller", 2, "fill");
  std::vector<std::uint32_t> words(64 * 500);
  std::vector<float> normals(words.size());
  std::vector<double> doubles(words.size() / 2);
  fill_bits(s, words);
  fill_normal(s, normals);
  fill_normal(s, doubles);
  double worst = 0, worst_double = 0;
  for (std::size_t counter = 0; counter < words.size() / 4; ++counter) {
    const std::size_t b = counter / 16, i = counter % 16;
    const std::uint32_t* w = &words[4 * counter];
    for (std::size_t h = 0; h < 2; ++h) {
      const Pair<float> got = {normals[64 * b + 32 * h + i], normals[64 * b + 32 * h + 16 + i]};
      worst = std::max(worst, relative_error(got, reference(w[2 * h], w[2 * h + 1])));
    }
    const Pair<double> got = {doubles[32 * b + i], doubles[32 * b + 16 + i]};
    const auto joined = [](std::uint32_t low, std::uint32_t high) { return std::uint64_t{high} << 32 | low; };
    worst_double =
        std::max(worst_double, relative_error(got, reference(joined(w[0], w[1]), joined(w[2], w[3]))));
  }
  BOOST_TEST(worst < tolerance::normal_float);
  BOOST_TEST(worst_double < tolerance::normal_double);
}

// Of the 2^40 radii, those with u < exp(-r^2/2) lie beyond r: beyond 6 sigma m + 1/2 < 16745.5, beyond 6.6 <
// 381.9.
BOOST_AUTO_TEST_CASE(as_many_radii_lie_beyond_six_sigma_as_should) {
  const auto length = [](std::uint64_t m) {
    const auto [x, y] =
        box_muller(static_cast<std::uint32_t>(m >> 8), static_cast<std::uint32_t>(0x12345600u | (m & 0xFF)));
    return std::hypot(double{x}, double{y});
  };
  for (const double r : {5.0, 5.5, 5.9, 6.0, 6.3, 6.6, 7.0, 7.3}) {
    const auto expected = static_cast<std::uint64_t>(std::llround(0x1p40 * std::exp(-r * r / 2)));
    // Neighbouring m differ in r by 1 / (m r), less than a float resolves where m is large.
    const auto slack = static_cast<std::uint64_t>(r * r * double(expected) * tolerance::normal_float);
    BOOST_TEST(length(expected - 1 - slack) > r, r);
    BOOST_TEST(length(expected + slack) < r, r);
  }
  BOOST_TEST(length(0) > 7.5);
  BOOST_TEST(length((std::uint64_t{1} << 40) - 1) > 0);
  BOOST_TEST(length((std::uint64_t{1} << 40) - 1) < 1e-6);
}

// The angle that puts the whole radius on one axis: values beyond 6 and 6.6 sigma come out, in all four
// directions.
BOOST_AUTO_TEST_CASE(normals_beyond_six_sigma_come_out_right) {
  for (const std::uint32_t high : {0u, 1u, 2u, 20u, 60u}) {
    for (std::uint32_t quarter = 0; quarter < 4; ++quarter) {
      const std::uint32_t angle = quarter << 30 | 0x200000u << 8 | 0x55u;  // the middle of the quarter turn
      const Pair<float> got = box_muller(high, angle);
      const Pair<long double> expected = reference(high, angle);
      const float large = quarter % 2 == 0 ? got.x : got.y;
      BOOST_TEST(std::abs(large) > (high < 2 ? 6.6f : 6.0f));
      BOOST_TEST((large > 0) == (quarter < 2));
      BOOST_TEST(relative_error(got, expected) < tolerance::normal_float);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
