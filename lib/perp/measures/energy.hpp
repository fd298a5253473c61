#pragma once
// How much of each vector lies inside a subspace (claim O4).

#include <vector>

#include "perp/base/array.hpp"

namespace perp {

/// ‖Πx‖²/‖x‖² for every non-zero row x of `words` (V x d), in order; Π projects onto the span of `basis` (r x
/// d, orthonormal rows). A random r-dimensional subspace gives Beta(r/2, (d-r)/2). Streams through `words`;
/// results in [0, 1]. Throws Error for different d, for a basis whose rows are not orthonormal to 1e-4, and
/// for a value that is not finite.
std::vector<double> energy_inside(View<float> words, const Matrix<float>& basis);

}  // namespace perp
