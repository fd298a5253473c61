#include <algorithm>
#include <cmath>

#include "perp/model/attention.hpp"

namespace perp::model {

template <class T>
AttentionPositions<T> rotary_positions(const Encoding& encoding, std::size_t length, std::size_t head_width) {
  // A row (1, 0, 1, 0, …) turned is (cos, sin, cos, sin, …) if pairs are neighbours.
  Matrix<double> ones = zeros<double>(length, head_width);
  for (std::size_t t = 0; t < length; ++t)
    for (std::size_t j = 0; j < head_width; j += 2) ones(t, j) = 1;
  encoding.rotate(ones, 0);
  AttentionPositions<T> positions;
  positions.cosine = matrix<T>(length, head_width / 2);
  positions.sine = matrix<T>(length, head_width / 2);
  for (std::size_t t = 0; t < length; ++t)
    for (std::size_t i = 0; i < head_width / 2; ++i) {
      positions.cosine(t, i) = static_cast<T>(ones(t, 2 * i));
      positions.sine(t, i) = static_cast<T>(ones(t, 2 * i + 1));
    }
  return positions;
}

template <class T>
AttentionPositions<T> biased_positions(const std::vector<EncodingPointer>& per_head, std::size_t length) {
  AttentionPositions<T> positions;
  for (const EncodingPointer& encoding : per_head) {
    Matrix<T>& bias = positions.bias.emplace_back(matrix<T>(length, length));
    for (std::size_t t = 0; t < length; ++t)
      for (std::size_t s = 0; s < length; ++s)
        bias(t, s) =
            static_cast<T>(encoding->bias(static_cast<std::int64_t>(t), static_cast<std::int64_t>(s)));
  }
  return positions;
}

template <class T>
void rotate_heads(const AttentionPositions<T>& positions, std::size_t length, std::size_t head_width,
                  Matrix<T>& x, T sense) {
  if (positions.cosine.size() == 0) return;
  for (std::size_t r = 0; r < rows(x); ++r) {
    const std::span<const T> cosine = row(std::as_const(positions.cosine), r % length),
                             sine = row(std::as_const(positions.sine), r % length);
    for (std::size_t head = 0; head < cols(x); head += head_width) {
      T* pair = x.data() + r * cols(x) + head;
      for (std::size_t i = 0; i < cosine.size(); ++i, pair += 2) {
        const T a = pair[0], b = pair[1];
        pair[0] = a * cosine[i] - b * sense * sine[i];
        pair[1] = a * sense * sine[i] + b * cosine[i];
      }
    }
  }
}

template <class T>
Matrix<T> add_positions(View<T> words, View<double> positions) {
  Matrix<T> x = matrix<T>(words.rows, words.cols);
  for (std::size_t r = 0; r < words.rows; ++r)
    for (std::size_t j = 0; j < words.cols; ++j)
      x(r, j) = words(r, j) + static_cast<T>(positions(r % positions.rows, j));
  return x;
}

Matrix<float> append_positions(View<float> words, View<double> positions) {
  Matrix<float> x = matrix<float>(words.rows, words.cols + positions.cols);
  for (std::size_t r = 0; r < words.rows; ++r) {
    std::ranges::copy(words.row(r), row(x, r).begin());
    for (std::size_t j = 0; j < positions.cols; ++j)
      x(r, words.cols + j) = static_cast<float>(positions(r % positions.rows, j));
  }
  return x;
}

#define PERP_INSTANTIATE(T)                                                                          \
  template AttentionPositions<T> rotary_positions(const Encoding&, std::size_t, std::size_t);        \
  template AttentionPositions<T> biased_positions(const std::vector<EncodingPointer>&, std::size_t); \
  template void rotate_heads(const AttentionPositions<T>&, std::size_t, std::size_t, Matrix<T>&, T); \
  Matrix<T> add_positions(View<T> words, View<double> positions) {                                   \
    return add_positions<T>(words, positions);                                                       \
  }
PERP_INSTANTIATE(float)
PERP_INSTANTIATE(double)
#undef PERP_INSTANTIATE

}  // namespace perp::model
