#include "perp/vectors/embedding_sparse.hpp"

#include <algorithm>
#include <cstring>

#include "perp/base/parallel.hpp"

namespace perp {
namespace {

constexpr std::size_t rows_per_task = 32;
constexpr std::size_t look_ahead =
    4;  // entries whose part of b is fetched early: the hardware cannot foresee it

// The compiler's own vectors: as a plain array the sums would be written back to memory after every entry.
constexpr std::size_t lanes = 16;
using Lanes [[gnu::vector_size(lanes * sizeof(float))]] = float;
constexpr std::size_t panel = 8 * lanes;

struct Entries {
  const std::uint32_t* columns;
  const float* values;
  std::size_t count;
};

/// out[0 .. Blocks*lanes) = sum over the entries of value times that part of b's row; b starts at that part.
template <std::size_t Blocks>
void sum_rows(const Entries& row, const float* b, std::size_t stride, float* out) {
  Lanes sums[Blocks] = {};
  for (std::size_t k = 0; k < row.count; ++k) {
    const float* from = b + row.columns[k] * stride;
    const float* next = b + row.columns[std::min(k + look_ahead, row.count - 1)] * stride;
    const float value = row.values[k];
#pragma GCC unroll 16
    for (std::size_t j = 0; j < Blocks; ++j) __builtin_prefetch(next + j * lanes);
#pragma GCC unroll 16
    for (std::size_t j = 0; j < Blocks; ++j) {
      Lanes part;
      std::memcpy(&part, from + j * lanes, sizeof part);
      sums[j] += value * part;
    }
  }
  std::memcpy(out, sums, sizeof sums);
}

void sum_rows_tail(const Entries& row, const float* b, std::size_t stride, std::size_t width, float* out) {
  std::fill(out, out + width, 0.0F);
  for (std::size_t k = 0; k < row.count; ++k) {
    const float* from = b + row.columns[k] * stride;
    for (std::size_t j = 0; j < width; ++j) out[j] += row.values[k] * from[j];
  }
}

/// Part of one row of the product: b holds the same columns as out, at most a panel of them.
void product_row(const Entries& row, View<float> b, float* out) {
  if (b.cols == panel) return sum_rows<panel / lanes>(row, b.data, b.stride, out);
  std::size_t j = 0;
  for (; j + lanes <= b.cols; j += lanes) sum_rows<1>(row, b.data + j, b.stride, out + j);
  if (j < b.cols) sum_rows_tail(row, b.data + j, b.stride, b.cols - j, out + j);
}

}  // namespace

template <class T>
Sparse<T> stack(std::size_t cols, std::vector<SparseRows<T>>&& parts) {
  Sparse<T> all;
  all.cols = cols;
  std::size_t nonzeros = 0;
  for (const SparseRows<T>& part : parts) nonzeros += part.values.size();
  all.columns.reserve(nonzeros);
  all.values.reserve(nonzeros);
  for (SparseRows<T>& part : parts) {
    const std::uint64_t before = all.values.size();
    for (const std::uint64_t end : part.ends) all.starts.push_back(before + end);
    all.columns.insert(all.columns.end(), part.columns.begin(), part.columns.end());
    all.values.insert(all.values.end(), part.values.begin(), part.values.end());
    part = SparseRows<T>();
  }
  all.rows = all.starts.size() - 1;
  return all;
}

template Sparse<float> stack(std::size_t, std::vector<SparseRows<float>>&&);
template Sparse<std::uint64_t> stack(std::size_t, std::vector<SparseRows<std::uint64_t>>&&);

void product_into(const Sparse<float>& a, View<float> b, std::size_t threads, float* out) {
  require(a.cols == b.rows, "sparse product: a is {} x {}, b is {} x {}; a's columns must equal b's rows",
          a.rows, a.cols, b.rows, b.cols);
  const std::size_t row_tasks = (a.rows + rows_per_task - 1) / rows_per_task;
  const std::size_t panels = (b.cols + panel - 1) / panel;
  // All rows of a panel before the next one: a panel of b's most used rows stays in the second-level cache.
  parallel_for(panels * row_tasks, threads, [&](std::size_t task) {
    const std::size_t left = task / row_tasks * panel, first = task % row_tasks * rows_per_task;
    const View<float> part(b.data + left, b.rows, std::min(panel, b.cols - left), b.stride);
    for (std::size_t i = first; i < std::min(a.rows, first + rows_per_task); ++i) {
      const std::uint64_t start = a.starts[i];
      const Entries row{a.columns.data() + start, a.values.data() + start, a.starts[i + 1] - start};
      product_row(row, part, out + i * b.cols + left);
    }
  });
}

}  // namespace perp
