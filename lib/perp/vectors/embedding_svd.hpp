#pragma once
// The leading singular vectors of a large sparse matrix by randomised subspace iteration (Halko, Martinsson,
// Tropp 2011, "Finding structure with randomness", SIAM Review 53, algorithms 4.4 and 5.1).

#include <cstddef>
#include <functional>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/random/stream.hpp"
#include "perp/vectors/cooccurrence.hpp"

namespace perp {

struct SvdOptions {
  std::size_t rank = 300;  ///< leading singular values and vectors wanted
  std::size_t oversampling =
      84;  ///< further columns of the random sketch; 300 + 84 = 3 blocks of the product
  std::size_t power_iterations = 16;  ///< applications of A Aᵀ after the sketch
};

struct TruncatedSvd {
  Matrix<float> left;          ///< rows x rank: column i is the left singular vector i
  std::vector<double> values;  ///< rank singular values, descending
};

/// Leading singular values and left vectors of `a` (m x n). Of each vector's two signs the one that makes its
/// entry of largest magnitude (the first of equals) positive. Same bytes for any `threads` if BLAS runs one
/// thread. `progress` (may be empty) is told the fraction done. Throws Error if rank is 0 or above min(m, n),
/// or if `a` is numerically of lower rank.
TruncatedSvd truncated_svd(const SparsePair& a, const SvdOptions& options, const Stream& sketch,
                           std::size_t threads, const std::function<void(double)>& progress = {});

/// Replaces the columns of y (n x k, k <= n) by an orthonormal basis of their span: Cholesky QR with the Gram
/// matrix in float64, by Householder where that breaks down. Orthonormal to about float rounding times the
/// condition of y; a second call leaves rounding alone.
void orthonormalise_columns(Matrix<float>& y, std::size_t threads);

}  // namespace perp
