#pragma once
// When two sides are told apart: Student's t on logarithms of times, a round being the unit. What the bench itself, its
// calibration, its peers and bench-compare decide by; families of tests are adjusted by Holm (perp/statistics).

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "perp/statistics/holm.hpp"
#include "perp/study/finding.hpp"

namespace perp::bench {

inline constexpr double false_alarms = 0.05;  ///< the share of equal sides that may be called different
inline constexpr const char* not_told = "not told apart";

/// Geometric mean and standard deviation of the logarithm of one side's times; NaN of no times.
struct Times {
  double mean = 0, spread = 0;
  std::size_t rounds = 0;
};
Times times_of(const std::vector<double>& seconds);

/// The time of one side over that of another.
struct Contrast {
  double ratio = 0, low = 0, high = 0;  ///< geometric mean and its interval
  double spread = 0;                    ///< standard deviation of a round's log ratio
  double p = 1;                         ///< two-sided, of equal sides; 1 where there are too few rounds
  std::size_t rounds = 0;

  Estimate estimate() const { return {ratio, low, high, 1 - false_alarms}; }
  /// The other side's time over this one's.
  Contrast inverse() const { return {1 / ratio, 1 / high, 1 / low, spread, p, rounds}; }
  bool told() const { return p <= false_alarms; }  ///< apart; of a family of tests, once it is adjusted
  const char* verdict() const { return !told() ? not_told : ratio < 1 ? "faster" : "slower"; }
};

/// Adjusts the p of a family of tests by Holm.
template <class Item, class Base>
void adjust(std::vector<Item>& family, Contrast Base::*contrast) {
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
/// Sides that ran at different times, b over a: Welch 1947, Biometrika 34:28.
Contrast separate_contrast(const Times& a, const Times& b);

/// "blis (+3 equal)"; the name alone without equals.
std::string with_equals(const std::string& name, std::size_t equals);

/// The smallest ratio above 1 that paired rounds with this spread tell from 1 with probability .8: from the power of
/// Student's t (its noncentral law). NaN below two rounds.
double detectable(double spread, std::size_t rounds);

}  // namespace perp::bench
