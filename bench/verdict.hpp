#pragma once
// When two backends are told apart; whether the rule keeps its word: on a backend against itself (calibration), and on made-up
// times with effects of known size (planted).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/runs.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/study/finding.hpp"

namespace perp::bench {

inline constexpr double false_alarms = 0.05;  ///< the share of equal sides that may be called different

/// Geometric mean and standard deviation of the logarithm of one side's times; NaN of no times.
struct Times {
  double mean = 0, spread = 0;
  std::size_t rounds = 0;
};
Times times_of(const std::vector<double>& seconds);

/// The time of one side over that of another.
struct Contrast {
  double ratio = 0, low = 0, high = 0;  ///< geometric mean and its interval
  double p = 1;                         ///< two-sided, of equal sides; 1 where there are too few rounds
  std::size_t rounds = 0;

  Estimate estimate() const { return {ratio, low, high, 1 - false_alarms}; }
  /// The other side's time over this one's.
  Contrast inverse() const { return {1 / ratio, 1 / high, 1 / low, p, rounds}; }
  bool told() const { return p <= false_alarms; }  ///< apart; of a family of tests, once it is adjusted
};

/// Adjusts the p of a family of tests by Holm.
template <class Item>
void adjust(std::vector<Item>& family, Contrast Item::*contrast) {
  std::vector<double> p;
  for (const Item& item : family) p.push_back((item.*contrast).p);
  const std::vector<double> adjusted = holm(p);
  for (std::size_t i = 0; i < p.size(); ++i) (family[i].*contrast).p = adjusted[i];
}

/// Rounds of one side over those of another.
std::vector<double> paired_ratios(const std::vector<double>& above, const std::vector<double>& below);
/// Sides that took turns, from the ratio of each round: what disturbs a round disturbs both. The interval covers with
/// probability 1 - `miss`.
Contrast paired_contrast(const std::vector<double>& ratios, double miss = false_alarms);

/// What came of the comparisons of one row.
struct Calibrated {
  std::string row;
  std::size_t comparisons = 0, different = 0;
};
using Calibration = std::vector<Calibrated>;

/// Repeats until there are 400 comparisons. `say` hears of every round. Throws Error where the backend cannot be timed.
Calibration calibrate(const Backend& backend, std::size_t threads, const Plan& plan,
                      const std::function<void(const std::string&)>& say);

/// What is done to the times of one configuration among eight that are alike, or to all of them.
enum class Plant {
  nothing,
  operation,  ///< one operation takes `factor` times as long
  regime,     ///< the larger half of each operation's shapes does
  dead,       ///< it takes `factor` of the time, and stops after half of the rows
  drift,      ///< the machine ends each round `factor` times as slow as it began it
  outliers    ///< one time in twenty of any configuration is `factor` times as long
};

/// One scenario.
struct Planted {
  std::string_view name;
  Plant plant = Plant::nothing;
  double factor = 1;
  bool is_there = false;      ///< whether there is something to find: then another call than that is none
  bool by_operation = false;  ///< asked of single operations, else of all together
};
const std::vector<Planted>& planted();

/// Whether the analysis calls a difference in that draw, as described above.
bool is_called(const Planted& scenario, std::uint64_t draw);

}  // namespace perp::bench
