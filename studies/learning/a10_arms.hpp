#pragma once
// A10: runs of one task, arm and size over its seeds, and how two arms compare seed by seed.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "perp/study/experiment.hpp"
#include "studies/learning/seeds.hpp"
#include "studies/learning/training.hpp"

namespace perp::learning {

/// Runs that differ in their seed alone.
struct Trained {
  std::string task, arm;
  std::size_t position_width = 0, width = 0, depth = 1, steps = 0;
  std::vector<std::size_t> seeds;
  std::vector<double> accuracy, nats, learned_at;  ///< one each; learned_at is steps + 1 where it was not
  std::size_t inner_parameters = 0, embedding_parameters = 0;
  std::vector<std::size_t> curve_steps;
  std::vector<std::vector<double>> curve;  ///< accuracy, seed by seed, at each of curve_steps
};

/// In the order of the cells.
std::vector<Trained> trained(const std::vector<CellRecords>& cells);
/// The one of these coordinates, or nullptr.
const Trained* trained(const std::vector<Trained>& all, std::string_view task, std::string_view arm,
                       std::size_t position_width, std::size_t width, std::size_t depth = 1);
/// Every task but the text, with the widths, depths and arms that it was run in, arms in the order of `arms`.
std::vector<const Trained*> compared(const std::vector<Trained>& all);

/// Share of the seeds whose run was learned, with Wilson's interval.
Estimate learned_share_of(const Trained& runs);

/// Of the text: e to the mean surprise over seeds, and over that of concat, paired by seed. Intervals of few
/// seeds may reach infinity.
Estimate perplexity_of(const Trained& runs);
Estimate perplexity_ratio(const Trained& runs, const std::vector<Trained>& all);
/// Its mean surprise less that of concat, in nats a word, seed by seed.
std::vector<double> nats_over_concat(const Trained& runs, const std::vector<Trained>& all);

/// Two arms of one width, `part` as in Arm.
struct Pair {
  std::string_view name, first;
  std::size_t first_part = 0;
  std::string_view second;
  std::size_t second_part = 0;
};
inline constexpr std::array<Pair, 7> pairs{{{"fixed_quarter", "add_fixed", 0, "concat", 4},
                                            {"fixed_half", "add_fixed", 0, "concat", 2},
                                            {"learned_quarter", "add_learned", 0, "concat_learned", 4},
                                            {"learned_half", "add_learned", 0, "concat_learned", 2},
                                            {"learned_fixed", "add_learned", 0, "add_fixed", 0},
                                            {"rotary_learned", "rotary", 0, "add_learned", 0},
                                            {"project_fixed", "project", 2, "add_fixed", 0}}};

/// {"add_fixed", "concat d/4"}: the arms of the pair of this name, as they are written in tables and
/// sentences.
std::array<std::string, 2> arms_of(std::string_view pair);

/// What the first arm is better by, seed by seed: accuracy, steps to 90 %, and (1, 0 or -1) whether it
/// learned; and the logarithm of its steps over the second's, a run that did not learn counting as all of its
/// steps.
struct Compared {
  const Trained *first = nullptr, *second = nullptr;
  std::string_view pair;
  std::vector<double> gain, saved, learned, log_steps;
};
std::vector<Compared> comparisons(const std::vector<Trained>& all);

/// Splits of copy2 at width 32 in order of their d_p, and the one that the other seeds learn fastest with,
/// seed by seed (of equal ones, the most accurate): choosing and measuring on the same run would flatter it.
std::vector<const Trained*> splits(const std::vector<Trained>& all);
std::vector<const Trained*> best_splits(const std::vector<const Trained*>& splits);
/// What the chosen splits are better by than `adding`, in steps to 90 %, seed by seed.
std::vector<double> saved_by_splits(const std::vector<const Trained*>& chosen, const Trained& adding);

/// Findings on single runs, pairs, splits and the text; those over all tasks are the summary's.
std::vector<Finding> arm_findings(const std::vector<Trained>& all, double unigram_perplexity);
std::vector<Table> arm_tables(const std::vector<Trained>& all, double unigram_perplexity);
Outcome summarise_arms(const std::vector<CellRecords>& cells, const SharedText& text);

/// Seed by seed, what every comparison says: the numbers behind the means.
Table seeds_table(const std::vector<Trained>& all);

inline constexpr std::size_t split_width = 32;
/// Losing less than this share of the answers, or this share of perplexity, counts as losing nothing.
inline constexpr double margin = 0.02;

}  // namespace perp::learning
