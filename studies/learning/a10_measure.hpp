#pragma once
// A10: how much of a sinusoid tells no position, and how two arms compare seed by seed.

#include <algorithm>
#include <cmath>

#include "studies/learning/seeds.hpp"
#include "studies/learning/training.hpp"

namespace perp::learning {

/// Share of the sinusoid's power that lies in its mean over the first `length` positions: its slow columns
/// hardly move in a short text, and what does not move tells no position.
double constant_power_share(std::size_t length, std::size_t d);

/// Runs that differ by their seed alone; all of a claim's.
using Arms = Group<Trained>;
std::vector<Arms> arms_of(const Cells& cells);

/// What two arms came to with one seed.
struct Compared {
  Trained first, second;
  std::string pair;

  /// Logarithm of the first's steps over the second's; of a run that did not learn, all that it made.
  double log_steps() const { return std::log(first.steps_used() / second.steps_used()); }
  /// 1, 0 or -1: whether it alone learned, or the second alone.
  double learned() const { return double(first.learned()) - double(second.learned()); }
  bool some_learned() const { return first.learned() || second.learned(); }
};
/// Of one task and width, by seed.
using Comparison = Group<Compared>;

/// An arm of a pair; part: of the width, for positions beside the word.
struct Side {
  std::string_view arm, positions;
  std::size_t part = 0;
};
struct Pair {
  std::string_view name, says;
  Side first, second;
};
inline constexpr std::array<Pair, 6> pairs{
    {{"centred_half", "sinusoid, centred", {"add", "centred"}, {"concat", "centred", 2}},
     {"learned_half", "learned positions", {"add", "learned"}, {"concat", "learned", 2}},
     {"as_is_half", "sinusoid as it is", {"add", "as_is"}, {"concat", "as_is", 2}},
     {"centred_quarter", "centred, d/4 beside", {"add", "centred"}, {"concat", "centred", 4}},
     {"learned_quarter", "learned positions, dₚ = d/4", {"add", "learned"}, {"concat", "learned", 4}},
     {"as_is_quarter", "sinusoid, uncentred, dₚ = d/4", {"add", "as_is"}, {"concat", "as_is", 4}}}};
const Pair& pair_named(std::string_view name);
/// Every pair that was run, task by task and width by width, seeds that both have.
std::vector<Comparison> comparisons(const std::vector<Arms>& all);

}  // namespace perp::learning
