#pragma once
// From counts of neighbouring words to vectors: sparse matrices, positive PMI, a truncated SVD.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/random/draws.hpp"

namespace perp {

// Sparse matrices in compressed rows, and the one product the truncated SVD needs.

/// rows x cols. Row i holds columns[k], values[k] for starts[i] <= k < starts[i+1], columns ascending.
template <class T>
struct Sparse {
  std::size_t rows = 0, cols = 0;
  std::vector<std::uint64_t> starts{0};  ///< rows + 1 of them
  std::vector<std::uint32_t> columns;
  std::vector<T> values;

  std::size_t nonzeros() const { return values.size(); }
};

/// The next rows of a sparse matrix, made by one task. `ends[i]` is where row i ends in `columns`, `values`.
template <class T>
struct SparseRows {
  std::vector<std::uint64_t> ends;
  std::vector<std::uint32_t> columns;
  std::vector<T> values;

  void add(std::uint32_t column, T value) {
    columns.push_back(column);
    values.push_back(value);
  }
  void end_row() { ends.push_back(columns.size()); }
};

/// The parts below one another, in their order. Frees each part as soon as it is copied.
template <class T>
Sparse<T> stack(std::size_t cols, std::vector<SparseRows<T>>&& parts);

/// out = a b: (m x k)(k x n) into memory of m x n values with row stride n; `b` and `out` may not overlap.
/// Each row of `out` is summed by one thread over ascending columns, so the bytes do not depend on `threads`.
void product_into(const Sparse<float>& a, View<float> b, std::size_t threads, float* out);

// How often words stand near one another, and how much more often than chance: positive pointwise mutual
// information with a smoothed context distribution (Levy, Goldberg, Dagan 2015, "Improving distributional
// similarity with lessons learned from word embeddings", TACL 3, section 3.2).

/// W of a window: least common multiple of 1 … window (60 for window 5). Weights are integers, W/distance, and up to a
/// window of 16 counts of the largest texts fit 64 bits.
std::uint64_t weight_unit(std::size_t window);

/// Symmetric V x V matrix of integer weights: each pair of tokens at distance 1 <= k <= window adds W/k to
/// both of its entries (two tokens of one word add 2W/k to the diagonal). Integer sums are exact, so no order
/// matters. Words outside the vocabulary take part in no pair but keep their place in the distance. tokens:
/// indices below `vocabulary` or `outside_vocabulary`.
Sparse<std::uint64_t> count_cooccurrences(std::span<const std::uint32_t> tokens, std::size_t vocabulary,
                                          std::size_t window, std::size_t threads);

/// A matrix and its transpose, each in compressed rows.
struct SparsePair {
  Sparse<float> matrix, transposed;
};

/// max(0, ln( n_ab S / (n_a n_b^smoothing) )), n_a the row sums of the symmetric `counts`, S = sum_b
/// n_b^smoothing. Row a is the word, column b the context. smoothing 1 is plain PPMI. Zeros are not stored.
SparsePair positive_pmi(const Sparse<std::uint64_t>& counts, double smoothing, std::size_t threads);

// The leading singular vectors of a large sparse matrix by randomised subspace iteration (Halko, Martinsson,
// Tropp 2011, "Finding structure with randomness", SIAM Review 53, algorithms 4.4 and 5.1).

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
/// thread. `progress` (may be empty) is told the fraction done. Throws Error if `a` is numerically of lower rank.
TruncatedSvd truncated_svd(const SparsePair& a, const SvdOptions& options, const Stream& sketch,
                           std::size_t threads, const std::function<void(double)>& progress = {});

/// Replaces the columns of y (n x k, k <= n) by an orthonormal basis of their span: Cholesky QR with the Gram
/// matrix in float64, by Householder where that breaks down. Orthonormal to about float rounding times the
/// condition of y; a second call leaves rounding alone.
void orthonormalise_columns(Matrix<float>& y, std::size_t threads);

}  // namespace perp
