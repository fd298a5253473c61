// The streams' numbers against programs of their own: Random123, and Python with mpmath.

#include <Random123/philox.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "perp/random/draws.hpp"
#include "perp/random/philox.hpp"
#include "tests/support/reference_call.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

namespace {

using perp::Stream;
using Row = perp::test::ReferenceRow;
using Words = std::array<std::uint32_t, 4>;

const auto exactly = perp::test::within(0);
const auto single = perp::test::relative(perp::tolerance::normal_float),
           twice = perp::test::relative(perp::tolerance::normal_double);

Words ours(const Words& counter, const std::array<std::uint32_t, 2>& key) {
  perp::detail::PhiloxWords words;
  perp::detail::philox({key, {counter[2], counter[3]}}, std::uint64_t{counter[1]} << 32 | counter[0], words);
  return {words.word[0][0], words.word[1][0], words.word[2][0], words.word[3][0]};
}

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

// The three vectors "philox4x32 10" of Random123's kat_vectors: zeros, ones, digits of pi.
BOOST_AUTO_TEST_CASE(published_known_answers) {
  const Words zeros = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  const Words ones = {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd};
  const Words pi = {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1};
  const std::uint32_t f = 0xffffffff;
  BOOST_TEST(ours({0, 0, 0, 0}, {0, 0}) == zeros);
  BOOST_TEST(ours({f, f, f, f}, {f, f}) == ones);
  BOOST_TEST(ours({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) == pi);
}

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

BOOST_AUTO_TEST_CASE(refusals) {
  std::vector<float> one(1);
  const std::span<float> x = one;
  perp::Matrix<float> flat = perp::matrix<float>(3, 0), none = perp::matrix<float>(0, 0);
  perp::test::check_refusals(
      {{"the interval [2, 2) is empty or not finite", [&] { fill_uniform(s, x, 2, 2); }},
       {"the interval [3, -1) is empty or not finite", [&] { fill_uniform(s, x, 3, -1); }},
       {"is empty or not finite", [&] { fill_uniform(s, x, -3e38F, 3e38F); }},
       {"the interval [nan, 1) is empty or not finite", [&] { fill_uniform(s, x, NAN, 1); }},
       {"5 integers below 0", [] { perp::below(s, 5, 0); }},
       {"3 rows of 0 columns", [&] { fill_sphere(s, flat); }}});
  BOOST_CHECK_NO_THROW(fill_sphere(s, none));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
