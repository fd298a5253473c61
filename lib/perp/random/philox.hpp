#pragma once
// Philox4x32-10 for several consecutive counters at once, and the way every fill uses it. Internal to this
// floor.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "perp/base/lanes.hpp"
#include "perp/random/draws.hpp"

namespace perp::detail {

/// Word j of block first + i is word[j][i].
struct PhiloxWords {
  alignas(64) std::uint32_t word[4][lanes];
};

/// Blocks first … first + lanes - 1 of the stream: Philox4x32-10 (Salmon et al. 2011, section 3.3) of the
/// counter (block low, block high, nonce 0, nonce 1) under the stream's key.
///
/// The words live in the low halves of 64-bit lanes. The upper halves collect garbage, which costs nothing:
/// the multiplication reads the low half alone, and neither half of a product needs moving before its next
/// use.
///
/// Random123's functions, called lane by lane, give the same bits; with them fill_normal takes two fifths
/// longer (g++ 12, AVX2).
inline void philox(const Stream& stream, std::uint64_t first, PhiloxWords& out) {
  for (std::size_t i = 0; i < lanes; ++i) {
    std::uint64_t c0 = first + i, c1 = c0 >> 32, c2 = stream.nonce[0], c3 = stream.nonce[1];
    std::uint32_t k0 = stream.key[0], k1 = stream.key[1];
    for (int round = 0; round < 10; ++round) {
      const std::uint64_t p0 = std::uint64_t{0xD2511F53u} * static_cast<std::uint32_t>(c0);
      const std::uint64_t p1 = std::uint64_t{0xCD9E8D57u} * static_cast<std::uint32_t>(c2);
      c0 = (p1 >> 32) ^ c1 ^ k0;
      c1 = p1;
      c2 = (p0 >> 32) ^ c3 ^ k1;
      c3 = p0;
      k0 += 0x9E3779B9u;
      k1 += 0xBB67AE85u;
    }
    out.word[0][i] = static_cast<std::uint32_t>(c0);
    out.word[1][i] = static_cast<std::uint32_t>(c1);
    out.word[2][i] = static_cast<std::uint32_t>(c2);
    out.word[3][i] = static_cast<std::uint32_t>(c3);
  }
}

/// Writes elements offset … offset + out.size() - 1 of the sequence whose elements size*b … size*b + size-1
/// are what make(b, target) writes.
///
/// Pieces of a block are cut from a whole one: were they computed by a loop of their own, the compiler could
/// contract that loop's products and sums in another way, and an element's bits would depend on where a fill
/// starts or ends.
template <std::size_t size, class T, class Make>
void fill_by_blocks(std::span<T> out, std::uint64_t offset, Make make) {
  alignas(64) T whole[size];
  std::size_t done = 0;
  while (done < out.size()) {
    const std::uint64_t element = offset + done;
    const std::size_t skip = element % size;
    const std::size_t count = std::min(size - skip, out.size() - done);
    const bool direct = count == size;
    T* target = direct ? out.data() + done : whole;
    make(element / size, target);
    if (!direct) std::copy_n(whole + skip, count, out.data() + done);
    done += count;
  }
}

}  // namespace perp::detail
