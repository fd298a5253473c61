// A10

#include "studies/learning/claims.hpp"
#include "studies/learning/training.hpp"

namespace perp::learning {
namespace {

std::vector<Cell> cells(const Options& options, const SharedText& text) {
  std::vector<Run> runs = main_runs(options);
  for (const auto& more : {split_runs(options), text_runs(options, text)})
    runs.insert(runs.end(), more.begin(), more.end());
  return cells_of(runs);
}

}  // namespace

Experiment who_learns(const Options& options, const SharedText& text) {
  Experiment experiment{"A10",
                        "Compressed words and compressed positions, concatenated and trained.",
                        "[e]",
                        text ? text->hashes() : std::vector<std::string>{},
                        cells(options, text),
                        trainer(text),
                        [](const std::vector<CellRecords>&) { return Outcome{}; }};
  experiment.work = work_name;
  return experiment;
}

}  // namespace perp::learning
