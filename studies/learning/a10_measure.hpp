#pragma once
// A10: what can be answered without knowing the order, and how two arms compare seed by seed.

#include <algorithm>
#include <cmath>

#include "studies/learning/seeds.hpp"
#include "studies/learning/training.hpp"

namespace perp::learning {

/// Mean of the largest of the counts when `balls` fall into `bins` independently and uniformly. Exact:
/// P(largest <= m) = n! [x^n] (Σ_{j<=m} x^j/j!)^k / k^n. Throws Error{unusable} for no bins.
double mean_largest_count(std::size_t balls, std::size_t bins);

/// Share right of the best guesser who sees which words a sequence holds, the token that asks, and not where
/// they stand: in "copy" any of the 31 other words may be the one before, in "named" any of the 16 words may
/// stand at the place, in "bite" any of the 16 somebodies may be asked for, so the word that occurs most
/// often is the best guess. Throws Error{unusable} for another task.
double order_blind_share(std::string_view task);

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
  /// The same had both been stopped after half of the steps that they were given.
  double log_steps_by_half() const {
    const double half = first.steps / 2.0;
    return std::log(std::min(first.steps_used(), half) / std::min(second.steps_used(), half));
  }
  /// Steps that the first needs fewer, and (1, 0 or -1) whether it alone learned, or the second alone.
  double saved() const { return second.steps_used() - first.steps_used(); }
  double learned() const { return double(first.learned()) - double(second.learned()); }
  bool some_learned() const { return first.learned() || second.learned(); }
  /// Accuracy after the last step, more than the second's; surprise, in nats an answer, more than its.
  double gain() const { return first.accuracy - second.accuracy; }
  double lost() const { return first.nats - second.nats; }
};
/// Of one task, width and depth, by seed.
using Comparison = Group<Compared>;

/// An arm of a pair; part: of the width, for positions beside the word; wider: with units that make up for a
/// smaller table of words.
struct Side {
  std::string_view arm, positions;
  std::size_t part = 0;
  bool wider = false;
};
struct Pair {
  std::string_view name, says;
  Side first, second;
};
inline constexpr std::array<Pair, 8> pairs{
    {{"centred_half", "sinusoid, centred", {"add", "centred"}, {"concat", "centred", 2}},
     {"learned_half", "learned positions", {"add", "learned"}, {"concat", "learned", 2}},
     {"as_is_half", "sinusoid as it is", {"add", "as_is"}, {"concat", "as_is", 2}},
     {"fitted_half", "sinusoid of base L", {"add", "fitted"}, {"concat", "fitted", 2}},
     {"centred_quarter", "centred, d/4 beside", {"add", "centred"}, {"concat", "centred", 4}},
     {"centred_equal", "centred, equal totals", {"add", "centred"}, {"concat", "centred", 2, true}},
     {"learned_equal", "learned, equal totals", {"add", "learned"}, {"concat", "learned", 2, true}},
     {"added_projected",
      "adding against a concatenation followed by a learned map",
      {"add", "centred"},
      {"project", "centred", 2}}}};
const Pair& pair_named(std::string_view name);
/// Every pair that was run, task by task and width by width, seeds that both have.
std::vector<Comparison> comparisons(const std::vector<Arms>& all);

/// The log-rank statistic (Mantel 1966, Cancer Chemotherapy Reports 50:163) of the steps to learning,
/// stratified by comparison: (Σ observed - expected of the first)/√Σ variance, a standard normal number where
/// the two learn alike; above 0: the first learns sooner. Runs that do not learn leave at their last step.
/// NaN where none learns.
double log_rank(const std::vector<Comparison>& strata);

}  // namespace perp::learning
