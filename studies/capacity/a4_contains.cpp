// A4: "adding contains concatenating as a special case": the tables themselves as unknowns.

#include "studies/capacity/a4_contains.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/measures/bilinear_optimum.hpp"
#include "studies/capacity/claims.hpp"

namespace perp::capacity {
namespace {

std::vector<Cell> cells(const Options& options) {
  std::vector<Cell> cells;
  const bool quick = options.preset == Preset::quick;
  const std::size_t replicates = pick<std::size_t>(options.preset, 3, 8, 12);
  const auto at_size = [](const char* what, const ContainSize& size) {
    return Coordinates{{"what", std::string(what)},
                       {"v", whole(size.words)},
                       {"l", whole(size.positions)},
                       {"d", whole(size.d)}};
  };
  for (const ContainSize& size : contain_sizes) {
    if (quick && size.words != contain_sizes[1].words) continue;
    const double n = static_cast<double>(size.words + size.positions), d = static_cast<double>(size.d);
    const double step = 1e-9 * (8 * n * d * d + 6 * n * n * d);
    for (std::size_t r = 0; r < replicates; ++r) {
      Coordinates at = at_size("joint", size);
      at.emplace_back("steps", whole(pick<std::size_t>(options.preset, 60, 300, 1000)));
      at.emplace_back("replicate", whole(r));
      cells.push_back({at, 400 * step});
      for (const std::int64_t power :
           quick ? std::vector<std::int64_t>{1, 16} : std::vector<std::int64_t>{1, 2, 16, 256}) {
        at = at_size("alone", size);
        at.emplace_back("power", power);
        at.emplace_back("steps", whole(pick<std::size_t>(options.preset, 40, 120, 400)));
        at.emplace_back("replicate", whole(r));
        cells.push_back({at, 400 * step});
      }
    }
    Coordinates at = at_size("containment", size);
    at.emplace_back("replicates", whole(replicates));
    cells.push_back({at, 10 * step});
  }
  return cells;
}

Draw draw_of(const Cell& cell, const Streams& streams, std::size_t replicate = 0) {
  return draw(size_at(cell.at, "v"), size_at(cell.at, "l"), size_at(cell.at, "d"), streams, replicate);
}

/// Streams of a replicate that all powers share, so that they and the split compare pair by pair.
Streams shared(const Cell& cell, const Streams& streams) {
  return {streams.seed, streams.experiment,
          "v=" + to_text(at(cell.at, "v")) + " replicate=" + to_text(at(cell.at, "replicate"))};
}

BestSplit split_of(const Draw& draw, const BilinearTargets& targets) {
  return best_split_of(draw, targets, Positions::random, 1, even_widths(draw.d, 2), usual_cutoff);
}

/// A row for every step that was allowed, so that the table has the same rows whatever was drawn: a descent
/// that has stopped stays where it is.
Records path_records(const std::string& name, std::int64_t power, const std::vector<double>& path,
                     std::size_t steps) {
  Records records;
  for (std::size_t step = 0; step <= steps; ++step) {
    const double residual = path[std::min(step, path.size() - 1)];
    records.push_back(
        {"path", {{"from", name}, {"of_power", power}, {"step", whole(step)}, {"residual", residual}}});
  }
  return records;
}

/// 1 where the table has its own dimensions: words before, positions after.
Matrix<double> supports(const Draw& draw, std::size_t width) {
  Matrix<double> free = zeros<double>(draw.words + draw.positions, draw.d);
  for (std::size_t i = 0; i < rows(free); ++i)
    for (std::size_t j = 0; j < draw.d; ++j) free(i, j) = (i < draw.words) == (j < draw.d - width) ? 1 : 0;
  return free;
}

struct Start {
  const char* name;
  Matrix<double> positions;
};
std::vector<Start> starts_of(const Draw& one, const Streams& streams, std::size_t width, double power) {
  Draw other = one;
  other.position_entries = normal_table(one.positions, one.d, streams("other positions"));
  std::vector<Start> starts{{"random", exact_positions(Positions::random, one, one.d, power)},
                            {"other", exact_positions(Positions::random, other, one.d, power)},
                            {"sinusoidal", exact_positions(Positions::sinusoidal, one, one.d, power)},
                            {"centred", exact_positions(Positions::centred, one, one.d, power)},
                            {"confined", zeros<double>(one.positions, one.d)}};
  // The split's own positions: all of their power in its last dimensions, while words have every one.
  const Matrix<double> narrow = exact_positions(Positions::random, one, width, power);
  for (std::size_t i = 0; i < one.positions; ++i)
    for (std::size_t j = 0; j < width; ++j) starts.back().positions(i, one.d - width + j) = narrow(i, j);
  return starts;
}

Records run(const Cell& cell, const Streams& streams) {
  const std::string& what = text_at(cell.at, "what");
  return what == "containment" ? run_containment(cell, streams)
         : what == "joint"     ? run_joint(cell, shared(cell, streams))
                               : run_alone(cell, shared(cell, streams));
}

}  // namespace

Records run_containment(const Cell& cell, const Streams& streams) {
  Records records;
  for (std::size_t r = 0; r < size_at(cell.at, "replicates"); ++r) {
    const Draw one = draw_of(cell, streams, r);
    const std::size_t d = one.d, width = one.positions;
    const Matrix<double> concatenated = split_table(one, Positions::random, width, 1);
    const Matrix<double> turn = complete_basis(normal_table(d, d, streams("turn", r)));
    const Matrix<double> added = product<double>(concatenated, turn);
    const BilinearTargets targets = bilinear_targets(one.targets, one.words);
    const BilinearFit apart = bilinear_fit(concatenated, targets), together = bilinear_fit(added, targets);
    const auto scores = [&](const Matrix<double>& table, const Matrix<double>& head) {
      const Matrix<double> a = whitened_rows(table, one.words);
      return product_nt<double>(product<double>(a, head), a);
    };
    const Matrix<double> left = scores(concatenated, apart.head), right = scores(added, together.head);
    double off = 0;
    for (std::size_t i = 0; i < left.size(); ++i) off += std::pow(left.data()[i] - right.data()[i], 2);
    records.push_back({"containment",
                       {{"difference", std::sqrt(off / targets.energy)},
                        {"residual_difference", std::abs(apart.residual - together.residual)}}});
  }
  return records;
}

Records run_joint(const Cell& cell, const Streams& streams) {
  const Draw one = draw_of(cell, streams);
  const BilinearTargets targets = bilinear_targets(one.targets, one.words);
  const BestSplit split = split_of(one, targets);
  const Matrix<double> start = split_table(one, Positions::random, split.width, 1);
  Matrix<double> everything = zeros<double>(one.words + one.positions, one.d);
  std::fill(everything.data(), everything.data() + everything.size(), 1.0);

  const OptimumSettings settings{.steps = size_at(cell.at, "steps"), .enough = 1e-5};
  const BilinearOptimum free = bilinear_optimum(start, targets, everything, settings),
                        within = bilinear_optimum(start, targets, supports(one, split.width), settings),
                        released = bilinear_optimum(within.table, targets, everything, settings);
  double rise = 0;
  for (const BilinearOptimum* optimum : {&free, &within, &released})
    for (std::size_t i = 1; i < optimum->path.size(); ++i)
      rise = std::max(rise, optimum->path[i] - optimum->path[i - 1]);
  Records records{{"joint",
                   {{"width", whole(split.width)},
                    {"split", split.fit.residual},
                    {"joint", free.residual()},
                    {"within", within.residual()},
                    {"released", released.residual()},
                    {"rise", rise},
                    {"split_gain", split.fit.noise_gain},
                    {"joint_gain", bilinear_residual(free.table, targets).noise_gain}}}};
  if (integer_at(cell.at, "replicate") == 0) {
    for (Record& r : path_records("joint", 1, free.path, settings.steps)) records.push_back(std::move(r));
    for (Record& r : path_records("within", 1, within.path, settings.steps)) records.push_back(std::move(r));
  }
  return records;
}

Records run_alone(const Cell& cell, const Streams& streams) {
  const Draw one = draw_of(cell, streams);
  const BilinearTargets targets = bilinear_targets(one.targets, one.words);
  const BestSplit split = split_of(one, targets);
  const std::int64_t power = integer_at(cell.at, "power");
  Matrix<double> free = zeros<double>(one.words + one.positions, one.d);
  std::fill(free.data() + one.words * one.d, free.data() + free.size(), 1.0);
  const OptimumSettings settings{.steps = size_at(cell.at, "steps"), .keep_power = true, .enough = 5e-5};
  Records records;
  for (const Start& start : starts_of(one, streams, split.width, static_cast<double>(power))) {
    Matrix<double> table = added_table(one, Positions::random, 1);
    std::copy(start.positions.data(), start.positions.data() + start.positions.size(),
              table.data() + one.words * one.d);
    const BilinearOptimum end = bilinear_optimum(table, targets, free, settings);
    records.push_back({"start",
                       {{"from", std::string(start.name)},
                        {"begin", end.path.front()},
                        {"end", end.residual()},
                        {"split", split.fit.residual},
                        {"steps_taken", whole(end.path.size() - 1)},
                        {"gain", bilinear_residual(end.table, targets).noise_gain}}});
    if (integer_at(cell.at, "replicate") == 0)
      for (Record& r : path_records(start.name, power, end.path, settings.steps))
        records.push_back(std::move(r));
  }
  return records;
}

Experiment adding_contains_concatenating(const Options& options) {
  return {"A4",
          "Adding contains concatenating as a special case.",
          "[e]",
          {},
          cells(options),
          run,
          summarise_contains};
}

}  // namespace perp::capacity
