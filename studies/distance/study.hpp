#pragma once

#include "perp/study/experiment.hpp"

namespace perp::distance {

/// The study `distance`: claims D1 to D9.
Study study();

}  // namespace perp::distance
