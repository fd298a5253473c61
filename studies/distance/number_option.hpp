#pragma once

#include <string>

#include "perp/study/options.hpp"

namespace perp::distance {

/// The one number given for an option, or `otherwise`. Throws Error{Exit::unusable} for anything else.
double number_option(const Options& options, const std::string& name, double otherwise);

}  // namespace perp::distance
