// D5's scores: what each kind of encoding says of two positions.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "perp/random/normal.hpp"
#include "studies/distance/d5_index.hpp"

namespace perp::distance {
namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

/// One drawn content at every position of the text, turned as that position is.
Matrix<double> turned_content(const Encoding& encoding, std::size_t length, const Stream& draws) {
  std::vector<double> content(index_dimension);
  fill_normal(draws, std::span<double>(content));
  for (double& x : content) x /= std::numbers::sqrt2;
  Matrix<double> rows = matrix<double>(length, index_dimension);
  for (std::size_t t = 0; t < length; ++t) std::ranges::copy(content, row(rows, t).begin());
  encoding.rotate(rows, 0);
  return rows;
}

}  // namespace

PairScores::PairScores(const Encoding& encoding, std::size_t length, const Stream& draws)
    : encoding_(encoding), length_(length) {
  if (encoding.action() == Action::adds_vector) rows_ = encoding.vectors(length, index_dimension, draws);
  if (encoding.action() == Action::rotates_vector) rows_ = turned_content(encoding, length, draws);
}

double PairScores::operator()(std::size_t t, std::size_t s) const {
  if (encoding_.action() == Action::biases_score)
    return encoding_.bias(static_cast<std::int64_t>(t), static_cast<std::int64_t>(s));
  return dot(row(rows_, t), row(rows_, s));
}

double PairScores::largest() const {
  double most = 0;
  if (encoding_.action() == Action::biases_score)
    for (std::size_t k = 0; k < length_; ++k)
      most = std::max({most, std::abs((*this)(0, k)), std::abs((*this)(k, 0))});
  else
    for (std::size_t t = 0; t < length_; ++t) most = std::max(most, std::sqrt((*this)(t, t)));
  return most;
}

std::span<const double> PairScores::first_row() const {
  if (encoding_.action() == Action::biases_score) return {};
  return row(rows_, 0);
}

bool is_drawn(const std::string& encoding) {
  const EncodingPointer named = encoding_named(encoding);
  return named->is_random() || named->action() == Action::rotates_vector;
}

}  // namespace perp::distance
