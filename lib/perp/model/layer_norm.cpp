#include "perp/model/layer_norm.hpp"

#include <cmath>

namespace perp::model {

template <class T>
Normalised<T> normalise(const LayerNorm<T>& norm, View<T> x) {
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

template Normalised<float> normalise(const LayerNorm<float>&, View<float>);
template Normalised<double> normalise(const LayerNorm<double>&, View<double>);

}  // namespace perp::model
