#pragma once
// Layer normalisation (Ba, Kiros & Hinton 2016, arXiv 1607.06450, eq. 4): every row by itself.

#include <span>

#include "perp/base/array.hpp"

namespace perp {

/// gain · (x - x̄)/√(var x + epsilon) + bias for every row x of `rows` (L x d), where x̄ and var (over d, not
/// d - 1) are the row's own; gain and bias have d values, or none for gain 1 and bias 0. A row of equal
/// values becomes the bias. Throws Error for rows without values, a gain or bias of another length, an
/// epsilon that is not positive, and values that are not finite.
Matrix<double> layer_norm(View<double> rows, std::span<const double> gain = {},
                          std::span<const double> bias = {}, double epsilon = 1e-5);

}  // namespace perp
