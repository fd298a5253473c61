#pragma once
// Medians and quantiles. None takes NaN.

#include <span>
#include <vector>

namespace perp {

/// The p-quantile of ascending values: linear between order statistics (n-1)p apart, type 7 of Hyndman & Fan
/// 1996, Amer. Statist. 50:361 (NumPy's and R's default). Throws Error for no values or p outside [0, 1]; the
/// order is the caller's word.
double quantile_sorted(std::span<const double> sorted, double p);

/// The same from values in any order, in linear time. Throws Error also for NaN.
double quantile(std::vector<double> values, double p);
double median(std::vector<double> values);

}  // namespace perp
