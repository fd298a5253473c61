#pragma once

#include "perp/study/experiment.hpp"

namespace perp::inspect {

/// The study `inspect`: claims M1 to M10 about models that are given. `into_folder`: it was asked for the
/// report's files (--out), not for numbers alone.
Study study(bool into_folder);

}  // namespace perp::inspect
