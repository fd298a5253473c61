#pragma once
// MACHINE.md: where, how and for how long the studies ran. The one page that is not the same on every
// machine.

#include <string>

#include "reports/render/facts.hpp"

namespace perp::report {

/// From each study's run.json and timings.json. What is the same for all studies is said once; absent files
/// and fields are left out. Throws Error for a file that is not JSON.
std::string machine_markdown(const Facts& facts);

}  // namespace perp::report
