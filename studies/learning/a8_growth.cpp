// A8: words grow to make room. The runs; a8_summary.cpp says what follows from them.

#include "studies/learning/a8_growth.hpp"

#include "studies/learning/claims.hpp"
#include "studies/learning/training.hpp"

namespace perp::learning {
namespace {

std::vector<Cell> cells(const Options& options, const SharedText& text) {
  std::vector<Run> runs = main_runs(options);
  for (const auto& more : {text_runs(options, text), small_start_runs(options)})
    runs.insert(runs.end(), more.begin(), more.end());
  return cells_of(runs);
}

}  // namespace

Experiment growing_words(const Options& options, const SharedText& text) {
  Experiment experiment{"A8",
                        "Word vectors grow to make room.",
                        "[b]",
                        text ? text->hashes() : std::vector<std::string>{},
                        cells(options, text),
                        trainer(text),
                        summarise_growth};
  experiment.work = work_name;
  return experiment;
}

}  // namespace perp::learning
