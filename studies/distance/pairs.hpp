#pragma once

#include <optional>
#include <string>

#include "perp/study/options.hpp"

namespace perp::distance {

/// --pairs 105:106,5:6 with --dim (default 512) and --base (default 10000): the dot products of those
/// positions' sinusoidal encodings, in float64, as {"pairs":[{"t":…,"s":…,"dot":…},…]}; nothing if there is
/// no --pairs. Throws Error{Exit::unusable} for a pair that is not t:s with whole numbers up to 10^15, an odd
/// dimension, a base of 1 or less.
std::optional<std::string> answer_pairs(const Options& options);

}  // namespace perp::distance
