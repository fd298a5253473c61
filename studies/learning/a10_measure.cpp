#include "studies/learning/a10_measure.hpp"

#include "perp/base/matrix_algebra.hpp"
#include "perp/vectors/positions.hpp"

namespace perp::learning {
namespace {

constexpr std::size_t words = 32;

/// P(no bin holds more than `most`), bin after bin: with b bins to come, a ball lies in this one with 1/b.
double chance_of_at_most(std::size_t balls, std::size_t bins, std::size_t most) {
  std::vector<double> left(balls + 1, 0.0);  // how many balls are still to be placed
  left[balls] = 1;
  for (std::size_t b = bins; b > 0; --b) {
    const double here = 1 / double(b);
    std::vector<double> next(balls + 1, 0.0);
    for (std::size_t n = 0; n <= balls; ++n) {
      if (b == 1) {
        if (n <= most) next[0] += left[n];
        continue;
      }
      double binomial = left[n];
      for (std::size_t i = 0; i < n; ++i) binomial *= 1 - here;
      for (std::size_t j = 0; j <= std::min(n, most); ++j) {
        next[n - j] += binomial;
        binomial *= double(n - j) / double(j + 1) * here / (1 - here);
      }
    }
    left = std::move(next);
  }
  return left[0];
}

}  // namespace

double mean_largest_count(std::size_t balls, std::size_t bins) {
  require(bins > 0, "mean_largest_count: {} balls and no bins", balls);
  double mean = 0;  // of a whole number: Σ P(largest > m)
  for (std::size_t m = 0; m < balls; ++m) mean += 1 - chance_of_at_most(balls, bins, m);
  return mean;
}

double order_blind_share(std::string_view task) {
  const auto among = [](std::size_t others) { return mean_largest_count(others, words) / others; };
  if (task.starts_with("copy")) return among(task_length - 1);
  require(task == "named" || task == "bite", "order_blind_share: no task '{}'", task);
  return among(task_length / 2);
}

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
