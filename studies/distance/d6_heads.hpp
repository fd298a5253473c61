#pragma once

#include "perp/study/experiment.hpp"
#include "studies/inputs/positions.hpp"

namespace perp::distance {

/// Claim D6 with one cell, table and findings more: a trained layer's heads beside their controls. Unchanged
/// where no weights were given.
Experiment with_heads(Experiment after_projection, const Options& options, const SharedPositions& given);

}  // namespace perp::distance
