// The streams' numbers against programs of their own: Random123, and Python with mpmath.

#include <Random123/philox.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "perp/random/normal.hpp"
#include "perp/random/philox.hpp"
#include "perp/random/sphere.hpp"
#include "perp/random/uniform.hpp"
#include "tests/support/reference_table.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

namespace {

using perp::Stream;
using perp::test::check_reference;
using perp::test::relative;
using perp::test::within;
using Row = perp::test::ReferenceRow;
using Words = std::array<std::uint32_t, 4>;

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
Stream the_stream() { return perp::stream(5, "e", text(6), 1, text(2)); }

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
  const Stream s = perp::stream(3, "random", "lanes", 0, "philox");
  // The second start lets the counter's low word overflow inside a call, the third its whole lower half.
  for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{0xFFFFFFF8u}, ~std::uint64_t{0} - 4}) {
    perp::detail::PhiloxWords words;
    perp::detail::philox(s, first, words);
    for (std::size_t i = 0; i < perp::detail::lanes; ++i) {
      const std::uint64_t block = first + i;
      const Words expected = random123({static_cast<std::uint32_t>(block),
                                        static_cast<std::uint32_t>(block >> 32), s.nonce[0], s.nonce[1]},
                                       s.key);
      for (std::size_t j = 0; j < 4; ++j)
        BOOST_TEST(words.word[j][i] == expected[j], "block " << block << " word " << j);
    }
  }
}

// A change of these numbers is a change of every result of every study.
BOOST_AUTO_TEST_CASE(names_of_streams) {
  check_reference(
      "random_streams", "key0", [](const Row& r) { return named(r).key[0]; }, within(0));
  check_reference(
      "random_streams", "key1", [](const Row& r) { return named(r).key[1]; }, within(0));
  check_reference(
      "random_streams", "nonce0", [](const Row& r) { return named(r).nonce[0]; }, within(0));
  check_reference(
      "random_streams", "nonce1", [](const Row& r) { return named(r).nonce[1]; }, within(0));
  const Stream unicode = {{0xac1fa80a, 0x448e4bb4}, {0xdb0501f6, 0x113448d3}};
  BOOST_TEST((perp::stream(20240229, "distance", "V=50000, \xC3\xBC", 7, "words") == unicode));
}

template <class T, class Fill>
void check_fill(const std::string& column, const Fill& fill, double off) {
  check_reference(
      "random_fills", column,
      [&](const Row& r) {
        std::vector<T> out(1);
        fill(the_stream(), out, r.whole("index"));
        return static_cast<double>(out[0]);
      },
      relative(off));
}

BOOST_AUTO_TEST_CASE(what_is_made_of_the_words) {
  check_fill<std::uint32_t>(
      "bits", [](auto s, auto& out, auto i) { fill_bits(s, out, i); }, 0);
  check_fill<float>(
      "unit", [](auto s, auto& out, auto i) { fill_uniform(s, out, 0.0F, 1.0F, i); }, 0);
  check_fill<double>(
      "unit_double", [](auto s, auto& out, auto i) { fill_uniform(s, out, 0.0, 1.0, i); }, 0);
  check_fill<float>(
      "sign", [](auto s, auto& out, auto i) { fill_signs(s, out, i); }, 0);
  check_fill<float>(
      "normal", [](auto s, auto& out, auto i) { fill_normal(s, std::span<float>(out), i); },
      perp::tolerance::normal_float);
  check_fill<double>(
      "normal_double", [](auto s, auto& out, auto i) { fill_normal(s, std::span<double>(out), i); },
      perp::tolerance::normal_double);
  check_reference(
      "random_below", "value",
      [](const Row& r) {
        return below(the_stream(), r.whole("index") + 1, static_cast<std::uint32_t>(r.whole("bound"))).back();
      },
      within(0));
  const std::vector<std::uint32_t> order = permutation(the_stream(), 20);
  check_reference(
      "random_permutation", "value", [&](const Row& r) { return order[r.whole("place")]; }, within(0));
}

BOOST_AUTO_TEST_CASE(refusals) {
  struct Refusal {
    const char* says;
    void (*call)(std::span<float>);
  };
  const Refusal refusals[] = {
      {"the interval [2, 2) is empty or not finite", [](auto x) { fill_uniform(the_stream(), x, 2, 2); }},
      {"the interval [3, -1) is empty or not finite", [](auto x) { fill_uniform(the_stream(), x, 3, -1); }},
      {"is empty or not finite", [](auto x) { fill_uniform(the_stream(), x, -3e38F, 3e38F); }},
      {"the interval [nan, 1) is empty or not finite", [](auto x) { fill_uniform(the_stream(), x, NAN, 1); }},
      {"5 integers below 0", [](auto) { perp::below(the_stream(), 5, 0); }},
      {"3 rows of 0 columns", [](auto) {
         perp::Matrix<float> flat = perp::matrix<float>(3, 0);
         fill_sphere(the_stream(), flat);
       }}};
  std::vector<float> x(1);
  for (const Refusal& refusal : refusals) perp::test::check_refusal([&] { refusal.call(x); }, refusal.says);
  perp::Matrix<float> none = perp::matrix<float>(0, 0);
  BOOST_CHECK_NO_THROW(fill_sphere(the_stream(), none));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
