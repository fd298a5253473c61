#pragma once
// The floor, and numbers without the random floor.

#include <cstdint>
#include <span>
#include <vector>

#include "perp/statistics/histogram.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/statistics/spread.hpp"

namespace support {

/// SplitMix64 (Steele, Lea & Flood 2014, OOPSLA); tests/reference/statistics_tables.py draws the same.
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

 private:
  std::uint64_t state_;
};

inline std::vector<double> uniforms(std::uint64_t seed, std::size_t n) {
  Generator generator(seed);
  std::vector<double> values(n);
  for (double& value : values) value = generator.uniform();
  return values;
}

inline const std::vector<double> sample{0.25, 2.5, -3.75, 4.0, 8.5, 1.25, -0.5, 3.0, 12.0};

/// Also of values between braces.
inline perp::Moments moments_of(const std::vector<double>& values) {
  return perp::moments_of(std::span<const double>(values));
}

}  // namespace support
