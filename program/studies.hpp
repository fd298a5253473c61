#pragma once

#include <vector>

#include "perp/study/experiment.hpp"

namespace perp::program {

/// All that a report has, in the order in which they are measured.
const std::vector<Study>& all_studies();

}  // namespace perp::program
