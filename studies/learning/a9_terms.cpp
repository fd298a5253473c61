#include "perp/theory/distance.hpp"
#include "studies/learning/a9.hpp"
#include "studies/learning/columns.hpp"
#include "studies/learning/seeds.hpp"

namespace perp::learning {
namespace {

using namespace columns;

/// One seed's at one moment: shares of the sum of the four terms over all heads, the others means over heads.
struct Terms : Run {
  std::string moment;
  double word_word, word_position, position_word, position_position, mixed, distance, r2, two_before;
};

std::vector<Terms> terms_of(const std::vector<HeadScores>& scores) {
  std::vector<Terms> terms;
  for (const Group<HeadScores>& heads : group_by(scores, setting, &HeadScores::seed, &HeadScores::moment)) {
    const auto sum = [&](double HeadScores::*of) {
      double sum = 0;
      for (const HeadScores& head : heads) sum += head.*of;
      return sum;
    };
    const double ww = sum(&HeadScores::word_word), wp = sum(&HeadScores::word_position),
                 pw = sum(&HeadScores::position_word), pp = sum(&HeadScores::position_position),
                 all = ww + wp + pw + pp, n = heads.size();
    terms.push_back({heads.front(), heads.front().moment, ww / all, wp / all, pw / all, pp / all,
                     (wp + pw) / all, sum(&HeadScores::distance_only) / all, sum(&HeadScores::r2) / n,
                     only(heads, &HeadScores::lag, -2).size() / n});
  }
  return terms;
}

double r2_of_chance(const Run&) { return theory::toeplitz_null(task_length); }

void add_term_table(const std::vector<Terms>& terms, Summary& summary) {
  const auto share = [](const char* name, const char* pairs, double Terms::*of) {
    return seed_columns<Terms>(
        name, "share",
        fmt::format("{}, share of the sum of the four variances over all heads of the first block", pairs),
        of);
  };
  summary.table(
      "a9_terms.csv", group_by(terms, setting, &Terms::moment),
      {task, arm, positions, p, width, exact("moment", "before or after training", &Terms::moment),
       share("word_word", "query's word with key's word", &Terms::word_word),
       share("word_position", "query's word with key's position", &Terms::word_position),
       share("position_word", "query's position with key's word", &Terms::position_word),
       share("position_position", "query's position with key's position", &Terms::position_position),
       share("distance", "of the last, a function of the distance alone", &Terms::distance),
       seed_columns<Terms>("r2", "share",
                           "share of the position scores' variance, over pairs that attention may look at, "
                           "that is a function of the distance alone, mean over heads",
                           &Terms::r2),
       exact("chance", "r2 of random scores", r2_of_chance).unit("share"), rows_in<Terms>("seeds", "runs")});
}

/// One seed's terms after training, and before.
struct Change : Terms {
  Terms before;
};

std::vector<Change> changes_of(const std::vector<Terms>& terms) {
  std::vector<Change> changes;
  for (const Group<Terms>& moments : group_by(terms, setting, &Terms::seed))
    changes.push_back({moments.at(1), moments.at(0)});
  return changes;
}

void add_terms(const std::vector<Change>& changes, Summary& summary) {
  /// Beside the mean before training.
  const auto after = [](const char* name, const char* meaning, double Terms::*of) {
    return seed_mean<Change>(name, meaning, of).theory([of](const Group<Change>& seeds) {
      return over_seeds(seeds, [of](const Change& seed) { return seed.before.*of; }).value;
    });
  };
  const std::vector<ColumnOf<Group<Change>>> shares{
      after("mixed",
            "Share of words with positions and positions with words in the variance of the first block's "
            "scores after training, mean over seeds; theory: before training.",
            &Terms::mixed),
      after("position_position", "Share of positions with positions, likewise.", &Terms::position_position)};
  const std::vector<ColumnOf<Group<Change>>> by_distance{
      seed_mean<Change>("r2",
                        "Share of the position scores' variance that is a function of the distance alone, "
                        "after training, mean over heads and seeds; theory: random scores.",
                        &Change::r2)
          .theory(r2_of_chance),
      seed_mean<Change>("r2_before",
                        "The same of the same heads before training; theory: random scores, which smooth "
                        "positions surpass.",
                        [](const Change& seed) { return seed.before.r2; })
          .theory(r2_of_chance)};
  const ColumnOf<Group<Change>> r2_change =
      seed_mean<Change>(
          "r2_change",
          "The same after training less before, mean over seeds; chance: training makes no difference.",
          [](const Change& seed) { return seed.r2 - seed.before.r2; })
          .chance(0);
  const ColumnOf<Group<Change>> two_before = after("two_before",
                                                   "Share of the heads whose largest mean position score is "
                                                   "two places before, after training; theory: before it.",
                                                   &Terms::two_before);
  for (const Group<Change>& seeds : group_by(changes, setting)) {
    const Run& run = seeds.front();
    const auto add = [&](const auto& columns) { add_at(place(run), seeds, "A9", columns, summary); };
    if (run.positions == "centred") add(shares);
    if (run.task != "bite") add(by_distance);
    if (run.arm == "add" && run.task == "named") add(std::vector{r2_change});
    if (run.arm == "add" && run.task == "copy2") add(std::vector{two_before});
  }
}

/// Mean weight two before, over the queries that have such a key.
double two_before(const Group<AttentionWeight>& weights) {
  const auto there = where(weights, &AttentionWeight::is_two_before);
  double sum = 0;
  for (const AttentionWeight& pair : there) sum += pair.weight;
  return sum / there.size();
}

/// The head that looks most at two before after training, before and after; of the one run that is shown.
void add_attention(const std::vector<AttentionWeight>& weights, Summary& summary) {
  const auto heads = group_by(weights, &AttentionWeight::moment, &AttentionWeight::head);
  const Group<AttentionWeight>* shown = nullptr;
  for (const Group<AttentionWeight>& head : heads)
    if (head.front().moment == "after" && (!shown || two_before(head) > two_before(*shown))) shown = &head;
  if (!shown) return;
  const auto of_head =
      group_by(only(weights, &AttentionWeight::head, shown->front().head), &AttentionWeight::moment);
  std::vector<AttentionWeight> rows;
  for (const Group<AttentionWeight>& moment : of_head) rows.insert(rows.end(), moment.begin(), moment.end());
  summary.table(
      "a9_attention.csv", rows,
      {exact("moment", "before or after training: copying, centred sinusoid added, the first seed",
             &AttentionWeight::moment),
       sampled("head", "head of the first block, from 0: the one that looks most at two before in the end",
               &AttentionWeight::head),
       exact("query", "position from which is looked, from 0", &AttentionWeight::query),
       exact("key", "position at which is looked", &AttentionWeight::key),
       sampled("weight", "mean weight over the sequences of the test", &AttentionWeight::weight)
           .unit("share")});
  for (const Group<AttentionWeight>& moment : of_head)
    add_overall(summary, "attention_two_before", {{"moment", moment.front().moment}}, two_before(moment), 1,
                "Mean attention weight on the token two before, of the head of one trained model that gives "
                "it most in the end; theory: even weights.",
                1.0 / task_length, Kind::sampled);
}

}  // namespace

void add_score_terms(const Cells& cells, Summary& summary) {
  const std::vector<Terms> terms = terms_of(in_order<HeadScores>(cells));
  add_term_table(terms, summary);
  add_terms(changes_of(terms), summary);
  add_attention(rows_of<AttentionWeight>(cells), summary);
}

}  // namespace perp::learning
