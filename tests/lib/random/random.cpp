// What must hold whatever the digits: names that differ, parts of a whole, even chances; the normal
// transform against long double on the same words. Seeds are fixed, expectations exact, and every check has its
// false-alarm rate. And the streams' numbers against programs of their own: Random123, and Python with mpmath.

#include <Random123/philox.h>

#include <algorithm>
#include <array>
#include <boost/math/constants/constants.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "perp/random/box_muller.hpp"
#include "perp/random/draws.hpp"
#include "perp/random/philox.hpp"
#include "tests/support/reference.hpp"
#include "tests/tolerance.hpp"

namespace tolerance = perp::tolerance;
using perp::Stream;
using perp::stream;
using perp::detail::box_muller;
using perp::detail::Pair;
using Row = perp::test::ReferenceRow;

BOOST_AUTO_TEST_SUITE(random_laws)

namespace {

Stream named(const char* purpose, std::uint64_t replicate = 0) {
  return stream(1, "random", "laws", replicate, purpose);
}

/// Chance of a chi-square statistic as large as that of `counts` against equal chances.
double evenness(const std::vector<double>& counts, double total) {
  const double expected = total / static_cast<double>(counts.size());
  double statistic = 0;
  for (const double count : counts) statistic += (count - expected) * (count - expected) / expected;
  return cdf(complement(boost::math::chi_squared(static_cast<double>(counts.size() - 1)), statistic));
}

BOOST_AUTO_TEST_CASE(every_coordinate_and_every_cut_matters) {
  using namespace std::string_literals;
  // The text after "a" with an empty cell is what those words and the length look like without a prefix.
  const std::vector<Stream> all = {stream(1, "distance", "d=64", 0, "words"),
                                   stream(2, "distance", "d=64", 0, "words"),
                                   stream(1, "capacity", "d=64", 0, "words"),
                                   stream(1, "distance", "d=65", 0, "words"),
                                   stream(1, "distance", "d=64", 1, "words"),
                                   stream(1, "distance", "d=64", 0, "noise"),
                                   stream(0, "distance", "d=64", 1, "words"),
                                   stream(1, "d=64", "distance", 0, "words"),
                                   stream(1, "words", "d=64", 0, "distance"),
                                   stream(1, "", "", 0, ""),
                                   stream(0, "", "", 1, ""),
                                   stream(0, "", "", 0, ""),
                                   stream(1, "ab", "c", 0, ""),
                                   stream(1, "a", "bc", 0, ""),
                                   stream(1, "abc", "", 0, ""),
                                   stream(1, "", "abc", 0, ""),
                                   stream(1, "a", "", 0, ""),
                                   stream(1, "a\0\0\0\0\0\0\0"s, "", 0, ""),
                                   stream(1, "12345678", "9", 0, ""),
                                   stream(1, "123456789", "", 0, "")};
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      BOOST_TEST((all[i].key != all[j].key && all[i].nonce != all[j].nonce), i << " and " << j);
}

// Sizes and starts around the blocks of 32, 64 and 2048 elements; equality of bytes, not of values.
template <class Value, class Fill>
void check_parts(const Fill& fill) {
  std::vector<Value> whole(8192), far(4096);
  fill(std::span<Value>(whole), 0);
  for (const std::size_t offset : {0, 1, 3, 4, 15, 16, 31, 32, 63, 64, 65, 100, 2047, 2048, 2049, 4000})
    for (const std::size_t size : {0, 1, 2, 5, 16, 31, 33, 64, 65, 127, 128, 129, 300, 2048, 4000}) {
      std::vector<Value> part(size + 1, Value(77));
      fill(std::span<Value>(part).first(size), offset);
      BOOST_TEST((size == 0 || std::memcmp(part.data(), &whole[offset], size * sizeof(Value)) == 0),
                 "offset " << offset << " size " << size);
      BOOST_TEST(part[size] == Value(77), "wrote past the end: offset " << offset << " size " << size);
    }
  for (const int power : {31, 32, 33, 34, 35, 40, 60}) {  // far elements do not wrap
    fill(std::span<Value>(far), std::uint64_t{1} << power);
    BOOST_TEST(!std::equal(far.begin(), far.end(), whole.begin()), "2^" << power);
  }
}

BOOST_AUTO_TEST_CASE(any_part_equals_the_same_part_of_the_whole) {
  const Stream s = named("parts");
  check_parts<std::uint32_t>([&](auto out, std::uint64_t at) { fill_bits(s, out, at); });
  check_parts<float>([&](auto out, std::uint64_t at) { fill_normal(s, out, at); });
  check_parts<double>([&](auto out, std::uint64_t at) { fill_normal(s, out, at); });
  check_parts<float>([&](auto out, std::uint64_t at) { fill_uniform(s, out, -0.3f, 2.7f, at); });
  check_parts<double>([&](auto out, std::uint64_t at) { fill_uniform(s, out, -0.3, 2.7, at); });
  check_parts<float>([&](auto out, std::uint64_t at) { fill_signs(s, out, at); });
}

BOOST_AUTO_TEST_CASE(uniform_numbers_stay_in_their_interval) {
  std::vector<float> x(100000);
  fill_uniform(named("range"), x, -3.5f, 12.25f);
  const auto [least, most] = std::ranges::minmax(x);
  BOOST_TEST((-3.5f <= least && (least + 3.5) / 15.75 < tolerance::extreme_uniform(x.size())));
  BOOST_TEST((most < 12.25f && (12.25 - most) / 15.75 < tolerance::extreme_uniform(x.size())));
  // Seven floats from 1 to 1 + 7 eps: rounding to nearest would reach the open end once in fourteen draws.
  const float high = 1 + 7 * std::numeric_limits<float>::epsilon();
  fill_uniform(named("open"), x, 1.0f, high);
  BOOST_TEST((std::ranges::max(x) == std::nextafter(high, 0.0f) && std::ranges::min(x) == 1.0f));
}

// Where the bound is 3 2^30 a quarter of the draws is rejected, and without rejection every third value would
// come twice as often as its neighbours.
BOOST_AUTO_TEST_CASE(integers_below_are_even) {
  for (const std::uint32_t bound : {1u, 2u, 3u, 10u, 65536u, 3u << 30}) {
    const std::size_t count = 1000000;
    std::vector<double> counts(bound == 3u << 30 ? 3 : bound);
    const std::vector<std::uint32_t> whole = perp::below(named("below", bound), count, bound);
    for (const std::uint32_t value : whole) {
      BOOST_REQUIRE_LT(value, bound);
      counts[value % counts.size()] += 1;
    }
    if (bound > 1) BOOST_TEST(evenness(counts, double(count)) > tolerance::false_alarm, "bound " << bound);
    const std::vector<std::uint32_t> part = perp::below(named("below", bound), 777, bound);
    BOOST_TEST(std::equal(part.begin(), part.end(), whole.begin()));
  }
}

BOOST_AUTO_TEST_CASE(permutations_hold_every_number_once_and_are_equally_likely) {
  for (const std::uint32_t n : {0u, 1u, 2u, 100u, 65537u}) {
    std::vector<std::uint32_t> order = perp::permutation(named("once"), n), numbers(n);
    std::iota(numbers.begin(), numbers.end(), 0u);
    std::ranges::sort(order);
    BOOST_TEST((order == numbers), n);
  }
  std::map<std::vector<std::uint32_t>, double> seen;
  for (std::uint64_t i = 0; i < 48000; ++i) seen[perp::permutation(named("four", i), 4)] += 1;
  std::vector<double> counts;
  for (const auto& entry : seen) counts.push_back(entry.second);
  BOOST_TEST(counts.size() == 24u);
  BOOST_TEST(evenness(counts, 48000) > tolerance::false_alarm);
}

BOOST_AUTO_TEST_CASE(directions_are_normals_of_length_one) {
  for (const std::size_t d : {1, 2, 3, 7, 8, 9, 64, 300, 4096}) {
    const std::size_t n = d > 1000 ? 50 : 1000;
    perp::Matrix<float> words = perp::matrix<float>(n, d), tile = perp::matrix<float>(20, d);
    fill_sphere(named("sphere"), words);
    fill_sphere(named("sphere"), tile, 17);
    BOOST_TEST(std::memcmp(tile.data(), words.data() + 17 * d, 20 * d * sizeof(float)) == 0);
    std::vector<float> normals(n * d);
    fill_normal(named("sphere"), normals);
    double worst = 0, turned = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < d; ++j) {
        sum += double{words(i, j)} * words(i, j);
        const double expected = double{words(i, 0)} * normals[i * d + j];
        turned =
            std::max(turned, std::abs(double{words(i, j)} * normals[i * d] - expected) / std::abs(expected));
      }
      worst = std::max(worst, std::abs(std::sqrt(sum) - 1));
    }
    BOOST_TEST((worst < tolerance::unit_length && turned <= 0x1p-22), "d = " << d);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace

BOOST_AUTO_TEST_SUITE(transform)

namespace {

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

namespace {

using Words = std::array<std::uint32_t, 4>;

const auto exactly = perp::test::within(0);
const auto single = perp::test::relative(perp::tolerance::normal_float),
           twice = perp::test::relative(perp::tolerance::normal_double);

Words random123(const Words& counter, const std::array<std::uint32_t, 2>& key) {
  const r123::Philox4x32::ctr_type c = {{counter[0], counter[1], counter[2], counter[3]}};
  const r123::Philox4x32::ukey_type k = {{key[0], key[1]}};
  const r123::Philox4x32::ctr_type result = r123::Philox4x32()(c, k);
  return {result[0], result[1], result[2], result[3]};
}

/// Text of a length, all bytes of a word different.
std::string text(std::size_t length) {
  std::string bytes;
  for (std::size_t i = 0; i < length; ++i) bytes += static_cast<char>('!' + i % 90);
  return bytes;
}
Stream named(const Row& r) {
  return perp::stream(r.whole("seed"), "e", text(r.whole("cell")), r.whole("replicate"),
                      text(r.whole("purpose")));
}
const Stream s = perp::stream(5, "e", text(6), 1, text(2));

/// The element that a fill from the row's index begins with.
template <class T>
perp::test::RowValue element(void (*fill)(std::span<T>, std::uint64_t)) {
  return [=](const Row& r) {
    std::vector<T> out(1);
    fill(out, r.whole("index"));
    return static_cast<double>(out[0]);
  };
}
double bounded(const Row& r) {
  return below(s, r.whole("index") + 1, static_cast<std::uint32_t>(r.whole("bound"))).back();
}

// A change of these numbers is a change of every result of every study.
const perp::test::ReferenceEntry entries[] = {
    {"streams", "key0", exactly, [](const Row& r) { return named(r).key[0]; }},
    {"streams", "key1", exactly, [](const Row& r) { return named(r).key[1]; }},
    {"streams", "nonce0", exactly, [](const Row& r) { return named(r).nonce[0]; }},
    {"streams", "nonce1", exactly, [](const Row& r) { return named(r).nonce[1]; }},
    {"fills", "bits", exactly, element<std::uint32_t>([](auto out, auto at) { fill_bits(s, out, at); })},
    {"fills", "unit", exactly, element<float>([](auto out, auto at) { fill_uniform(s, out, 0, 1, at); })},
    {"fills", "unit_double", exactly,
     element<double>([](auto out, auto at) { fill_uniform(s, out, 0, 1, at); })},
    {"fills", "sign", exactly, element<float>([](auto out, auto at) { fill_signs(s, out, at); })},
    {"fills", "normal", single, element<float>([](auto out, auto at) { fill_normal(s, out, at); })},
    {"fills", "normal_double", twice, element<double>([](auto out, auto at) { fill_normal(s, out, at); })},
    {"below", "value", exactly, bounded},
    {"permutation", "value", exactly, [](const Row& r) { return permutation(s, 20)[r.whole("place")]; }},
};

BOOST_AUTO_TEST_SUITE(random_reference)

BOOST_AUTO_TEST_CASE(every_lane_equals_random123) {
  // The second start lets the counter's low word overflow inside a call, the third its whole lower half.
  for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{0xFFFFFFF8u}, ~std::uint64_t{0} - 4}) {
    perp::detail::PhiloxWords words;
    perp::detail::philox(s, first, words);
    for (std::size_t i = 0; i < perp::lanes; ++i) {
      const std::uint64_t block = first + i;
      const Words expected = random123({static_cast<std::uint32_t>(block),
                                        static_cast<std::uint32_t>(block >> 32), s.nonce[0], s.nonce[1]},
                                       s.key);
      for (std::size_t j = 0; j < 4; ++j)
        BOOST_TEST(words.word[j][i] == expected[j], "block " << block << " word " << j);
    }
  }
}

BOOST_AUTO_TEST_CASE(functions_of_a_rows_columns) {
  perp::test::check_entries("random", entries);
  const Stream unicode = {{0xac1fa80a, 0x448e4bb4}, {0xdb0501f6, 0x113448d3}};
  BOOST_TEST((perp::stream(20240229, "distance", "V=50000, \xC3\xBC", 7, "words") == unicode));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
