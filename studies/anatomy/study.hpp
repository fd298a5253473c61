#pragma once

#include "perp/study/experiment.hpp"

namespace perp::anatomy {

/// The study `anatomy`: the pictures V1 to V6 that people draw of the sinusoid, each with what it says in
/// numbers.
Study study();

}  // namespace perp::anatomy
