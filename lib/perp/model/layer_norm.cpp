#include "perp/model/layer_norm.hpp"

#include <algorithm>
#include <cmath>

namespace perp::model {

template <class T>
Normalised<T> normalise(const LayerNorm<T>& norm, ViewLike<T> x) {
  require(x.cols > 0 && norm.gain.size() == x.cols && norm.bias.size() == x.cols,
          "layer norm: {} gains and {} biases for rows of {} values", norm.gain.size(), norm.bias.size(),
          x.cols);
  Normalised<T> result{matrix<T>(x.rows, x.cols), matrix<T>(x.rows, x.cols), std::vector<T>(x.rows)};
  const T d = static_cast<T>(x.cols);
  for (std::size_t i = 0; i < x.rows; ++i) {
    const std::span<const T> in = x.row(i);
    T mean = 0, variance = 0;
    for (const T value : in) mean += value;
    mean /= d;
    for (const T value : in) variance += (value - mean) * (value - mean);
    const T inverse = 1 / std::sqrt(variance / d + norm.epsilon);
    const std::span<T> standard = row(result.standard, i), out = row(result.out, i);
    for (std::size_t j = 0; j < x.cols; ++j) {
      standard[j] = (in[j] - mean) * inverse;
      out[j] = norm.gain[j] * standard[j] + norm.bias[j];
    }
    result.inverse[i] = inverse;
  }
  return result;
}

template <class T>
Matrix<T> backward(const LayerNorm<T>& norm, const Normalised<T>& normalised, ViewLike<T> dout,
                   LayerNorm<T>& gradient) {
  const std::size_t d = norm.gain.size();
  require(dout.rows == rows(normalised.standard) && dout.cols == d && cols(normalised.standard) == d,
          "layer norm, backward: {} x {} for rows normalised to {} x {}", dout.rows, dout.cols,
          rows(normalised.standard), cols(normalised.standard));
  require(gradient.gain.size() == d && gradient.bias.size() == d,
          "layer norm, backward: a gradient of {} gains and {} biases for {}", gradient.gain.size(),
          gradient.bias.size(), d);
  std::ranges::fill(gradient.gain, T{0});
  std::ranges::fill(gradient.bias, T{0});
  Matrix<T> dx = matrix<T>(dout.rows, d);
  for (std::size_t i = 0; i < dout.rows; ++i) {
    const T *out = dout.row(i).data(), *standard = normalised.standard.data() + i * d;
    T* in = dx.data() + i * d;
    T mean = 0, along = 0;
    for (std::size_t j = 0; j < d; ++j) {
      gradient.gain[j] += out[j] * standard[j];
      gradient.bias[j] += out[j];
      in[j] = norm.gain[j] * out[j];
      mean += in[j];
      along += in[j] * standard[j];
    }
    mean /= static_cast<T>(d);
    along /= static_cast<T>(d);
    for (std::size_t j = 0; j < d; ++j) in[j] = normalised.inverse[i] * (in[j] - mean - standard[j] * along);
  }
  return dx;
}

#define PERP_INSTANTIATE(T)                                       \
  template Normalised<T> normalise(const LayerNorm<T>&, View<T>); \
  template Matrix<T> backward(const LayerNorm<T>&, const Normalised<T>&, View<T>, LayerNorm<T>&);
PERP_INSTANTIATE(float)
PERP_INSTANTIATE(double)
#undef PERP_INSTANTIATE

}  // namespace perp::model
