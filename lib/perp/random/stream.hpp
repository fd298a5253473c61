#pragma once
// Keyed random streams: a stream is a value that names its numbers, so the same numbers come out whatever the
// thread, the order or the number of processes. Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011, "Parallel
// random numbers: as easy as 1, 2, 3", SC11), as in Random123.

#include <array>
#include <cstdint>
#include <string_view>

namespace perp {

/// 128 bits of identity: 64 in Philox's key, 64 in the upper half of its counter; the lower half of the
/// counter numbers the blocks of four 32-bit words within the stream.
struct Stream {
  std::array<std::uint32_t, 2> key{};
  std::array<std::uint32_t, 2> nonce{};
  friend bool operator==(const Stream&, const Stream&) = default;
};

/// The stream named by its coordinates. Different coordinates give unrelated streams (collision chance 2^-128
/// for any two).
Stream stream(std::uint64_t seed, std::string_view experiment, std::string_view cell, std::uint64_t replicate,
              std::string_view purpose);

}  // namespace perp
