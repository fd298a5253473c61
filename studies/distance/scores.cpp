
#include "studies/distance/scores.hpp"

#include "perp/base/linalg.hpp"
#include "perp/random/draws.hpp"
#include "perp/vectors/encoding.hpp"

namespace perp::distance {
namespace {

constexpr std::size_t first_position = 1;

template <class T>
Matrix<T> projected(const Matrix<T>& positions, std::size_t rank, const Stream& stream) {
  return product(positions, normal_matrix<T>(cols(positions), rank, stream));
}

/// Positions times blocks [a b; -b a].
template <class T>
Matrix<T> times_blocks(const Matrix<T>& positions, const Stream& stream) {
  const Matrix<T> blocks = normal_matrix<T>(cols(positions) / 2, 2, stream);
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

/// Contents rotated by positions 1 … l: one content for all of them, or one each.
template <class T>
Matrix<T> rotated(const ScoreCase& c, const Stream& stream) {
  const bool same = c.matrix == "rotary_same";
  const Matrix<float> contents = normal_matrix<float>(same ? 1 : c.l, c.d, stream);
  Matrix<double> x = matrix<double>(c.l, c.d);
  for (std::size_t t = 0; t < c.l; ++t) std::ranges::copy(row(contents, same ? 0 : t), row(x, t).begin());
  rotary_encoding()->rotate(x, first_position);
  return x;
}

}  // namespace

Matrix<double> score_positions(const ScoreCase& c, const Streams& streams, std::size_t draw) {
  const Matrix<double> table =
      encoding_named(c.encoding)->vectors(first_position + c.l, c.d, streams("positions", draw));
  Matrix<double> out = matrix<double>(c.l, c.d);
  std::copy_n(row(table, first_position).data(), out.size(), out.data());
  return out;
}

template <class T>
Factors<T> score_factors(const ScoreCase& c, const Matrix<T>& positions, const Streams& streams,
                         std::size_t draw) {
  const Stream query = streams("query", draw), key = streams("key", draw);
  if (c.matrix == "identity") return {positions, positions};
  if (c.matrix == "heads") return {projected(positions, c.rank, query), projected(positions, c.rank, key)};
  if (c.matrix == "tied") {
    const Matrix<T> both = projected(positions, c.rank, query);
    return {both, both};
  }
  if (c.matrix == "commutant") return {times_blocks(positions, query), positions};
  return {rotated<T>(c, query), rotated<T>(c, key)};
}

template Factors<float> score_factors(const ScoreCase&, const Matrix<float>&, const Streams&, std::size_t);
template Factors<double> score_factors(const ScoreCase&, const Matrix<double>&, const Streams&, std::size_t);

}  // namespace perp::distance
