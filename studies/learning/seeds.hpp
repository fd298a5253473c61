#pragma once
// Means over seeds, for all claims of this study.

#include <limits>
#include <span>

#include "perp/study/finding.hpp"

namespace perp::learning {

/// Mean over seeds with Student's interval, held within [least, most], where the truth lies; of one seed
/// without an interval. Throws Error for none.
Estimate over_seeds(std::span<const double> values, double level,
                    double least = -std::numeric_limits<double>::infinity(),
                    double most = std::numeric_limits<double>::infinity());

}  // namespace perp::learning
