#pragma once
// Sparse matrices in compressed rows, and the one product the truncated SVD needs.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perp/base/array.hpp"

namespace perp {

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
/// Throws Error if a's columns are not b's rows.
void product_into(const Sparse<float>& a, View<float> b, std::size_t threads, float* out);

}  // namespace perp
