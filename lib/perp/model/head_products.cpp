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

#ifdef __AVX512F__
constexpr std::size_t register_bytes = 64;
#elif defined(__aarch64__)
constexpr std::size_t register_bytes = 16;
#else
constexpr std::size_t register_bytes = 32;
#endif

/// `high` rows and `vectors` times `wide` columns of a b, held in registers while the inner index runs.
template <std::size_t high, std::size_t wide, std::size_t vectors, class T>
void tile(const Operand<T>& a, std::size_t row, const T* b, std::size_t b_stride, T* out,
          std::size_t stride) {
  Lanes<T, wide> sums[high * vectors] = {}, next[vectors];
  const T* entry = a.data + row * a.row_step;
  for (std::size_t k = 0; k < a.inner; ++k, entry += a.inner_step, b += b_stride) {
    for (std::size_t v = 0; v < vectors; ++v) load(b + v * wide, next[v]);
    for (std::size_t i = 0; i < high; ++i)
      for (std::size_t v = 0; v < vectors; ++v) sums[i * vectors + v] += entry[i * a.row_step] * next[v];
  }
  for (std::size_t i = 0; i < high; ++i)
    for (std::size_t v = 0; v < vectors; ++v)
      store(sums[i * vectors + v], out + (row + i) * stride + v * wide);
}

/// Columns from `first` on, as many at once as fit; the first that is left.
template <std::size_t wide, std::size_t vectors, class T>
std::size_t columns(const Operand<T>& a, View<T> b, std::size_t first, T* out, std::size_t stride) {
  constexpr std::size_t high = 8, step = wide * vectors;
  for (; first + step <= b.cols; first += step) {
    const T* from = b.data + first;
    std::size_t row = 0;
    for (; row + high <= a.rows; row += high)
      tile<high, wide, vectors>(a, row, from, b.stride, out + first, stride);
    for (; row < a.rows; ++row) tile<1, wide, vectors>(a, row, from, b.stride, out + first, stride);
  }
  return first;
}

template <class T>
void multiply(const Operand<T>& a, View<T> b, T* out, std::size_t stride) {
  expect(a.inner == b.rows, "head product: an inner size of {}, then of {}", a.inner, b.rows);
  // Not wider: g++ keeps vectors that are wider than the processor's in memory, at a tenth of the speed.
  constexpr std::size_t wide = register_bytes / sizeof(T);
  std::size_t first = 0;
  // Two registers a row need sixteen for eight rows, which is all that AVX2 has; the others have 32.
  if constexpr (register_bytes != 32) first = columns<wide, 2>(a, b, first, out, stride);
  first = columns<wide, 1>(a, b, first, out, stride);
  if constexpr (wide > 8) first = columns<8, 1>(a, b, first, out, stride);
  columns<1, 1>(a, b, first, out, stride);
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
