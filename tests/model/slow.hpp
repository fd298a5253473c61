#pragma once
// The Transformer by its definition: one token, one head, one number at a time, in double.

#include <algorithm>
#include <cmath>
#include <vector>

#include "perp/model/transformer.hpp"
#include "perp/random/normal.hpp"

namespace perp::test {

using Rows = std::vector<std::vector<double>>;

/// How the slow attention knows positions: by formula, not by table.
enum class Knows { nothing, rotary, alibi };

template <class T>
Rows slow_linear(const model::Linear<T>& map, const Rows& x) {
  Rows y(x.size(), std::vector<double>(rows(map.weight)));
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t o = 0; o < y[i].size(); ++o) {
      double sum = static_cast<double>(map.bias[o]);
      for (std::size_t j = 0; j < x[i].size(); ++j) sum += static_cast<double>(map.weight(o, j)) * x[i][j];
      y[i][o] = sum;
    }
  return y;
}

template <class T>
Rows slow_norm(const model::LayerNorm<T>& norm, const Rows& x) {
  Rows y = x;
  for (std::vector<double>& row : y) {
    const double d = static_cast<double>(row.size());
    double mean = 0, variance = 0;
    for (const double v : row) mean += v / d;
    for (const double v : row) variance += (v - mean) * (v - mean) / d;
    for (std::size_t j = 0; j < row.size(); ++j)
      row[j] = static_cast<double>(norm.gain[j]) * (row[j] - mean) /
                   std::sqrt(variance + static_cast<double>(norm.epsilon)) +
               static_cast<double>(norm.bias[j]);
  }
  return y;
}

/// One entry of a head's query or key at place t: pairs turned by t T^(-2i/w).
inline double slow_turned(const std::vector<double>& row, std::size_t head, std::size_t width, std::size_t j,
                          std::size_t t, Knows knows) {
  const double* part = row.data() + head * width;
  if (knows != Knows::rotary) return part[j];
  const double angle =
      static_cast<double>(t) * std::pow(1e4, -2.0 * static_cast<double>(j / 2) / static_cast<double>(width));
  return j % 2 ? part[j - 1] * std::sin(angle) + part[j] * std::cos(angle)
               : part[j] * std::cos(angle) - part[j + 1] * std::sin(angle);
}

template <class T>
Rows slow_attention(const model::Attention<T>& attention, const Rows& x, std::size_t length, Knows knows) {
  const Rows q = slow_linear(attention.query, x), k = slow_linear(attention.key, x),
             v = slow_linear(attention.value, x);
  const std::size_t d = q[0].size(), width = d / attention.heads;
  Rows mixed(x.size(), std::vector<double>(d, 0));
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t h = 0; h < attention.heads; ++h) {
      const std::size_t t = i % length, first = i - t, seen = attention.causal ? t + 1 : length;
      std::vector<double> weight(seen);
      for (std::size_t s = 0; s < seen; ++s) {
        double score = 0;
        for (std::size_t j = 0; j < width; ++j)
          score +=
              slow_turned(q[i], h, width, j, t, knows) * slow_turned(k[first + s], h, width, j, s, knows);
        weight[s] = score / std::sqrt(static_cast<double>(width));
        if (knows == Knows::alibi)
          weight[s] -= std::exp2(-8.0 * static_cast<double>(h + 1) / static_cast<double>(attention.heads)) *
                       std::abs(static_cast<double>(t) - static_cast<double>(s));
      }
      const double largest = *std::ranges::max_element(weight);
      double sum = 0;
      for (double& w : weight) sum += w = std::exp(w - largest);
      for (std::size_t s = 0; s < seen; ++s)
        for (std::size_t j = 0; j < width; ++j)
          mixed[i][h * width + j] += weight[s] / sum * v[first + s][h * width + j];
    }
  return slow_linear(attention.output, mixed);
}

template <class T>
Rows slow_feed(const model::FeedForward<T>& layer, const Rows& x) {
  Rows inner = slow_linear(layer.inner, x);
  for (std::vector<double>& row : inner)
    for (double& v : row)
      v = layer.activation == model::Activation::relu ? (v > 0 ? v : 0)
                                                      : v * 0.5 * std::erfc(-v / std::sqrt(2.0));
  return slow_linear(layer.outer, inner);
}

template <class T>
Rows slow_forward(const model::Transformer<T>& transformer, const Matrix<T>& tokens, std::size_t length,
                  Knows knows) {
  const model::Shape& shape = transformer.shape;
  Rows x(rows(tokens), std::vector<double>(cols(tokens)));
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x[i].size(); ++j) x[i][j] = static_cast<double>(tokens(i, j));
  const auto layer = [&](const model::LayerNorm<T>& norm, auto function) {
    Rows y = function(shape.norm == model::Norm::before ? slow_norm(norm, x) : x);
    if (shape.residual)
      for (std::size_t i = 0; i < y.size(); ++i)
        for (std::size_t j = 0; j < y[i].size(); ++j) y[i][j] += x[i][j];
    x = shape.norm == model::Norm::after ? slow_norm(norm, y) : y;
  };
  for (const model::Block<T>& block : transformer.blocks) {
    layer(block.first, [&](const Rows& in) { return slow_attention(block.attention, in, length, knows); });
    if (shape.feed_forward)
      layer(block.second, [&](const Rows& in) { return slow_feed(block.feed_forward, in); });
  }
  return x;
}

/// ‖fast - slow‖/‖slow‖.
template <class T>
double apart(const Matrix<T>& fast, const Rows& slow) {
  double difference = 0, all = 0;
  for (std::size_t i = 0; i < slow.size(); ++i)
    for (std::size_t j = 0; j < slow[i].size(); ++j) {
      difference += std::pow(static_cast<double>(fast(i, j)) - slow[i][j], 2);
      all += slow[i][j] * slow[i][j];
    }
  return std::sqrt(difference / all);
}

inline Stream named(const char* purpose, std::uint64_t replicate = 0) {
  return stream(1, "tests", "model", replicate, purpose);
}

template <class T>
Matrix<T> normal_rows(std::size_t count, std::size_t d, const char* purpose) {
  return normal_matrix<T>(count, d, named(purpose));
}

/// Random weights whose biases and gains are not the plain ones either.
template <class T>
model::Transformer<T> any_transformer(const model::Shape& shape) {
  auto transformer = model::random_transformer<T>(shape, model::Initialisation::fan_in, named("weights"));
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

/// Unit roundoff.
template <class T>
constexpr double roundoff = sizeof(T) == 4 ? 0x1p-24 : 0x1p-53;

}  // namespace perp::test
