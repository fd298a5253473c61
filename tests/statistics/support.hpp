#pragma once
// What the tests of this floor share: numbers without the random floor, and a check of messages.

#include <cstdint>
#include <string>
#include <vector>

#include "perp/base/error.hpp"

namespace support {

/// SplitMix64 (Steele, Lea & Flood 2014, OOPSLA).
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }
  double uniform() { return (static_cast<double>(bits() >> 11) + 0.5) * 0x1p-53; }
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(((bits() >> 32) * n) >> 32); }

 private:
  std::uint64_t state_;
};

inline std::vector<double> uniforms(std::uint64_t seed, std::size_t n) {
  Generator generator(seed);
  std::vector<double> values(n);
  for (double& value : values) value = generator.uniform();
  return values;
}

/// Predicate: unusable input, said in these words.
inline auto says(std::string message) {
  return [message](const perp::Error& error) {
    return error.exit() == perp::Exit::unusable && error.what() == message;
  };
}

}  // namespace support
