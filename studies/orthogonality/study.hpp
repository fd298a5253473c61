#pragma once

#include "perp/study/experiment.hpp"

namespace perp::orthogonality {

/// The study `orthogonality`: claims O1 to O6.
Study study();

}  // namespace perp::orthogonality
