#include "perp/model/linear.hpp"

#include "perp/base/expect.hpp"
#include "perp/base/linalg.hpp"
#include "perp/model/columns.hpp"

namespace perp::model {

template <class T>
Matrix<T> apply(const Linear<T>& linear, ViewLike<T> x) {
  expect(linear.bias.size() == rows(linear.weight), "linear: {} biases for a map of {} x {}",
         linear.bias.size(), rows(linear.weight), cols(linear.weight));
  Matrix<T> y = product_nt(x, linear.weight);
  const std::size_t width = cols(y);
  for (std::size_t i = 0; i < rows(y); ++i) {
    T* out = y.data() + i * width;
    for (std::size_t j = 0; j < width; ++j) out[j] += linear.bias[j];
  }
  return y;
}

template <class T>
Matrix<T> backward(const Linear<T>& linear, ViewLike<T> x, ViewLike<T> dy, Linear<T>& gradient) {
  expect(
      rows(gradient.weight) == dy.cols && cols(gradient.weight) == x.cols && gradient.bias.size() == dy.cols,
      "linear, backward: a gradient of {} x {} for a map of {} x {}", rows(gradient.weight),
      cols(gradient.weight), dy.cols, x.cols);
  product_tn_into(dy, x, gradient.weight.data());
  column_sums(dy, gradient.bias.data());
  return product(dy, linear.weight);
}

#define PERP_INSTANTIATE(T)                            \
  template Matrix<T> apply(const Linear<T>&, View<T>); \
  template Matrix<T> backward(const Linear<T>&, View<T>, View<T>, Linear<T>&);
PERP_INSTANTIATE(float)
PERP_INSTANTIATE(double)
#undef PERP_INSTANTIATE

}  // namespace perp::model
