#pragma once
// Models that a test makes, for the claims that read given tables.

#include "perp/io/npy.hpp"
#include "perp/vectors/positions.hpp"
#include "tests/studies/capacity/quick.hpp"

namespace perp::test {

/// The sinusoid of 64 positions, so many times as large.
inline Matrix<float> scaled_sinusoid(float size, std::size_t d = 16) {
  Matrix<float> positions = sinusoidal<float>(64, d);
  for (float& x : positions) x *= size;
  return positions;
}
/// Lines of a model file, the tables being kept in the folder.
inline std::string model_entry(const Scratch& scratch, const char* name, const Matrix<float>& words,
                               const Matrix<float>& positions, const std::string& more = "") {
  const std::filesystem::path own = scratch / "words.npy", beside = scratch / fmt::format("{}.npy", name);
  write_npy(own, words);
  write_npy(beside, positions);
  return fmt::format("[{}]\nwords = {}\npositions = {}\n{}", name, own.string(), beside.string(), more);
}

}  // namespace perp::test
