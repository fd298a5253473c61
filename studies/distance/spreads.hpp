#pragma once
// Intervals at any level from those that cells recorded at one.

#include <cstddef>

#include "perp/study/finding.hpp"

namespace perp::distance {

/// The level of the Student intervals that cells of this study record.
inline constexpr double recorded_level = 0.999;

/// The mean of `draws` values whose Student interval at `level` is low … high: its spread, and so its
/// interval at shown_level. Without an interval (one draw, NaN at both ends) the value alone.
Estimate from_interval(double value, double low, double high, double level, std::size_t draws);

/// An estimate whose interval a table shows, as the finding that is read off the table: the interval's ends
/// say how it spreads.
Estimate as_shown(const Estimate& estimate, std::size_t draws);

/// An end of an interval for a table, NaN where there is none.
double end_or_nan(const std::optional<double>& end);

}  // namespace perp::distance
