#include "studies/learning/a10_chance.hpp"

#include <algorithm>
#include <vector>

#include "perp/base/error.hpp"
#include "studies/learning/tasks.hpp"

namespace perp::learning {
namespace {

constexpr std::size_t words = 32, counted_words = 8, largest_counted = 8;

/// P(no bin holds more than `most`), bin after bin: with b bins to come, a ball lies in this one with 1/b.
double chance_of_at_most(std::size_t balls, std::size_t bins, std::size_t most) {
  std::vector<double> left(balls + 1, 0.0);  // how many balls are still to be placed
  left[balls] = 1;
  for (std::size_t b = bins; b > 0; --b) {
    const double here = 1 / static_cast<double>(b);
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
        binomial *= static_cast<double>(n - j) / static_cast<double>(j + 1) * here / (1 - here);
      }
    }
    left = std::move(next);
  }
  return left[0];
}

/// Best of 1 + Binomial(31, 1/8), with all from `largest_counted` on together.
double likeliest_count() {
  constexpr double p = 1.0 / counted_words;
  constexpr std::size_t others = task_length - 1;
  double chance = 1, best = 0, before = 0;
  for (std::size_t i = 0; i < others; ++i) chance *= 1 - p;
  for (std::size_t k = 0; k + 1 < largest_counted; ++k) {
    best = std::max(best, chance);
    before += chance;
    chance *= static_cast<double>(others - k) / static_cast<double>(k + 1) * p / (1 - p);
  }
  return std::max(best, 1 - before);
}

}  // namespace

double mean_largest_count(std::size_t balls, std::size_t bins) {
  require(bins > 0, "mean_largest_count: {} balls and no bins", balls);
  double mean = 0;  // of a whole number: Σ P(largest > m)
  for (std::size_t m = 0; m < balls; ++m) mean += 1 - chance_of_at_most(balls, bins, m);
  return mean;
}

double order_blind_share(std::string_view task) {
  const auto among = [](std::size_t others) {
    return mean_largest_count(others, words) / static_cast<double>(others);
  };
  if (task.starts_with("copy")) return among(task_length - 1);
  if (task == "named" || task == "bite") return among(task_length / 2);
  require(task == "count", "order_blind_share: no task '{}'", task);
  return 1;
}

double constant_share(std::string_view task) {
  if (task == "count") return likeliest_count();
  require(task.starts_with("copy") || task == "named" || task == "bite", "constant_share: no task '{}'",
          task);
  return 1.0 / words;
}

}  // namespace perp::learning
