// A8: word vectors can grow to make room if necessary. What training does to the lengths of words, beside the
// same seed's words in a model without positions; it is necessary where words start so small that positions
// hide them. In words: a8.toml.

#include <cmath>

#include "perp/theory/recovery.hpp"
#include "studies/learning/claims.hpp"
#include "studies/learning/seeds.hpp"
#include "studies/learning/training.hpp"

namespace perp::learning {
namespace {

/// Each seed's words after a step: their length over that before training (growth), that over the growth of the same
/// seed's words without positions (excess), the length of added positions over theirs and the knee above which these hide
/// words from whoever knows nothing of positions, and the words' energy per direction of the positions over that per
/// direction of the space. NaN: there is nothing to compare with.
Frame paths_of(const Frame& geometry) {
  const Looks looks(geometry);
  Frame paths = geometry;
  for (Row& path : paths) {
    const auto growth = [&](const std::string& arm) {
      return looks.at(path, arm, path.whole("step"), "word_norm") / looks.at(path, arm, 0, "word_norm");
    };
    const std::string arm = path.text("arm");
    const bool is_added = arm == "add";
    const double own = growth(arm), width = path.number("width");
    path.fields.emplace_back("growth", own);
    path.fields.emplace_back("excess", arm == "none" ? NAN : own / growth("none"));
    path.fields.emplace_back("added", is_added ? path.number("ratio") : NAN);
    path.fields.emplace_back(
        "knee",
        is_added ? theory::recovery_knee(path.whole("width"), task_of(path.text("task")).words) : NAN);
    path.fields.emplace_back("energy", path.number("inside") / (path.number("rank") / width));
  }
  return paths;
}

bool is_end(const Row& path) { return path.whole("step") == path.whole("steps"); }

void fold(const Frames& measured, Out& out) {
  const Frame paths = paths_of(in_order(measured, "Geometry"));
  for (const Frame& seeds : paths.by(std::string(setting) + " step")) {
    const Field p("p", seeds.front().whole("position_width")), knee("knee", seeds.front().number("knee")),
        growth("growth", over_seeds(seeds, "growth")), ratio("ratio", over_seeds(seeds, "added")),
        inside("inside", over_seeds(seeds, "energy"));
    out("paths", seeds, {p, {"norm", over_seeds(seeds, "word_norm")}, growth, ratio, knee, inside});
    if (!is_end(seeds.front())) continue;
    out("end", seeds,
        {p, growth, {"excess", over_seeds(seeds, "excess")}, ratio, knee, {"seeds", seeds.size()}});
    out("inside", seeds, {inside, {"seeds", seeds.size()}});
  }
  const Frame ends = paths.where(is_end);
  for (const double start : {small_start, 1.0})
    for (const char* positions : judged_positions)
      add_over_tasks("excess", ends, positions, start, "excess", out);
}

}  // namespace

Experiment growing_words(const Options& options) {
  Experiment claim =
      claim_on_runs("A8", toml_of("a8"), {looked_at_runs(options), small_start_runs(options)}, {});
  claim.fold(fold);
  return claim;
}

}  // namespace perp::learning
