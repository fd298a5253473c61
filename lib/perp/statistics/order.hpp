#pragma once
// Medians and quantiles. None takes NaN.

#include <vector>

namespace perp {

/// The p-quantile of values in any order: linear between order statistics (n-1)p apart, type 7 of Hyndman & Fan
/// 1996, Amer. Statist. 50:361 (NumPy's and R's default); in linear time. Throws Error for no values, p outside
/// [0, 1] and NaN.
double quantile(std::vector<double> values, double p);
double median(std::vector<double> values);

}  // namespace perp
