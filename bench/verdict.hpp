#pragma once
// When two sides are told apart: Student's t on logarithms of ratios of times, a round being the unit; families of tests
// are adjusted by Holm (perp/statistics). What it finds of planted effects is in planted.hpp.

#include <cstddef>
#include <vector>

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

}  // namespace perp::bench
