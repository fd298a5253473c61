#pragma once
// Which pairs of positions, near in a short text and far in a long one, have one score; and which distances.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace perp {

/// Scores that differ by at most this share of the larger one are equal.
inline constexpr double equal_scores = 1e-12;
/// A collision sets a text against one at least this many times as long, and a distance against one at least
/// this many times as large.
inline constexpr std::size_t farther = 4;

struct ScoredPair {
  double score;
  std::uint32_t t, s;  ///< 1 <= t < s
};
/// All pairs 1 <= t < s of a text, ascending. Position 0 is left out: three encodings put the zero vector
/// there.
std::vector<ScoredPair> scored_pairs(std::size_t length,
                                     const std::function<double(std::size_t t, std::size_t s)>& score);

struct Collisions {
  std::uint64_t compared = 0;  ///< pairs of pairs whose distances are `farther` apart
  std::uint64_t equal = 0;     ///< and whose scores are equal
  std::optional<std::pair<ScoredPair, ScoredPair>> example;
};
/// Both ascending, as `scored_pairs` gives them.
Collisions collisions(std::span<const ScoredPair> shorter, std::span<const ScoredPair> longer);

}  // namespace perp
