#include "perp/model/linear.hpp"

#include "perp/base/linalg.hpp"

namespace perp::model {

template <class T>
Matrix<T> apply(const Linear<T>& linear, View<T> x) {
  require(linear.bias.size() == rows(linear.weight), "linear: {} biases for a map of {} x {}",
          linear.bias.size(), rows(linear.weight), cols(linear.weight));
  Matrix<T> y = product_nt(x, View<T>(linear.weight));
  const std::size_t width = cols(y);
  for (std::size_t i = 0; i < rows(y); ++i) {
    T* out = y.data() + i * width;
    for (std::size_t j = 0; j < width; ++j) out[j] += linear.bias[j];
  }
  return y;
}

template Matrix<float> apply(const Linear<float>&, View<float>);
template Matrix<double> apply(const Linear<double>&, View<double>);

}  // namespace perp::model
