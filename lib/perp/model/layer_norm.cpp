#include "perp/model/layer_norm.hpp"

#include <cmath>

#include "perp/base/expect.hpp"
#include "perp/model/columns.hpp"

namespace perp::model {

template <class T>
Normalised<T> normalise(const LayerNorm<T>& norm, ViewLike<T> x) {
  expect(x.cols > 0 && norm.gain.size() == x.cols && norm.bias.size() == x.cols,
         "layer norm: {} gains and {} biases for rows of {} values", norm.gain.size(), norm.bias.size(),
         x.cols);
  Normalised<T> result{matrix<T>(x.rows, x.cols), matrix<T>(x.rows, x.cols), std::vector<T>(x.rows)};
  const T d = static_cast<T>(x.cols), *gain = norm.gain.data(), *bias = norm.bias.data();
  for (std::size_t i = 0; i < x.rows; ++i) {
    const T* in = x.row(i).data();
    T* __restrict standard = row(result.standard, i).data(), * __restrict out = row(result.out, i).data();
    const T mean = sum_of(in, x.cols) / d;
    for (std::size_t j = 0; j < x.cols; ++j) standard[j] = in[j] - mean;
    const T variance = sum_of_products(standard, standard, x.cols) / d;
    const T inverse = result.inverse[i] = 1 / std::sqrt(variance + norm.epsilon);
    for (std::size_t j = 0; j < x.cols; ++j) {
      standard[j] *= inverse;
      out[j] = gain[j] * standard[j] + bias[j];
    }
  }
  return result;
}

template <class T>
Matrix<T> backward(const LayerNorm<T>& norm, const Normalised<T>& normalised, ViewLike<T> dout,
                   LayerNorm<T>& gradient) {
  const std::size_t d = norm.gain.size();
  expect(dout.rows == rows(normalised.standard) && dout.cols == d && cols(normalised.standard) == d,
         "layer norm, backward: {} x {} for rows normalised to {} x {}", dout.rows, dout.cols,
         rows(normalised.standard), cols(normalised.standard));
  expect(gradient.gain.size() == d && gradient.bias.size() == d,
         "layer norm, backward: a gradient of {} gains and {} biases for {}", gradient.gain.size(),
         gradient.bias.size(), d);
  column_sums(dout, View(normalised.standard), gradient.gain.data());
  column_sums(dout, gradient.bias.data());
  const T* gain = norm.gain.data();
  Matrix<T> dx = matrix<T>(dout.rows, d);
  for (std::size_t i = 0; i < dout.rows; ++i) {
    const T *out = dout.row(i).data(), *standard = normalised.standard.data() + i * d;
    T* __restrict in = dx.data() + i * d;
    for (std::size_t j = 0; j < d; ++j) in[j] = gain[j] * out[j];
    const T mean = sum_of(in, d) / static_cast<T>(d),
            along = sum_of_products(in, standard, d) / static_cast<T>(d), inverse = normalised.inverse[i];
    for (std::size_t j = 0; j < d; ++j) in[j] = inverse * (in[j] - mean - standard[j] * along);
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
