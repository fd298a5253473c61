#include "perp/random/philox.hpp"

#include <Random123/philox.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <vector>

#include "perp/random/uniform.hpp"

namespace {

using perp::Stream;
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

BOOST_AUTO_TEST_SUITE(philox)

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
      const Words counter = {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32),
                             s.nonce[0], s.nonce[1]};
      const Words expected = random123(counter, s.key);
      for (std::size_t j = 0; j < 4; ++j)
        BOOST_TEST(words.word[j][i] == expected[j], "block " << block << " word " << j);
    }
  }
}

BOOST_AUTO_TEST_CASE(bits_are_the_blocks_words_in_order) {
  const Stream s = perp::stream(3, "random", "order", 0, "philox");
  std::vector<std::uint32_t> bits(1000);
  perp::fill_bits(s, bits);
  for (std::uint32_t i = 0; i < bits.size(); ++i)
    BOOST_TEST(bits[i] == random123({i / 4, 0, s.nonce[0], s.nonce[1]}, s.key)[i % 4], "word " << i);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
