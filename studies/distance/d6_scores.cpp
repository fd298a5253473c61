#include "studies/distance/d6_scores.hpp"

#include <algorithm>

#include "perp/base/linalg.hpp"
#include "perp/random/normal.hpp"
#include "perp/vectors/encoding.hpp"

namespace perp::distance {
namespace {

constexpr std::size_t first_position = 1;

template <class T>
Matrix<T> normal(std::size_t rows, std::size_t cols, const Stream& stream) {
  Matrix<T> out = matrix<T>(rows, cols);
  fill_normal(stream, std::span<T>(out.data(), out.size()));
  return out;
}

template <class T>
Matrix<T> projected(const Matrix<T>& positions, std::size_t rank, const Stream& stream) {
  const Matrix<T> weights = normal<T>(cols(positions), rank, stream);
  return product(View<T>(positions), View<T>(weights));
}

/// Positions times blocks [a b; -b a].
template <class T>
Matrix<T> times_blocks(const Matrix<T>& positions, const Stream& stream) {
  const Matrix<T> blocks = normal<T>(cols(positions) / 2, 2, stream);
  Matrix<T> out = matrix<T>(rows(positions), cols(positions));
  for (std::size_t t = 0; t < rows(out); ++t)
    for (std::size_t i = 0; i < rows(blocks); ++i) {
      const T sine = positions(t, 2 * i), cosine = positions(t, 2 * i + 1), a = blocks(i, 0),
              b = blocks(i, 1);
      out(t, 2 * i) = a * sine - b * cosine;
      out(t, 2 * i + 1) = b * sine + a * cosine;
    }
  return out;
}

/// Contents turned by positions 1 … L: one content for all of them, or one each.
template <class T>
Matrix<T> turned(const ScoreCase& c, bool same, const Stream& stream) {
  const Matrix<float> contents = normal<float>(same ? 1 : c.length, c.d, stream);
  Matrix<double> x = matrix<double>(c.length, c.d);
  for (std::size_t t = 0; t < c.length; ++t)
    std::ranges::copy(row(contents, same ? 0 : t), row(x, t).begin());
  rotary_encoding()->rotate(x, first_position);
  Matrix<T> out = matrix<T>(c.length, c.d);
  std::ranges::transform(std::span(x.data(), x.size()), out.data(),
                         [](double v) { return static_cast<T>(v); });
  return out;
}

template <class T>
Matrix<T> unit_matrix(std::size_t n) {
  Matrix<T> out = zeros<T>(n, n);
  for (std::size_t i = 0; i < n; ++i) out(i, i) = 1;
  return out;
}

}  // namespace

Matrix<double> score_positions(const ScoreCase& c, const Streams& streams, std::size_t draw) {
  const Matrix<double> table =
      encoding_named(c.encoding)->vectors(first_position + c.length, c.d, streams("positions", draw));
  Matrix<double> out = matrix<double>(c.length, c.d);
  for (std::size_t t = 0; t < c.length; ++t)
    std::ranges::copy(row(table, first_position + t), row(out, t).begin());
  return out;
}

template <class T>
Factors<T> score_factors(const ScoreCase& c, const Matrix<T>& positions, const Streams& streams,
                         std::size_t draw) {
  const Stream query = streams("query", draw), key = streams("key", draw);
  if (c.matrix == "identity") return {positions, positions};
  if (c.matrix == "gaussian") return {projected(positions, c.d, query), positions};
  if (c.matrix == "heads") return {projected(positions, c.rank, query), projected(positions, c.rank, key)};
  if (c.matrix == "tied") {
    const Matrix<T> both = projected(positions, c.rank, query);
    return {both, both};
  }
  if (c.matrix == "commutant") return {times_blocks(positions, query), positions};
  if (c.matrix == "rotary_same" || c.matrix == "rotary_own") {
    const bool same = c.matrix == "rotary_same";
    return {turned<T>(c, same, query), turned<T>(c, same, key)};
  }
  require(c.matrix == "iid", "unknown matrix '{}' between positions", c.matrix);
  return {normal<T>(c.length, c.length, query), unit_matrix<T>(c.length)};
}

template Factors<float> score_factors(const ScoreCase&, const Matrix<float>&, const Streams&, std::size_t);
template Factors<double> score_factors(const ScoreCase&, const Matrix<double>&, const Streams&, std::size_t);

}  // namespace perp::distance
