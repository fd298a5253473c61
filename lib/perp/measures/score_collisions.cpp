#include "perp/measures/score_collisions.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

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

constexpr double float32 = 0x1p-24;

/// |a - b| as a share of the larger; 0 for two zeros.
double apart(double a, double b) { return a == b ? 0 : std::abs(a - b) / std::max(std::abs(a), std::abs(b)); }

/// How many of the places 0 … n-1 are taken below a given one (Fenwick 1994, Software: Practice and
/// Experience 24:327).
class Taken {
 public:
  explicit Taken(std::size_t n) : sums_(n + 1, 0) {}
  void take(std::size_t place) {
    for (std::size_t i = place + 1; i < sums_.size(); i += i & -i) ++sums_[i];
  }
  std::uint64_t below(std::size_t place) const {
    std::uint64_t sum = 0;
    for (std::size_t i = place; i > 0; i -= i & -i) sum += sums_[i];
    return sum;
  }

 private:
  std::vector<std::uint64_t> sums_;
};

/// Places first … last-1 of the ascending scores that differ from the one at `place` by at most `share` < 1:
/// up to there the difference only grows with the way from it.
std::pair<std::size_t, std::size_t> like(std::span<const double> ascending, std::size_t place, double share) {
  const auto at = ascending.begin() + static_cast<std::ptrdiff_t>(place);
  const auto first =
      std::partition_point(ascending.begin(), at, [&](double x) { return apart(x, *at) > share; });
  const auto last =
      std::partition_point(at, ascending.end(), [&](double x) { return apart(x, *at) <= share; });
  return {static_cast<std::size_t>(first - ascending.begin()),
          static_cast<std::size_t>(last - ascending.begin())};
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

std::uint64_t distance_pairs(std::uint64_t least, std::uint64_t most) {
  std::uint64_t pairs = 0;
  for (std::uint64_t k = least; farther * k <= most; ++k) pairs += most - farther * k + 1;
  return pairs;
}

Likeness compare_distances(std::span<const double> scores) {
  const std::size_t n = scores.size();
  std::vector<std::size_t> order(n), place(n);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return scores[i]; });
  std::vector<double> ascending(n);
  for (std::size_t r = 0; r < n; ++r) place[order[r]] = r, ascending[r] = scores[order[r]];

  // From far to near: when distance k comes, those from `farther` k on have taken their places.
  Likeness found;
  Taken taken(n);
  std::set<std::size_t> places;
  std::size_t next = n, nearest = 0;
  for (std::size_t k = n / farther; k > 0; --k) {
    for (; next >= farther * k; --next) {
      taken.take(place[next - 1]);
      places.insert(place[next - 1]);
    }
    const std::size_t own = place[k - 1];
    const auto count = [&](double share) {
      const auto [first, last] = like(ascending, own, share);
      return taken.below(last) - taken.below(first);
    };
    const std::uint64_t equal = count(equal_scores);
    if (equal > 0) nearest = k;
    found.compared += places.size();
    found.equal += equal;
    found.alike += count(float32);
    const auto above = places.lower_bound(own);
    if (above != places.end())
      found.closest = std::min(found.closest, apart(ascending[*above], scores[k - 1]));
    if (above != places.begin())
      found.closest = std::min(found.closest, apart(ascending[*std::prev(above)], scores[k - 1]));
  }
  for (std::size_t far = farther * nearest; nearest > 0 && !found.first; ++far)
    if (apart(scores[far - 1], scores[nearest - 1]) <= equal_scores) found.first = {nearest, far};
  return found;
}

}  // namespace perp
