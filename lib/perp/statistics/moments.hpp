#pragma once
// Moments in one pass.

#include <cstdint>
#include <limits>
#include <span>

#include "perp/statistics/interval.hpp"

namespace perp {

/// `variance` is unbiased (n-1); skewness and excess kurtosis are the sample's own, g1 = m3/m2^1.5 and
/// g2 = m4/m2² - 3. What a sample does not define (variance of one value, shape of equal values) is NaN.
struct Moments {
  std::uint64_t count = 0;
  double mean = 0, variance = 0, skewness = 0, excess_kurtosis = 0, minimum = 0, maximum = 0;
};

/// Count, mean and central power sums, updated by the stable formulas of Chan, Golub & LeVeque 1979 and Pébay
/// 2008 (SAND2008-6212). The same spans in the same order give the same bits; another order or another cut
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
  double mean_ = 0, second_ = 0, third_ = 0, fourth_ = 0;  // sums of powers of (value - mean)
  double minimum_ = std::numeric_limits<double>::infinity();
  double maximum_ = -std::numeric_limits<double>::infinity();
};

/// √(variance/count). Throws Error below two values.
double standard_error(const Moments& moments);

/// The population mean by Student's t (Student 1908, Biometrika 6:1): exact for normal values, asymptotic
/// otherwise. Throws Error below two values.
Interval mean_interval(const Moments& moments, double level);

}  // namespace perp
