#include <algorithm>
#include <cmath>

#include "perp/base/error.hpp"
#include "perp/model/attention.hpp"

namespace perp::model {

template <class T>
AttentionPositions<T> rotary_positions(const Encoding& encoding, std::size_t length, std::size_t head_width) {
  // A row (1, 0, 1, 0, …) turned is (cos, sin, cos, sin, …) if pairs are neighbours.
  Matrix<double> ones = zeros<double>(length, head_width), others = zeros<double>(length, head_width);
  for (std::size_t t = 0; t < length; ++t)
    for (std::size_t j = 0; j < head_width; ++j) (j % 2 ? others : ones)(t, j) = 1;
  encoding.rotate(ones, 0);
  encoding.rotate(others, 0);
  AttentionPositions<T> positions;
  positions.cosine = matrix<T>(length, head_width / 2);
  positions.sine = matrix<T>(length, head_width / 2);
  for (std::size_t t = 0; t < length; ++t)
    for (std::size_t i = 0; i < head_width / 2; ++i) {
      const double cosine = ones(t, 2 * i), sine = ones(t, 2 * i + 1);
      require(std::abs(others(t, 2 * i) + sine) + std::abs(others(t, 2 * i + 1) - cosine) < 1e-12,
              "rotary_positions: '{}' does not turn columns {} and {} as one pair; expected the interleaved "
              "layout",
              encoding.name(), 2 * i, 2 * i + 1);
      positions.cosine(t, i) = static_cast<T>(cosine);
      positions.sine(t, i) = static_cast<T>(sine);
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

namespace {

/// Every head of x by the positions' angles times sense, 1 or -1.
template <class T>
void rotate(const AttentionPositions<T>& positions, std::size_t length, std::size_t head_width, T sense,
            Matrix<T>& x) {
  if (positions.cosine.size() == 0) return;
  expect(rows(positions.cosine) >= length && 2 * cols(positions.cosine) == head_width &&
             cols(x) % head_width == 0,
         "rotate_heads: angles of {} positions and {} pairs for {} tokens and heads of {}",
         rows(positions.cosine), cols(positions.cosine), length, head_width);
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

}  // namespace

template <class T>
void rotate_heads(const AttentionPositions<T>& positions, std::size_t length, std::size_t head_width,
                  Matrix<T>& x) {
  rotate(positions, length, head_width, T{1}, x);
}

template <class T>
void rotate_heads_back(const AttentionPositions<T>& positions, std::size_t length, std::size_t head_width,
                       Matrix<T>& x) {
  rotate(positions, length, head_width, T{-1}, x);
}

template <class T>
Matrix<T> add_positions(View<T> words, View<double> positions) {
  expect(positions.rows > 0 && positions.cols == words.cols && words.rows % positions.rows == 0,
         "add_positions: words {} x {}, positions {} x {}", words.rows, words.cols, positions.rows,
         positions.cols);
  Matrix<T> x = matrix<T>(words.rows, words.cols);
  for (std::size_t r = 0; r < words.rows; ++r)
    for (std::size_t j = 0; j < words.cols; ++j)
      x(r, j) = words(r, j) + static_cast<T>(positions(r % positions.rows, j));
  return x;
}

template <class T>
Matrix<T> append_positions(View<T> words, View<double> positions) {
  expect(positions.rows > 0 && words.rows % positions.rows == 0,
         "append_positions: words {} x {}, positions {} x {}", words.rows, words.cols, positions.rows,
         positions.cols);
  Matrix<T> x = matrix<T>(words.rows, words.cols + positions.cols);
  for (std::size_t r = 0; r < words.rows; ++r) {
    std::ranges::copy(words.row(r), row(x, r).begin());
    for (std::size_t j = 0; j < positions.cols; ++j)
      x(r, words.cols + j) = static_cast<T>(positions(r % positions.rows, j));
  }
  return x;
}

#define PERP_INSTANTIATE(T)                                                                            \
  template AttentionPositions<T> rotary_positions(const Encoding&, std::size_t, std::size_t);          \
  template AttentionPositions<T> biased_positions(const std::vector<EncodingPointer>&, std::size_t);   \
  template void rotate_heads(const AttentionPositions<T>&, std::size_t, std::size_t, Matrix<T>&);      \
  template void rotate_heads_back(const AttentionPositions<T>&, std::size_t, std::size_t, Matrix<T>&); \
  Matrix<T> add_positions(View<T> words, View<double> positions) {                                     \
    return add_positions<T>(words, positions);                                                         \
  }                                                                                                    \
  Matrix<T> append_positions(View<T> words, View<double> positions) {                                  \
    return append_positions<T>(words, positions);                                                      \
  }
PERP_INSTANTIATE(float)
PERP_INSTANTIATE(double)
#undef PERP_INSTANTIATE

}  // namespace perp::model
