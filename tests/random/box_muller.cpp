// The transform against long double on the same words.

#include "perp/random/box_muller.hpp"

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

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
  const Pair<long double> turned[] = {{c, s}, {-s, c}, {-c, -s}, {s, -c}};
  return turned[quarter];
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
  double worst = 0, worst_log = 0, worst_root = 0, worst_turn = 0;
  const auto compare = [&](std::uint32_t high, std::uint32_t low) {
    worst = std::max(worst, relative_error(box_muller(high, low), reference(high, low)));
    // The parts on their own: in the whole, an error in one hides behind the others' roundings.
    const long double r = radius(std::uint64_t{high} << 8 | (low & 0xFF), 40);
    const float squared = perp::detail::minus_two_log(high, low);
    const long double root = std::sqrt(static_cast<long double>(squared));
    worst_log = std::max(worst_log, relative_error(squared, r * r));
    worst_root = std::max(worst_root, relative_error(perp::detail::square_root(squared), root));
  };
  const std::vector<std::uint32_t> words = some_words(1000000, 0);
  for (std::size_t i = 0; i < words.size(); i += 2) {
    // Every magnitude of u and of 1 - u down to 2^-41, not only those a million draws would meet.
    const std::uint32_t shift = static_cast<std::uint32_t>(i / 2 % 33), mirror = i % 4 == 0 ? 0u : ~0u;
    compare((shift == 32 ? 0u : words[i] >> shift) ^ mirror, words[i + 1]);
  }
  // The ends of the radius, on the middle of every quarter turn: beyond six sigma in all four directions.
  for (const std::uint32_t high : {0u, 1u, 2u, 20u, 60u, ~0u})
    for (const std::uint32_t low : {0u, 0x55u, 0xFFu})
      for (std::uint32_t quarter = 0; quarter < 4; ++quarter)
        compare(high, quarter << 30 | 0x200000u << 8 | low);
  for (int i = -(1 << 17) + 1; i < 1 << 17; i += 2) {
    const float t = static_cast<float>(i) * 0x1p-18f;
    worst_turn =
        std::max(worst_turn, relative_error(perp::detail::cosine_and_sine(t), rotated(1, 0, t / 4.0L)));
  }
  BOOST_TEST(worst < tolerance::normal_float);
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
  BOOST_TEST(worst < tolerance::normal_double);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
