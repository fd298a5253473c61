#include "studies/learning/a10_measure.hpp"

#include "perp/base/matrix_algebra.hpp"
#include "perp/vectors/positions.hpp"

namespace perp::learning {
double constant_power_share(std::size_t length, std::size_t d) {
  double constant = 0;
  for (const double mean : column_means(sinusoidal<double>(length, d))) constant += mean * mean;
  return constant / (d / 2.0);  // the power of every row: sines and cosines in pairs
}

std::vector<Arms> arms_of(const Cells& cells) { return group_by(in_order<Trained>(cells), setting); }

const Pair& pair_named(std::string_view name) { return *std::ranges::find(pairs, name, &Pair::name); }

namespace {

bool is_side(const Arms& runs, const Side& side) {
  const Run& run = runs.front();
  return run.arm == side.arm && run.positions == side.positions &&
         run.position_width == (side.part ? run.width / side.part : 0);
}

Comparison paired_by_seed(const Arms& first, const Arms& second, std::string_view pair) {
  Comparison compared;
  for (const Trained& run : first)
    for (const Trained& other : second)
      if (run.seed == other.seed) compared.push_back({run, other, std::string(pair)});
  return compared;
}

}  // namespace

std::vector<Comparison> comparisons(const std::vector<Arms>& all) {
  std::vector<Comparison> compared;
  for (const Pair& pair : pairs)
    for (const Arms& first : where(all, [&](const Arms& runs) { return is_side(runs, pair.first); }))
      for (const Arms& second : where(all, [&](const Arms& runs) { return is_side(runs, pair.second); })) {
        const Run &a = first.front(), &b = second.front();
        if (a.task != b.task || a.width != b.width) continue;
        if (Comparison seeds = paired_by_seed(first, second, pair.name); !seeds.empty())
          compared.push_back(std::move(seeds));
      }
  return compared;
}

}  // namespace perp::learning
