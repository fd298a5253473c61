#pragma once
// Medians and quantiles, and intervals for them that assume nothing about the law. None takes NaN.

#include <span>
#include <vector>

#include "perp/statistics/interval.hpp"

namespace perp {

/// The p-quantile of ascending values: linear between order statistics (n-1)p apart, type 7 of Hyndman & Fan
/// 1996, Amer. Statist. 50:361 (NumPy's and R's default). Throws Error for no values or p outside [0, 1]; the
/// order is the caller's word.
double quantile_sorted(std::span<const double> sorted, double p);

/// The same from values in any order, in linear time. Throws Error also for NaN.
double quantile(std::vector<double> values, double p);
double median(std::vector<double> values);

/// An interval between two of the values that covers the law's p-quantile with probability at least `level`,
/// whatever the (continuous) law: the binomial law of how many values fall below it (Thompson 1936, Ann.
/// Math. Statist. 7:122). Each tail is held to (1-level)/2 by itself; an end that no value can hold is
/// infinite (for a median at 0.95: fewer than 6 values). Discrete laws only raise the coverage. Throws Error
/// for no values, NaN, or p or level outside (0, 1).
Interval quantile_interval(std::vector<double> values, double p, double level);
Interval median_interval(std::vector<double> values, double level);

}  // namespace perp
