#include "perp/random/stream.hpp"

#include <algorithm>
#include <bit>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "tests/tolerance.hpp"

namespace {

using perp::Stream;
using perp::stream;

int differing_bits(const Stream& a, const Stream& b) {
  int count = 0;
  for (std::size_t i = 0; i < 2; ++i)
    count += std::popcount(a.key[i] ^ b.key[i]) + std::popcount(a.nonce[i] ^ b.nonce[i]);
  return count;
}

BOOST_AUTO_TEST_SUITE(streams)

BOOST_AUTO_TEST_CASE(same_coordinates_give_the_same_stream) {
  const std::string cell = "d=64,V=50000";
  BOOST_TEST((stream(7, "distance", cell, 3, "words") == stream(7, "distance", "d=64,V=50000", 3, "words")));
}

// Computed apart from the library; a change of these numbers is a change of every result of every study.
BOOST_AUTO_TEST_CASE(known_answers) {
  const Stream empty = {{0x91d6e532, 0xecfadd4d}, {0x739ba000, 0x07402b9a}};
  const Stream text = {{0xac1fa80a, 0x448e4bb4}, {0xdb0501f6, 0x113448d3}};
  BOOST_TEST((stream(0, "", "", 0, "") == empty));
  BOOST_TEST((stream(20240229, "distance", "V=50000, \xC3\xBC", 7, "words") == text));
}

BOOST_AUTO_TEST_CASE(every_coordinate_matters) {
  const std::vector<Stream> all = {
      stream(1, "distance", "d=64", 0, "words"),
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
  };
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      BOOST_TEST((all[i].key != all[j].key), i << " and " << j);
      BOOST_TEST((all[i].nonce != all[j].nonce), i << " and " << j);
    }
}

BOOST_AUTO_TEST_CASE(the_cut_between_texts_matters) {
  BOOST_TEST(!(stream(1, "ab", "c", 0, "") == stream(1, "a", "bc", 0, "")));
  BOOST_TEST(!(stream(1, "abc", "", 0, "") == stream(1, "", "abc", 0, "")));
  // The second text is what the first one's words and the second's length would look like without a prefix.
  using namespace std::string_literals;
  BOOST_TEST(!(stream(1, "a", "", 0, "") == stream(1, "a\0\0\0\0\0\0\0"s, "", 0, "")));
  BOOST_TEST(!(stream(1, "12345678", "9", 0, "") == stream(1, "123456789", "", 0, "")));
}

BOOST_AUTO_TEST_CASE(every_byte_of_a_long_text_matters) {
  const std::string text(41, 'x');
  const Stream plain = stream(1, "e", text, 0, "p");
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string other = text;
    other[i] = '\xF8';
    BOOST_TEST(!(stream(1, "e", other, 0, "p") == plain), "byte " << i);
  }
}

BOOST_AUTO_TEST_CASE(one_flipped_bit_flips_half_of_the_stream) {
  double total = 0;
  int count = 0;
  for (std::uint64_t replicate = 0; replicate < 100; ++replicate)
    for (int bit = 0; bit < 64; ++bit, ++count)
      total += differing_bits(stream(5, "e", "c", replicate, "p"),
                              stream(5, "e", "c", replicate ^ (std::uint64_t{1} << bit), "p"));
  BOOST_TEST(std::abs(total / count - 64) < perp::tolerance::standard_errors * std::sqrt(128 * 0.25 / count));
}

BOOST_AUTO_TEST_CASE(a_grid_of_coordinates_collides_in_neither_half) {
  std::vector<std::uint64_t> keys, nonces;
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    for (std::uint64_t replicate = 0; replicate < 1000; ++replicate) {
      const Stream s = stream(seed, "e", "c", replicate, "p");
      keys.push_back(std::uint64_t{s.key[1]} << 32 | s.key[0]);
      nonces.push_back(std::uint64_t{s.nonce[1]} << 32 | s.nonce[0]);
    }
  for (auto* half : {&keys, &nonces}) {  // 5e9 pairs of 64 bits: false alarm 3e-10
    std::sort(half->begin(), half->end());
    BOOST_TEST((std::adjacent_find(half->begin(), half->end()) == half->end()));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
