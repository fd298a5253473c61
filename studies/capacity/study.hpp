#pragma once

#include "perp/study/experiment.hpp"

namespace perp::capacity {

/// The study `capacity`: claims A1 to A7 and question Q3.
Study study();

}  // namespace perp::capacity
