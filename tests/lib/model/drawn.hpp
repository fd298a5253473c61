#pragma once
// Models and tables to try things on.

#include <cmath>
#include <span>
#include <tuple>
#include <vector>

#include "perp/model/transformer.hpp"
#include "perp/random/draws.hpp"

namespace perp::test {

using Both = std::tuple<float, double>;

inline Stream named(const char* purpose, std::uint64_t replicate = 0) {
  return stream(1, "tests", "model", replicate, purpose);
}

template <class T>
Matrix<T> normal_rows(std::size_t count, std::size_t d, const char* purpose) {
  return normal_matrix<T>(count, d, named(purpose));
}
inline std::vector<double> normals(std::size_t n, const char* purpose) {
  const Matrix<double> drawn = normal_rows<double>(1, n, purpose);
  return {drawn.data(), drawn.data() + n};
}

/// Random weights whose biases and gains are not the plain ones either.
template <class T>
model::Transformer<T> any_transformer(const model::Shape& shape) {
  auto transformer = model::random_transformer<T>(shape, named("weights"));
  std::uint64_t number = 0;
  const auto shake = [&](std::vector<T>& values) {
    std::vector<float> noise(values.size());
    fill_normal(named("shake", ++number), std::span<float>(noise));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += static_cast<T>(0.3F * noise[i]);
  };
  for (model::Block<T>& block : transformer.blocks) {
    for (model::Linear<T>* map :
         {&block.attention.query, &block.attention.key, &block.attention.value, &block.attention.output,
          &block.feed_forward.inner, &block.feed_forward.outer})
      shake(map->bias);
    for (model::LayerNorm<T>* norm : {&block.first, &block.second}) {
      shake(norm->gain);
      shake(norm->bias);
    }
  }
  return transformer;
}

/// ‖a - b‖/‖b‖.
template <class T>
double apart(View<T> a, View<T> b) {
  double difference = 0, all = 0;
  for (std::size_t i = 0; i < b.rows; ++i)
    for (std::size_t j = 0; j < b.cols; ++j) {
      difference += std::pow(static_cast<double>(a(i, j)) - static_cast<double>(b(i, j)), 2);
      all += std::pow(static_cast<double>(b(i, j)), 2);
    }
  return std::sqrt(difference / all);
}
template <class T>
double apart(const Matrix<T>& a, const Matrix<T>& b) {
  return apart(View(a), View(b));
}

/// Unit roundoff.
template <class T>
constexpr double roundoff = sizeof(T) == 4 ? 0x1p-24 : 0x1p-53;

}  // namespace perp::test
