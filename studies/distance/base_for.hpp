#pragma once

#include <optional>
#include <string>

#include "perp/study/options.hpp"

namespace perp::distance {

/// --context L (the option `asked`) with --dim (default 128): the rotary bases T that keep Σ_i cos(m T^(-2i/d)) at 0 or above at
/// every lag m = 1 … L, as text, or with --json as
///   {"base_for":L,"dim":d,"least":…,"safe":…,"intervals":[[a,b],…],"exact":true}
/// Intervals lie in [L/8, 400 L] and are rounded inwards to ten digits; every base from `safe` to 10⁹ is
/// good; null: there is none. Beyond L = 16,384 from a grid of 16 bases to each doubling, "exact":false: an
/// interval then runs from its first good base to its last. Nothing if there is no such option. Throws
/// Error{Exit::unusable} for L outside 16 … 1,048,576, a dimension that is odd or outside 2 … 1,024.
std::optional<std::string> answer_base(const Options& options, const std::string& asked);

}  // namespace perp::distance
