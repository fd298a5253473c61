#pragma once
// A10: what can be answered without knowing the order, and how two arms compare seed by seed.

#include "studies/learning/seeds.hpp"
#include "studies/learning/training.hpp"

namespace perp::learning {

/// Losing less than this share of the answers, or of perplexity, counts as losing nothing.
inline constexpr double margin = 0.02;

/// Mean of the largest of the counts when `balls` fall into `bins` independently and uniformly. Exact:
/// P(largest <= m) = n! [x^n] (Σ_{j<=m} x^j/j!)^k / k^n. Throws Error{unusable} for no bins.
double mean_largest_count(std::size_t balls, std::size_t bins);

/// Share right of the best guesser who sees which words a sequence holds, the token that asks, and not where
/// they stand: in "copy" any of the 31 other words may be the one before, in "named" any of the 16 words may
/// stand at the place, in "bite" any of the 16 somebodies may be asked for, so the word that occurs most
/// often is the best guess; in "count" the order is not needed. Throws Error{unusable} for another task.
double order_blind_share(std::string_view task);

/// Share right of whoever sees nothing and always gives the likeliest answer.
double constant_share(std::string_view task);

/// Share of the sinusoid's power that lies in its mean over the first `length` positions: its slow columns
/// hardly move in a short text, and what does not move tells no position.
double constant_power_share(std::size_t length, std::size_t d);

/// Runs of one task, arm and size over its seeds; all of a claim's in the order of their cells.
using Arms = Group<Trained>;
std::vector<Arms> arms_of(const Cells& cells);
/// The one of these coordinates, or nullptr.
const Arms* find_arms(const std::vector<Arms>& all, std::string_view task, std::string_view arm,
                      std::size_t position_width, std::size_t width, std::size_t depth = 1);
/// Where task is not the text, and positions have no dimensions of their own, a quarter or half of them.
bool is_compared(const Run& run);

/// What two arms came to, by seed. Throws Error for arms that were run with other seeds.
struct Compared {
  Trained first, second;
  std::string pair;

  // What the first is better by: accuracy, steps to 90 %, and (1, 0 or -1) whether it learned.
  double gain() const { return first.accuracy - second.accuracy; }
  double saved() const { return double(second.learned_at) - double(first.learned_at); }
  double learned() const { return double(first.learned()) - double(second.learned()); }
  /// Logarithm of its steps over the second's, a run that did not learn counting as all of its steps.
  double log_steps() const;
  /// Surprise of its test less the second's, nats an answer.
  double lost() const { return first.nats - second.nats; }
};
using Comparison = Group<Compared>;
Comparison comparison(const Arms& first, const Arms& second, const std::string& pair = {});

/// Two arms of one width, `part` as in Arm.
struct Pair {
  std::string_view name;
  Arm first, second;
};
inline constexpr std::array<Pair, 7> pairs{{{"fixed_quarter", {"add_fixed"}, {"concat", 4}},
                                            {"fixed_half", {"add_fixed"}, {"concat", 2}},
                                            {"learned_quarter", {"add_learned"}, {"concat_learned", 4}},
                                            {"learned_half", {"add_learned"}, {"concat_learned", 2}},
                                            {"learned_fixed", {"add_learned"}, {"add_fixed"}},
                                            {"rotary_learned", {"rotary"}, {"add_learned"}},
                                            {"project_fixed", {"project", 2}, {"add_fixed"}}}};
/// Every pair that was run, task by task and width by width.
std::vector<Comparison> comparisons(const std::vector<Arms>& all);

inline constexpr std::size_t split_width = 32;
/// Splits of copy2 at that width in order of their d_p.
std::vector<Arms> splits_of(const std::vector<Arms>& all);
/// Seed by seed the run of the split that the other seeds learn fastest with (of equal ones, the most
/// accurate): choosing and measuring on the same run would flatter it.
Arms best_splits(const std::vector<Arms>& splits);

}  // namespace perp::learning
