#pragma once
// Moments in one pass.

#include <cstdint>
#include <limits>
#include <span>

#include "perp/statistics/interval.hpp"

namespace perp {

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
