#include "studies/learning/a10_measure.hpp"

#include "perp/base/matrix_algebra.hpp"
#include "perp/vectors/positions.hpp"

namespace perp::learning {
namespace {

constexpr std::size_t words = 32, counted_words = 8, largest_counted = 8;

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

/// Best of 1 + Binomial(31, 1/8), with all from `largest_counted` on together.
double likeliest_count() {
  constexpr double p = 1.0 / counted_words;
  constexpr std::size_t others = task_length - 1;
  double chance = 1, best = 0, before = 0;
  for (std::size_t i = 0; i < others; ++i) chance *= 1 - p;
  for (std::size_t k = 0; k + 1 < largest_counted; ++k) {
    best = std::max(best, chance);
    before += chance;
    chance *= double(others - k) / double(k + 1) * p / (1 - p);
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
  const auto among = [](std::size_t others) { return mean_largest_count(others, words) / others; };
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

double constant_power_share(std::size_t length, std::size_t d) {
  const Matrix<double> table = sinusoidal<double>(length, d);
  double constant = 0;
  for (std::size_t j = 0; j < d; ++j) {
    double mean = 0;
    for (std::size_t t = 0; t < length; ++t) mean += table(t, j) / length;
    constant += mean * mean;
  }
  return constant / (d / 2.0);  // the power of every row: sines and cosines in pairs
}

std::vector<Arms> arms_of(const Cells& cells) {
  return group_by(rows_of<Trained>(cells), &Run::task, &Run::arm, &Run::position_width, &Run::width,
                  &Run::depth);
}

const Arms* find_arms(const std::vector<Arms>& all, std::string_view task, std::string_view arm,
                      std::size_t position_width, std::size_t width, std::size_t depth) {
  const auto found = std::ranges::find_if(all, [&](const Arms& runs) {
    const Run& run = runs.front();
    return run.task == task && run.arm == arm && run.position_width == position_width && run.width == width &&
           run.depth == depth;
  });
  return found == all.end() ? nullptr : &*found;
}

bool is_compared(const Run& run) {
  return run.task != "text" && (run.position_width == 0 || run.position_width * 4 == run.width ||
                                run.position_width * 2 == run.width);
}

double Compared::log_steps() const {
  return std::log(double(std::min(first.learned_at, first.steps)) /
                  double(std::min(second.learned_at, first.steps)));
}

Comparison comparison(const Arms& first, const Arms& second, const std::string& pair) {
  Comparison compared;
  for (std::size_t i = 0; i < first.size(); ++i) {
    require(first.size() == second.size() && first[i].seed == second[i].seed,
            "A10: {} and {} of {} were run with other seeds", first[i].arm, second.front().arm,
            first[i].task);
    compared.push_back({first[i], second[i], pair});
  }
  return compared;
}

std::vector<Comparison> comparisons(const std::vector<Arms>& all) {
  std::vector<Comparison> compared;
  for (const Arms& first : all)
    for (const Pair& pair : pairs) {
      const Run& run = first.front();
      const auto d_p = [&](const Arm& arm) { return arm.part ? run.width / arm.part : 0; };
      if (!is_compared(run) || run.arm != pair.first.name || run.position_width != d_p(pair.first)) continue;
      const Arms* second = find_arms(all, run.task, pair.second.name, d_p(pair.second), run.width, run.depth);
      if (second) compared.push_back(comparison(first, *second, std::string(pair.name)));
    }
  return compared;
}

std::vector<Arms> splits_of(const std::vector<Arms>& all) {
  std::vector<Arms> splits = where(all, [](const Arms& runs) {
    const Run& run = runs.front();
    return run.task == "copy2" && run.arm == "concat" && run.width == split_width && run.depth == 1;
  });
  std::ranges::sort(splits, {}, [](const Arms& runs) { return runs.front().position_width; });
  return splits;
}

Arms best_splits(const std::vector<Arms>& splits) {
  Arms chosen;
  for (std::size_t seed = 0; seed < splits.front().size(); ++seed) {
    const auto among_others = [&](const Arms& runs) {
      std::pair<double, double> sums{0, 0};  // fewer steps first, then fewer mistakes
      for (std::size_t i = 0; i < runs.size(); ++i)
        if (i != seed) {
          sums.first += runs[i].learned_at;
          sums.second -= runs[i].accuracy;
        }
      return sums;
    };
    chosen.push_back(std::ranges::min_element(splits, {}, among_others)->at(seed));
  }
  return chosen;
}

}  // namespace perp::learning
