#pragma once
// How well a table's rows tell where they stand: their number, read off by a linear map.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perp/base/array.hpp"

namespace perp {

/// Mean absolute error, in positions, of the row number predicted from the row by least squares with an
/// intercept (of least norm among equals, singular values up to `cutoff` times the largest taken as 0), each
/// row by a map fitted without its fold (Wang & Chen 2020, arXiv 2010.04903, section 4.1).
///
/// positions: L x d; `fold` says to which of the folds 0 … folds - 1 a row belongs, L values, no fold empty.
/// Throws Error for other lengths, fewer than two folds, an empty fold, values that are not finite, and a
/// cutoff outside [1e-15, 1).
double index_error(const Matrix<double>& positions, const std::vector<std::uint32_t>& fold, std::size_t folds,
                   double cutoff);

/// Row i of L goes to fold place[i] % folds, where `place` is a permutation of 0 … L - 1.
std::vector<std::uint32_t> even_folds(const std::vector<std::uint32_t>& place, std::size_t folds);

}  // namespace perp
