#include "perp/vectors/embedding.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/base/parallel.hpp"
#include "perp/random/draws.hpp"

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

namespace {

// Fixed, so that every partial product and the order of their sum are the same for any number of threads.
constexpr std::size_t tile_rows = 1024;

// The Gram matrix squares the condition: beyond this its Cholesky factor has too few digits left in float64.
constexpr double largest_condition = 1e6;

// A float matrix of rank r still shows values of about its rounding beyond r.
constexpr double smallest_relative_value = 1e-5;

std::size_t tile_count(std::size_t rows) { return (rows + tile_rows - 1) / tile_rows; }

View<float> tile_of(const Matrix<float>& y, std::size_t tile) {
  return block(y, tile * tile_rows, std::min(rows(y), (tile + 1) * tile_rows));
}

/// yᵀ y in float64.
Matrix<double> gram_of_columns(const Matrix<float>& y, std::size_t threads) {
  std::vector<Matrix<double>> parts(tile_count(rows(y)));
  parallel_for(parts.size(), threads,
               [&](std::size_t tile) { parts[tile] = gram_columns(converted<double>(tile_of(y, tile))); });
  Matrix<double> sum = zeros<double>(cols(y), cols(y));
  for (const Matrix<double>& part : parts)
    for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += part.data()[i];
  return sum;
}

/// y mᵀ, tile by tile: (n x k)(r x k)ᵀ.
Matrix<float> times_transposed(const Matrix<float>& y, const Matrix<float>& m, std::size_t threads) {
  Matrix<float> out = matrix<float>(rows(y), rows(m));
  parallel_for(tile_count(rows(y)), threads, [&](std::size_t tile) {
    product_nt_into(tile_of(y, tile), m, row(out, tile * tile_rows).data());
  });
  return out;
}

/// One sign per vector, so that bytes do not hang on LAPACK's choice: the first entry nearly as large as the
/// largest is positive. (Not the largest itself: two words that occur with each other alone make a vector
/// with one entry each, equal and of opposite signs, and rounding would choose between them.)
void fix_signs(Matrix<float>& left) {
  constexpr float nearly = 0.9F;
  std::vector<float> largest(cols(left), 0.0F), decisive(cols(left), 0.0F);
  for (std::size_t i = 0; i < rows(left); ++i)
    for (std::size_t j = 0; j < cols(left); ++j) largest[j] = std::max(largest[j], std::abs(left(i, j)));
  for (std::size_t i = 0; i < rows(left); ++i)
    for (std::size_t j = 0; j < cols(left); ++j)
      if (decisive[j] == 0 && std::abs(left(i, j)) >= nearly * largest[j]) decisive[j] = left(i, j);
  for (std::size_t i = 0; i < rows(left); ++i)
    for (std::size_t j = 0; j < cols(left); ++j)
      if (decisive[j] < 0) left(i, j) = -left(i, j);
}

/// From an orthonormal basis of (nearly) the leading left subspace and bᵀ = Aᵀ basis to the vectors
/// themselves.
TruncatedSvd rotate_to_singular(const Matrix<float>& basis, const Matrix<float>& bt, std::size_t rank,
                                std::size_t threads) {
  const Eigen<double> eigen = symmetric_eigen(gram_of_columns(bt, threads));
  const std::size_t k = cols(basis);
  TruncatedSvd svd;
  Matrix<float> rotation = matrix<float>(rank, k);
  for (std::size_t i = 0; i < rank; ++i) {
    svd.values.push_back(std::sqrt(std::max(0.0, eigen.values[k - 1 - i])));
    const std::span<const double> vector = row(eigen.vectors, k - 1 - i);
    for (std::size_t j = 0; j < k; ++j) rotation(i, j) = static_cast<float>(vector[j]);
  }
  const double floor = smallest_relative_value * svd.values.front();
  const auto above = std::count_if(svd.values.begin(), svd.values.end(), [&](double s) { return s > floor; });
  require(above == static_cast<std::ptrdiff_t>(rank),
          "SVD: the matrix has rank {} only (values above {:.3g}), {} singular vectors were asked for", above,
          floor, rank);
  svd.left = times_transposed(basis, rotation, threads);
  fix_signs(svd.left);
  return svd;
}

}  // namespace

void orthonormalise_columns(Matrix<float>& y, std::size_t threads) {
  const Matrix<double> lower = cholesky(gram_of_columns(y, threads));
  if (lower.size() == 0 || diagonal_ratio(lower) > largest_condition) {
    y = transposed(orthonormal_rows(transposed(y)));
    return;
  }
  Matrix<double> identity = zeros<double>(cols(y), cols(y));
  for (std::size_t i = 0; i < cols(y); ++i) identity(i, i) = 1;
  y = times_transposed(y, converted<float>(solve_lower(lower, identity)), threads);
}

TruncatedSvd truncated_svd(const SparsePair& a, const SvdOptions& options, const Stream& sketch,
                           std::size_t threads, const std::function<void(double)>& progress) {
  const std::size_t m = a.matrix.rows, n = a.matrix.cols;
  const std::size_t width = std::min(options.rank + options.oversampling, std::min(m, n));
  const auto tell = [&](std::size_t step) {
    if (progress) progress(static_cast<double>(step) / static_cast<double>(options.power_iterations + 2));
  };

  Matrix<float> right = normal_matrix<float>(n, width, sketch), left = matrix<float>(m, width);
  product_into(a.matrix, right, threads, left.data());
  orthonormalise_columns(left, threads);
  tell(1);
  for (std::size_t i = 0; i < options.power_iterations; ++i) {
    product_into(a.transposed, left, threads, right.data());
    orthonormalise_columns(right, threads);
    product_into(a.matrix, right, threads, left.data());
    orthonormalise_columns(left, threads);
    tell(i + 2);
  }
  orthonormalise_columns(left, threads);
  product_into(a.transposed, left, threads, right.data());
  TruncatedSvd svd = rotate_to_singular(left, right, options.rank, threads);
  tell(options.power_iterations + 2);
  return svd;
}

}  // namespace perp
