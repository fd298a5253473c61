#pragma once

#include "perp/study/experiment.hpp"

namespace perp::learning {

/// The study `learning`: claims A8 to A10 and A12.
Study study();

}  // namespace perp::learning
