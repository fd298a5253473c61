#include "perp/model/places.hpp"

#include <algorithm>
#include <cmath>

namespace perp::model {

template <class T>
Places<T> turned_places(const Encoding& encoding, std::size_t length, std::size_t head_width) {
  // A row (1, 0, 1, 0, …) turned is (cos, sin, cos, sin, …) if pairs are neighbours.
  Matrix<double> ones = zeros<double>(length, head_width), others = zeros<double>(length, head_width);
  for (std::size_t t = 0; t < length; ++t)
    for (std::size_t j = 0; j < head_width; ++j) (j % 2 ? others : ones)(t, j) = 1;
  encoding.turn(ones, 0);
  encoding.turn(others, 0);
  Places<T> places;
  places.cosine = matrix<T>(length, head_width / 2);
  places.sine = matrix<T>(length, head_width / 2);
  for (std::size_t t = 0; t < length; ++t)
    for (std::size_t i = 0; i < head_width / 2; ++i) {
      const double cosine = ones(t, 2 * i), sine = ones(t, 2 * i + 1);
      require(
          std::abs(others(t, 2 * i) + sine) + std::abs(others(t, 2 * i + 1) - cosine) < 1e-12,
          "turned_places: '{}' does not turn columns {} and {} as one pair; expected the interleaved layout",
          encoding.name(), 2 * i, 2 * i + 1);
      places.cosine(t, i) = static_cast<T>(cosine);
      places.sine(t, i) = static_cast<T>(sine);
    }
  return places;
}

template <class T>
Places<T> biased_places(const std::vector<EncodingPointer>& per_head, std::size_t length) {
  Places<T> places;
  for (const EncodingPointer& encoding : per_head) {
    Matrix<T>& bias = places.bias.emplace_back(matrix<T>(length, length));
    for (std::size_t t = 0; t < length; ++t)
      for (std::size_t s = 0; s < length; ++s)
        bias(t, s) =
            static_cast<T>(encoding->bias(static_cast<std::int64_t>(t), static_cast<std::int64_t>(s)));
  }
  return places;
}

namespace {

/// Every head of x by the places' angles times sense, 1 or -1.
template <class T>
void turn(const Places<T>& places, std::size_t length, std::size_t head_width, T sense, Matrix<T>& x) {
  if (places.cosine.size() == 0) return;
  require(rows(places.cosine) >= length && 2 * cols(places.cosine) == head_width && cols(x) % head_width == 0,
          "turn_heads: angles of {} positions and {} pairs for {} tokens and heads of {}",
          rows(places.cosine), cols(places.cosine), length, head_width);
  for (std::size_t r = 0; r < rows(x); ++r) {
    const std::span<const T> cosine = row(std::as_const(places.cosine), r % length),
                             sine = row(std::as_const(places.sine), r % length);
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
void turn_heads(const Places<T>& places, std::size_t length, std::size_t head_width, Matrix<T>& x) {
  turn(places, length, head_width, T{1}, x);
}

template <class T>
void turn_heads_back(const Places<T>& places, std::size_t length, std::size_t head_width, Matrix<T>& x) {
  turn(places, length, head_width, T{-1}, x);
}

template <class T>
Matrix<T> add_positions(View<T> words, View<double> positions) {
  require(positions.rows > 0 && positions.cols == words.cols && words.rows % positions.rows == 0,
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
  require(positions.rows > 0 && words.rows % positions.rows == 0,
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

#define PERP_INSTANTIATE(T)                                                              \
  template Places<T> turned_places(const Encoding&, std::size_t, std::size_t);           \
  template Places<T> biased_places(const std::vector<EncodingPointer>&, std::size_t);    \
  template void turn_heads(const Places<T>&, std::size_t, std::size_t, Matrix<T>&);      \
  template void turn_heads_back(const Places<T>&, std::size_t, std::size_t, Matrix<T>&); \
  template Matrix<T> add_positions(View<T>, View<double>);                               \
  template Matrix<T> append_positions(View<T>, View<double>);
PERP_INSTANTIATE(float)
PERP_INSTANTIATE(double)
#undef PERP_INSTANTIATE

}  // namespace perp::model
