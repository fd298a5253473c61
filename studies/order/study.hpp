#pragma once

#include "perp/study/experiment.hpp"

namespace perp::order {

/// The study `order`: claims S1 to S4.
Study study();

}  // namespace perp::order
