#include "perp/random/stream.hpp"

namespace perp {
namespace {

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators",
// with Stafford's constants "Mix13") and of MurmurHash3 (Appleby 2011). Both are bijections of 64 bits in
// which every input bit flips every output bit with a chance near one half.
std::uint64_t splitmix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}
std::uint64_t murmur(std::uint64_t x) {
  x = (x ^ (x >> 33)) * 0xFF51AFD7ED558CCDu;
  x = (x ^ (x >> 33)) * 0xC4CEB9FE1A85EC53u;
  return x ^ (x >> 33);
}

// Two 64-bit hashes over the same 64-bit words. They start apart, mix by different functions and step by
// different odd constants (the fractions of the golden ratio and of the square root of 2), so that two inputs
// that meet in one of them have no reason to meet in the other.
class Absorber {
 public:
  void absorb(std::uint64_t word) {
    first_ = splitmix((first_ ^ word) + 0x9E3779B97F4A7C15u);
    second_ = murmur((second_ ^ word) + 0x6A09E667F3BCC909u);
  }

  // The length goes first: otherwise ("ab", "c") and ("a", "bc") would absorb the same words.
  void absorb(std::string_view text) {
    absorb(std::uint64_t{text.size()});
    for (std::size_t start = 0; start < text.size(); start += 8) absorb(little_endian(text.substr(start, 8)));
  }

  Stream stream() const { return {{low(first_), high(first_)}, {low(second_), high(second_)}}; }

 private:
  static std::uint64_t little_endian(std::string_view bytes) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i)
      word |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    return word;
  }
  static std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
  static std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

  std::uint64_t first_ = 0x243F6A8885A308D3u;  // digits of pi
  std::uint64_t second_ = 0x13198A2E03707344u;
};

}  // namespace

Stream stream(std::uint64_t seed, std::string_view experiment, std::string_view cell, std::uint64_t replicate,
              std::string_view purpose) {
  Absorber identity;
  identity.absorb(seed);
  identity.absorb(experiment);
  identity.absorb(cell);
  identity.absorb(replicate);
  identity.absorb(purpose);
  return identity.stream();
}

}  // namespace perp
