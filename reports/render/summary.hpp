#pragma once
// What a run says at its end, on standard error.

#include <string>

#include "reports/render/facts.hpp"

namespace perp::report {

/// A line per study with its time and the verdicts of its claims as in the report, then what was not
/// measured, or only in part, and why.
std::string summary(const Facts& facts);

}  // namespace perp::report
