// A10: findings, run by run and pair by pair.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "perp/vectors/positions.hpp"
#include "studies/learning/a10_arms.hpp"
#include "studies/learning/a10_chance.hpp"
#include "studies/learning/claims.hpp"

namespace perp::learning {
namespace {

constexpr std::string_view steps_sentence =
    "Steps until 90 % of the answers of ten batches in a row were right, mean over seeds; a run that never "
    "got "
    "there counts as one step more than it made";

/// task, arm, d_p where there is one, width
Coordinates place_of(const Trained& runs) {
  Coordinates at{{"task", runs.task}, {"arm", runs.arm}};
  if (runs.position_width) at.emplace_back("p", whole(runs.position_width));
  at.emplace_back("width", whole(runs.width));
  return at;
}

void add_arms(const std::vector<Trained>& all, std::vector<Finding>& findings) {
  for (const Trained* runs : compared(all)) {
    if (runs->depth != 1) continue;
    const double beyond = static_cast<double>(runs->steps + 1);
    findings.push_back(finding(
        "A10", "accuracy", place_of(*runs), over_seeds(runs->accuracy, 0, 1),
        {.theory = order_blind_share(runs->task),
         .n = runs->seeds.size(),
         .kind = Kind::sampled,
         .meaning = "Share of right answers after training, on sequences not learned from, mean over "
                    "seeds; chance: the best guesser who sees a sequence's words and not their order."}));
    findings.push_back(
        finding("A10", "steps", place_of(*runs), over_seeds(runs->learned_at, 1, beyond),
                {.theory = beyond,
                 .unit = "steps",
                 .n = runs->seeds.size(),
                 .kind = Kind::sampled,
                 .meaning = fmt::format("{}, as all runs of a guesser would.", steps_sentence)}));
  }
}

void add_pairs(const std::vector<Trained>& all, std::vector<Finding>& findings) {
  for (const Compared& pair : comparisons(all)) {
    if (pair.first->depth != 1) continue;
    const Coordinates at{
        {"task", pair.first->task}, {"pair", std::string(pair.pair)}, {"width", whole(pair.first->width)}};
    const auto [first, second] = arms_of(pair.pair);
    const double most = static_cast<double>(pair.first->steps);
    findings.push_back(finding(
        "A10", "gain", at, over_seeds(pair.gain, -1, 1),
        {.theory = 0.0,
         .n = pair.gain.size(),
         .kind = Kind::sampled,
         .meaning =
             fmt::format("Accuracy after training of {} less that of {}, paired by seed.", first, second)}));
    findings.push_back(finding(
        "A10", "saved", at, over_seeds(pair.saved, -most, most),
        {.theory = 0.0,
         .unit = "steps",
         .n = pair.saved.size(),
         .kind = Kind::sampled,
         .meaning = fmt::format("Steps to 90 % that {} needs less than {}, paired by seed; one step more "
                                "than was made where it was not reached.",
                                first, second)}));
  }
}

void add_splits(const std::vector<Trained>& all, std::vector<Finding>& findings) {
  const std::vector<const Trained*> every = splits(all), chosen = best_splits(every);
  for (const Trained* runs : every) {
    const Coordinates at{{"p", whole(runs->position_width)}};
    const double beyond = static_cast<double>(runs->steps + 1);
    findings.push_back(finding("A10", "split_accuracy", at, over_seeds(runs->accuracy, 0, 1),
                               {.theory = order_blind_share(runs->task),
                                .n = runs->seeds.size(),
                                .kind = Kind::sampled,
                                .meaning = "Accuracy on copy2 at width 32 with so many dimensions for a "
                                           "concatenated sinusoid; chance: blind to the order."}));
    findings.push_back(finding("A10", "split_steps", at, over_seeds(runs->learned_at, 1, beyond),
                               {.theory = beyond,
                                .unit = "steps",
                                .n = runs->seeds.size(),
                                .kind = Kind::sampled,
                                .meaning = fmt::format("{}; copy2, width 32.", steps_sentence)}));
  }
  const auto fastest = std::ranges::min_element(
      every, {}, [](const Trained* runs) { return over_seeds(runs->learned_at, 0, 1).value; });
  findings.push_back(finding("A10", "best_split", {}, {static_cast<double>((*fastest)->position_width)},
                             {.unit = "dimensions",
                              .n = every.size(),
                              .kind = Kind::sampled,
                              .meaning = "Of the splits of width 32, the d_p that learns copy2 in the fewest "
                                         "steps, mean over seeds."}));
  for (const char* arm : {"add_fixed", "add_learned"}) {
    const Trained& adding = *trained(all, "copy2", arm, 0, split_width);
    const double most = static_cast<double>(adding.steps);
    findings.push_back(finding(
        "A10", "split_saved", {{"arm", std::string(arm)}},
        over_seeds(saved_by_splits(chosen, adding), -most, most),
        {.theory = 0.0,
         .unit = "steps",
         .n = chosen.size(),
         .kind = Kind::sampled,
         .meaning = "Steps to 90 % on copy2 at width 32 that the best split, chosen for each seed by the "
                    "others, needs less than adding, paired by seed."}));
  }
}

/// Counting needs no order: what does being told positions cost?
void add_counting(const std::vector<Trained>& all, std::vector<Finding>& findings) {
  for (const Trained* runs : compared(all)) {
    if (runs->task != "count" || runs->arm == "none" || runs->depth != 1) continue;
    const Trained& none = *trained(all, "count", "none", 0, runs->width);
    std::vector<double> differences;
    for (std::size_t i = 0; i < runs->accuracy.size(); ++i)
      differences.push_back(runs->accuracy[i] - none.accuracy[i]);
    Coordinates at = place_of(*runs);
    at.erase(at.begin());
    findings.push_back(
        finding("A10", "counting", at, over_seeds(differences, -1, 1),
                {.theory = 0.0,
                 .n = differences.size(),
                 .kind = Kind::sampled,
                 .meaning = "Accuracy in counting, which needs no order, less that of the model "
                            "without positions, paired by seed."}));
  }
}

void add_text(const std::vector<Trained>& all, double unigram, std::vector<Finding>& findings) {
  for (const Trained& runs : all) {
    if (runs.task != "text") continue;
    findings.push_back(
        finding("A10", "perplexity", {{"arm", runs.arm}}, perplexity_of(runs),
                {.theory = unigram,
                 .n = runs.seeds.size(),
                 .kind = Kind::sampled,
                 .meaning = "Perplexity of the next word of a text not learned from, geometric mean "
                            "over seeds; chance: whoever knows how frequent each word is."}));
    if (runs.arm == "concat") continue;
    findings.push_back(finding("A10", "perplexity_ratio", {{"arm", runs.arm}}, perplexity_ratio(runs, all),
                               {.theory = 1.0,
                                .n = runs.seeds.size(),
                                .kind = Kind::sampled,
                                .meaning = "Perplexity of the next word over that of a concatenation with a "
                                           "quarter of the dimensions for positions, paired by seed."}));
  }
}

/// Text tells something of the arms only where a model without positions loses on it.
void add_text_loss(const std::vector<Trained>& all, std::vector<Finding>& findings) {
  const auto of = [&](std::string_view arm) {
    return std::ranges::find_if(all,
                                [&](const Trained& runs) { return runs.task == "text" && runs.arm == arm; });
  };
  const auto none = of("none"), added = of("add_fixed");
  if (none == all.end() || added == all.end()) return;
  if (!(over_seeds(nats_over_concat(*none, all)).low > std::log(1 + margin))) return;
  const std::vector<double> lost = nats_over_concat(*added, all);
  findings.push_back(
      finding("A10", "text_lost", {{"arm", "add_fixed"}}, over_seeds(lost),
              {.theory = 0.0,
               .unit = "nats",
               .n = lost.size(),
               .kind = Kind::sampled,
               .meaning = "Surprise a word of the sum with a sinusoid less that of a "
                          "concatenation with a quarter of the dimensions for positions, paired "
                          "by seed; on a text that a model without positions loses on."}));
}

/// A sinusoid's slow columns hardly move in a short text: their power tells no position.
void add_constant_shares(std::vector<Finding>& findings) {
  struct Size {
    std::size_t d, length;
  };
  for (const auto& [d, length] : {Size{split_width, task_length}, Size{512, 512}}) {
    const Matrix<double> table = sinusoidal<double>(length, d);
    double constant = 0;
    for (std::size_t j = 0; j < d; ++j) {
      double mean = 0;
      for (std::size_t t = 0; t < length; ++t) mean += table(t, j) / static_cast<double>(length);
      constant += mean * mean;
    }
    const double power = static_cast<double>(d) / 2;  // of every row: sines and cosines in pairs
    findings.push_back(finding("A10", "constant_share", {{"width", whole(d)}, {"l", whole(length)}},
                               {constant / power},
                               {.n = length,
                                .kind = Kind::rounded,
                                .meaning = "Share of the sinusoid's power that lies in its mean over "
                                           "positions and tells none of them from another."}));
  }
}

/// Of the models that are compared, how far their parameters outside the embedding differ, at most.
double inner_difference(const std::vector<Trained>& all) {
  double most = 0;
  for (const Trained& a : all)
    for (const Trained& b : all)
      if (a.task == b.task && a.width == b.width && a.depth == b.depth)
        most = std::max(
            most, static_cast<double>(a.inner_parameters) / static_cast<double>(b.inner_parameters) - 1);
  return most;
}

void add_lines(const std::vector<Trained>& all, std::vector<Finding>& findings) {
  for (const std::string_view task : tasks) {
    const Coordinates at{{"task", std::string(task)}};
    findings.push_back(
        finding("A10", "order_blind", at, {order_blind_share(task)},
                {.kind = Kind::rounded,
                 .meaning = "Share right of the best guesser who sees the words of a sequence and "
                            "not their order; exact."}));
    findings.push_back(finding(
        "A10", "constant", at, {constant_share(task)},
        {.kind = Kind::rounded, .meaning = "Share right of always giving the likeliest answer; exact."}));
  }
  findings.push_back(
      finding("A10", "inner_difference", {}, {inner_difference(all)},
              {.theory = 0.0,
               .unit = "share",
               .n = all.size(),
               .kind = Kind::exact,
               .meaning = "Largest relative difference in parameters outside the embedding between "
                          "arms of one task, width and depth."}));
}

}  // namespace

std::vector<Finding> arm_findings(const std::vector<Trained>& all, double unigram_perplexity) {
  std::vector<Finding> findings;
  add_pairs(all, findings);
  add_arms(all, findings);
  add_splits(all, findings);
  add_counting(all, findings);
  add_text(all, unigram_perplexity, findings);
  add_text_loss(all, findings);
  add_constant_shares(findings);
  add_lines(all, findings);
  return findings;
}

}  // namespace perp::learning
