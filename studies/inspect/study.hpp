#pragma once

#include "perp/study/experiment.hpp"

namespace perp::inspect {

/// The study `inspect`: claims M1 to M10 about models that are given. `into_folder`: whatever is asked for goes
/// into a folder; otherwise, without --out, it is forwarded to the words of `perp`.
Study study(bool into_folder);

}  // namespace perp::inspect
