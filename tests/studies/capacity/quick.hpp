#pragma once
// Study `capacity` at its quick preset, its numbers beside another program's, and models that a test makes, for the
// claims that read given tables.

#include <fmt/format.h>

#include "perp/io/npy.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/capacity/claims.hpp"
#include "tests/support/quick.hpp"

namespace perp::test {

inline Study study_under_test() { return capacity::study(); }

/// Whether an estimate at 99.9 % and another program's mean and standard error agree.
inline bool meets(const Estimate& found, double mean, double error) {
  const Interval interval = interval_at(found.value, *found.spread, 0.999);
  return interval.low - 3.3 * error < mean && mean < interval.high + 3.3 * error;
}

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
