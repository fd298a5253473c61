#pragma once

#include "perp/study/experiment.hpp"

namespace perp::distance {

/// The study `distance`: claims D1 to D11, questions Q1, Q2 and Q4.
Study study();

}  // namespace perp::distance
