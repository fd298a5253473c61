#pragma once
// Directions without preference.

#include <cstdint>

#include "perp/base/array.hpp"
#include "perp/random/stream.hpp"

namespace perp {

/// Fills `words` (V x d) with rows uniform on the unit sphere of R^d: rows of standard normals, divided by
/// their lengths (Muller 1959, "A note on a method for generating points uniformly on n-dimensional
/// spheres"). Lengths are summed in double. Row i holds the stream's normals (first_row + i) d … (first_row +
/// i + 1) d - 1, so tiles may be filled one by one. Throws Error if there are rows but no columns.
void fill_sphere(const Stream& stream, Matrix<float>& words, std::uint64_t first_row = 0);

}  // namespace perp
