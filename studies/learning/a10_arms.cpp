// A10: compressed words and compressed positions, concatenated and trained, against adding.

#include "studies/learning/a10_arms.hpp"

#include <algorithm>
#include <cmath>

#include "studies/learning/claims.hpp"

namespace perp::learning {
namespace {

std::vector<Cell> cells(const Options& options, const SharedText& text) {
  std::vector<Run> runs = main_runs(options);
  for (const auto& more : {split_runs(options), text_runs(options, text)})
    runs.insert(runs.end(), more.begin(), more.end());
  return cells_of(runs);
}

Trained named_by(const Run& run) {
  Trained runs;
  runs.task = run.task;
  runs.arm = run.arm;
  runs.position_width = run.position_width;
  runs.width = run.width;
  runs.depth = run.depth;
  runs.steps = run.steps;
  return runs;
}

bool is(const Trained& runs, std::string_view task, std::string_view arm, std::size_t position_width,
        std::size_t width, std::size_t depth) {
  return runs.task == task && runs.arm == arm && runs.position_width == position_width &&
         runs.width == width && runs.depth == depth;
}

void add_run(const CellRecords& cell, std::size_t seed, Trained& runs) {
  const bool first = runs.seeds.empty();
  runs.seeds.push_back(seed);
  runs.curve.emplace_back();
  for (const Record& record : cell.records) {
    if (record.name == "curve") {
      if (first) runs.curve_steps.push_back(size_at(record.values, "step"));
      runs.curve.back().push_back(number_at(record.values, "accuracy"));
    } else if (record.name == "run") {
      runs.accuracy.push_back(number_at(record.values, "accuracy"));
      runs.nats.push_back(number_at(record.values, "nats"));
      runs.learned_at.push_back(number_at(record.values, "learned_at"));
      runs.inner_parameters = size_at(record.values, "inner_parameters");
      runs.embedding_parameters = size_at(record.values, "embedding_parameters");
    }
  }
}

Estimate exponential(const Estimate& nats) {
  Estimate result{std::exp(nats.value), {}, {}, nats.level};
  if (nats.low) result.low = std::exp(*nats.low);
  if (nats.high) result.high = std::exp(*nats.high);
  return result;
}

bool is_learned(double step, const Trained& runs) { return step <= static_cast<double>(runs.steps); }

}  // namespace

std::vector<Trained> trained(const std::vector<CellRecords>& cells) {
  std::vector<Trained> all;
  for (const CellRecords& cell : cells) {
    const Run run = run_of(cell.cell.at);
    const auto it = std::ranges::find_if(all, [&](const Trained& runs) {
      return is(runs, run.task, run.arm, run.position_width, run.width, run.depth);
    });
    add_run(cell, run.seed, it == all.end() ? all.emplace_back(named_by(run)) : *it);
  }
  return all;
}

const Trained* trained(const std::vector<Trained>& all, std::string_view task, std::string_view arm,
                       std::size_t position_width, std::size_t width, std::size_t depth) {
  const auto it = std::ranges::find_if(
      all, [&](const Trained& runs) { return is(runs, task, arm, position_width, width, depth); });
  return it == all.end() ? nullptr : &*it;
}

std::vector<const Trained*> compared(const std::vector<Trained>& all) {
  std::vector<const Trained*> chosen;
  for (const Trained& runs : all) {
    const bool main = runs.position_width == 0 || runs.position_width * 4 == runs.width ||
                      runs.position_width * 2 == runs.width;
    if (runs.task != "text" && main) chosen.push_back(&runs);
  }
  return chosen;
}

Estimate learned_share_of(const Trained& runs) {
  const auto learned = static_cast<std::uint64_t>(
      std::ranges::count_if(runs.learned_at, [&](double step) { return is_learned(step, runs); }));
  return estimated(static_cast<double>(learned) / static_cast<double>(runs.seeds.size()),
                   share_spread(learned, runs.seeds.size()));
}

Estimate perplexity_of(const Trained& runs) { return exponential(over_seeds(runs.nats, 0)); }
Estimate perplexity_ratio(const Trained& runs, const std::vector<Trained>& all) {
  return exponential(over_seeds(nats_over_concat(runs, all)));
}
std::vector<double> nats_over_concat(const Trained& runs, const std::vector<Trained>& all) {
  const Trained* concat = trained(all, "text", "concat", runs.width / 4, runs.width, runs.depth);
  require(concat && concat->seeds == runs.seeds, "A10: no concatenation to compare {} with", runs.arm);
  std::vector<double> differences;
  for (std::size_t i = 0; i < runs.nats.size(); ++i) differences.push_back(runs.nats[i] - concat->nats[i]);
  return differences;
}

std::array<std::string, 2> arms_of(std::string_view pair) {
  const auto it = std::ranges::find(pairs, pair, &Pair::name);
  require(it != pairs.end(), "A10: no pair '{}'", pair);
  const auto written = [](std::string_view arm, std::size_t part) {
    return part ? fmt::format("{} d/{}", arm, part) : std::string(arm);
  };
  return {written(it->first, it->first_part), written(it->second, it->second_part)};
}

std::vector<Compared> comparisons(const std::vector<Trained>& all) {
  std::vector<Compared> result;
  for (const Trained* first : compared(all))
    for (const Pair& pair : pairs) {
      const std::size_t d = first->width, first_d_p = pair.first_part ? d / pair.first_part : 0,
                        second_d_p = pair.second_part ? d / pair.second_part : 0;
      if (first->arm != pair.first || first->position_width != first_d_p) continue;
      const Trained* second = trained(all, first->task, pair.second, second_d_p, d, first->depth);
      if (!second) continue;
      require(first->seeds == second->seeds, "A10: {} and {} of {} were run with other seeds", first->arm,
              second->arm, first->task);
      Compared compared{first, second, pair.name, {}, {}, {}, {}};
      const double cap = static_cast<double>(first->steps);
      for (std::size_t i = 0; i < first->seeds.size(); ++i) {
        compared.gain.push_back(first->accuracy[i] - second->accuracy[i]);
        const double a = first->learned_at[i], b = second->learned_at[i];
        compared.saved.push_back(b - a);
        compared.learned.push_back(static_cast<double>(is_learned(a, *first)) -
                                   static_cast<double>(is_learned(b, *second)));
        compared.log_steps.push_back(std::log(std::min(a, cap) / std::min(b, cap)));
      }
      result.push_back(std::move(compared));
    }
  return result;
}

std::vector<const Trained*> splits(const std::vector<Trained>& all) {
  std::vector<const Trained*> found;
  for (const Trained& runs : all)
    if (runs.task == "copy2" && runs.arm == "concat" && runs.width == split_width && runs.depth == 1)
      found.push_back(&runs);
  std::ranges::sort(found, {}, &Trained::position_width);
  return found;
}

std::vector<const Trained*> best_splits(const std::vector<const Trained*>& splits) {
  std::vector<const Trained*> chosen;
  for (std::size_t seed = 0; seed < splits.front()->seeds.size(); ++seed) {
    const auto among_others = [&](const Trained* runs) {
      std::pair<double, double> sums{0, 0};  // fewer steps first, then fewer mistakes
      for (std::size_t i = 0; i < runs->seeds.size(); ++i)
        if (i != seed) {
          sums.first += runs->learned_at[i];
          sums.second -= runs->accuracy[i];
        }
      return sums;
    };
    chosen.push_back(*std::ranges::min_element(splits, {}, among_others));
  }
  return chosen;
}

std::vector<double> saved_by_splits(const std::vector<const Trained*>& chosen, const Trained& adding) {
  std::vector<double> saved;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    saved.push_back(adding.learned_at[i] - chosen[i]->learned_at[i]);
  return saved;
}

Experiment who_learns(const Options& options, const SharedText& text) {
  Experiment experiment{
      "A10",
      "Once a model is trained, adding loses nothing against concatenating smaller words and "
      "smaller positions.",
      "[e]",
      text ? text->hashes() : std::vector<std::string>{},
      cells(options, text),
      trainer(text),
      [text](const std::vector<CellRecords>& records) { return summarise_arms(records, text); }};
  experiment.work = work_name;
  return experiment;
}

}  // namespace perp::learning
