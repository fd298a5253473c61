#pragma once
// Means over seeds and over tasks, for all claims of this study.

#include <limits>
#include <optional>
#include <span>

#include "perp/statistics/moments.hpp"
#include "perp/study/finding.hpp"

namespace perp::learning {

/// Of the values of a comparison, one per seed.
Moments moments_of(std::span<const double> values);

/// Mean over seeds with Student's interval, held within [least, most], where the truth lies; of one seed
/// without an interval. Throws Error for none.
Estimate over_seeds(std::span<const double> values, double least = -std::numeric_limits<double>::infinity(),
                    double most = std::numeric_limits<double>::infinity());

/// Mean of the means of several tasks (or of a task's widths). Seeds of different tasks are different
/// streams, whatever their numbers: their variances add, and they are never paired. Nothing for no stratum or
/// one of a single seed.
std::optional<Estimate> over_strata(std::span<const Moments> strata);

}  // namespace perp::learning
