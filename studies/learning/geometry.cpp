#include "studies/learning/geometry.hpp"

#include <cmath>

namespace perp::learning {
namespace {

double root_mean_square_norm(const Matrix<float>& table) {
  double sum = 0;
  for (const float x : std::span<const float>(table.data(), table.size()))
    sum += static_cast<double>(x) * static_cast<double>(x);
  return std::sqrt(sum / static_cast<double>(rows(table)));
}

}  // namespace

Coordinates geometry(const model::Embedding<float>& embedding) {
  return {{"word_norm", root_mean_square_norm(embedding.words)}};
}

Records position_scores(const model::Predictor<float>&) { return {}; }

Records probes(const model::Predictor<float>&, const Task&, const Streams&) { return {}; }

}  // namespace perp::learning
