#include "perp/measures/score_collisions.hpp"

#include <algorithm>
#include <cmath>

namespace perp {
namespace {

/// Pairs of pairs whose distances are `farther` apart, from how many pairs have each distance.
std::uint64_t comparable(std::span<const ScoredPair> shorter, std::span<const ScoredPair> longer) {
  std::vector<std::uint64_t> at_least;  // pairs of the longer text by least distance
  for (const ScoredPair& pair : longer) {
    const std::size_t lag = pair.s - pair.t;
    if (at_least.size() <= lag) at_least.resize(lag + 1, 0);
    ++at_least[lag];
  }
  for (std::size_t lag = at_least.size(); lag-- > 1;) at_least[lag - 1] += at_least[lag];
  std::uint64_t count = 0;
  for (const ScoredPair& pair : shorter) {
    const std::size_t lag = farther * (pair.s - pair.t);
    if (lag < at_least.size()) count += at_least[lag];
  }
  return count;
}

}  // namespace

std::vector<ScoredPair> scored_pairs(std::size_t length,
                                     const std::function<double(std::size_t, std::size_t)>& score) {
  std::vector<ScoredPair> pairs;
  for (std::size_t t = 1; t < length; ++t)
    for (std::size_t s = t + 1; s < length; ++s)
      pairs.push_back({score(t, s), static_cast<std::uint32_t>(t), static_cast<std::uint32_t>(s)});
  std::ranges::stable_sort(pairs, {}, &ScoredPair::score);
  return pairs;
}

Collisions collisions(std::span<const ScoredPair> shorter, std::span<const ScoredPair> longer) {
  Collisions found;
  found.compared = comparable(shorter, longer);
  std::size_t first = 0;
  for (const ScoredPair& near : shorter) {
    // The window is twice as wide as equality allows; the comparison itself decides.
    const double reach = 2 * equal_scores * std::abs(near.score);
    while (first < longer.size() && longer[first].score < near.score - reach) ++first;
    for (std::size_t i = first; i < longer.size() && longer[i].score <= near.score + reach; ++i) {
      const ScoredPair& far = longer[i];
      if (far.s - far.t < farther * (near.s - near.t)) continue;
      if (std::abs(far.score - near.score) >
          equal_scores * std::max(std::abs(far.score), std::abs(near.score)))
        continue;
      ++found.equal;
      if (!found.example) found.example = std::pair{near, far};
    }
  }
  return found;
}

}  // namespace perp
