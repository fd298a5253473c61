#pragma once
// The one check of a coverage level, for the .cpp files of this floor.

#include "perp/base/error.hpp"

namespace perp {

inline void require_level(const char* where, double level) {
  require(level > 0 && level < 1, "{}: level {}, expected between 0 and 1", where, level);
}

}  // namespace perp
