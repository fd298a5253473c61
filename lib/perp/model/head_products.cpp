#include "perp/model/head_products.hpp"

#include "perp/base/expect.hpp"
#include "perp/base/lanes.hpp"

namespace perp::model {
namespace {

/// An operand read as it lies or turned: entry (i, k) at data[i * row_step + k * inner_step].
template <class T>
struct Operand {
  const T* data;
  std::size_t rows, inner, row_step, inner_step;
};

/// `high` rows and `wide` columns of a b, held in registers while the inner index runs.
template <std::size_t high, std::size_t wide, class T>
void tile(const Operand<T>& a, std::size_t row, const T* b, std::size_t b_stride, T* out,
          std::size_t stride) {
  Lanes<T, wide> sums[high] = {}, next;
  const T* entry = a.data + row * a.row_step;
  for (std::size_t k = 0; k < a.inner; ++k, entry += a.inner_step, b += b_stride) {
    load(b, next);
    for (std::size_t i = 0; i < high; ++i) sums[i] += entry[i * a.row_step] * next;
  }
  for (std::size_t i = 0; i < high; ++i) store(sums[i], out + (row + i) * stride);
}

template <std::size_t wide, class T>
void columns(const Operand<T>& a, const T* b, std::size_t b_stride, T* out, std::size_t stride) {
  constexpr std::size_t high = 8;
  std::size_t row = 0;
  for (; row + high <= a.rows; row += high) tile<high, wide>(a, row, b, b_stride, out, stride);
  for (; row < a.rows; ++row) tile<1, wide>(a, row, b, b_stride, out, stride);
}

template <class T>
void multiply(const Operand<T>& a, View<T> b, T* out, std::size_t stride) {
  expect(a.inner == b.rows, "head product: an inner size of {}, then of {}", a.inner, b.rows);
  std::size_t j = 0;
  // Not wider: g++ keeps vectors that are wider than the processor's in memory, at a tenth of the speed.
  for (; j + 8 <= b.cols; j += 8) columns<8>(a, b.data + j, b.stride, out + j, stride);
  for (; j < b.cols; ++j) columns<1>(a, b.data + j, b.stride, out + j, stride);
}

}  // namespace

template <class T>
void head_product(View<T> a, View<T> b, T* out, std::size_t stride) {
  multiply<T>({a.data, a.rows, a.cols, a.stride, 1}, b, out, stride);
}

template <class T>
void head_product_tn(View<T> a, View<T> b, T* out, std::size_t stride) {
  multiply<T>({a.data, a.cols, a.rows, 1, a.stride}, b, out, stride);
}

template <class T>
void transpose_head(View<T> x, T* out) {
  for (std::size_t j = 0; j < x.cols; ++j)
    for (std::size_t i = 0; i < x.rows; ++i) out[j * x.rows + i] = x(i, j);
}

#define PERP_INSTANTIATE(T)                                         \
  template void head_product(View<T>, View<T>, T*, std::size_t);    \
  template void head_product_tn(View<T>, View<T>, T*, std::size_t); \
  template void transpose_head(View<T>, T*);
PERP_INSTANTIATE(float)
PERP_INSTANTIATE(double)
#undef PERP_INSTANTIATE

}  // namespace perp::model
