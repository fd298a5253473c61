// D5's counting: which pairs of positions, near in a short text and far in a long one, have one score.

#include <algorithm>
#include <cmath>
#include <string>

#include "studies/distance/d5_index.hpp"

namespace perp::distance {

std::vector<ScoredPair> scored_pairs(const PairScores& scores) {
  std::vector<ScoredPair> pairs;
  for (std::size_t t = 1; t < scores.length(); ++t)
    for (std::size_t s = t + 1; s < scores.length(); ++s)
      pairs.push_back({scores(t, s), static_cast<std::uint32_t>(t), static_cast<std::uint32_t>(s)});
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const ScoredPair& a, const ScoredPair& b) { return a.score < b.score; });
  return pairs;
}

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

std::vector<std::string> words_of(std::string_view sentence) {
  std::vector<std::string> words;
  bool inside = false;
  for (const char c : sentence) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (letter && !inside) words.emplace_back();
    if (letter) words.back() += c;
    inside = letter;
  }
  return words;
}

}  // namespace perp::distance
