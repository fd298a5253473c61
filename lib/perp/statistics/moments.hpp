#pragma once
// Moments of values, and intervals around what they estimate.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "perp/base/error.hpp"

namespace perp {

// Intervals that say how sure a number is, and the normal law behind them. Levels are coverages: 0.95, not
// 0.05.

/// The unknown lies between `low` and `high` in at least (exact methods) or about (the others) the share
/// `level` of repetitions. An end that the data cannot bound is infinite.
struct Interval {
  double low = 0, high = 0, level = 0;
};

/// z with P(Z < z) = p for a standard normal Z.
double normal_quantile(double p);

/// A probability, from `successes` in `n` trials. Wilson 1927, JASA 22:209. Throws Error for n = 0 or
/// successes > n. Touches 0 (or 1) only when no (or every) trial succeeded.
Interval wilson(std::uint64_t successes, std::uint64_t n, double level);

/// p-values adjusted so that with probability 1 - level no test of a true hypothesis has one below `level`, whatever the
/// dependence between the tests. Holm 1979, Scand. J. Statist. 6:65.
std::vector<double> holm(const std::vector<double>& p);

// Moments in one pass.

/// `variance` is unbiased (n-1), NaN of one value.
struct Moments {
  std::uint64_t count = 0;
  double mean = 0, variance = 0, minimum = 0, maximum = 0;
};

/// Count, mean and sum of squared deviations, updated by the stable formulas of Chan, Golub & LeVeque
/// 1979. The same spans in the same order give the same bits; another order or another cut
/// moves last bits.
class MomentSums {
 public:
  /// Both throw Error for a value that is not finite (or whose square overflows), and are unchanged then.
  void add(double value);
  void add(std::span<const double> values);

  std::uint64_t count() const noexcept { return count_; }
  /// Throws Error when nothing was added.
  Moments moments() const;

 private:
  static MomentSums of_block(std::span<const double> block);
  void merge(const MomentSums& other) noexcept;

  std::uint64_t count_ = 0;
  double mean_ = 0, second_ = 0;  // second_: sum of (value - mean)²
  double minimum_ = std::numeric_limits<double>::infinity();
  double maximum_ = -std::numeric_limits<double>::infinity();
};

/// Of these values, in this order. Throws Error as MomentSums does.
Moments moments_of(std::span<const double> values);

/// √(variance/count). Throws Error below two values.
double standard_error(const Moments& moments);

/// The population mean by Student's t (Student 1908, Biometrika 6:1): exact for normal values, asymptotic
/// otherwise. Throws Error below two values.
Interval mean_interval(const Moments& moments, double level);

}  // namespace perp
