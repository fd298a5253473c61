#include "studies/distance/heads.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "perp/base/linalg.hpp"
#include "perp/base/parallel.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/measures/layernorm.hpp"
#include "perp/measures/scores.hpp"
#include "perp/random/normal.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/theory/distance.hpp"

namespace perp::distance {
namespace {

const AttentionWeights& weights_of(const GivenPositions& given) {
  require(given.weights.has_value(), "heads: no weights were given");
  return *given.weights;
}

/// scale · y + bias for the columns first … first + width - 1 of y.
template <class T>
Matrix<T> head(View<T> y, std::size_t first, std::size_t width, double scale, std::span<const double> bias) {
  Matrix<T> out = matrix<T>(y.rows, width);
  for (std::size_t t = 0; t < y.rows; ++t)
    for (std::size_t j = 0; j < width; ++j)
      out(t, j) = static_cast<T>(scale * y(t, first + j) + (bias.empty() ? 0.0 : bias[j]));
  return out;
}

/// The part of a bias that a head reads; none of none.
std::span<const double> part(const std::vector<double>& bias, std::size_t head, std::size_t width) {
  return bias.empty() ? std::span<const double>() : std::span(bias).subspan(head * width, width);
}

/// √ of the mean square of the weights of one head.
double size_of(const Matrix<double>& weights, std::size_t head, std::size_t width) {
  double sum = 0;
  for (std::size_t i = 0; i < rows(weights); ++i)
    for (const double w : row(weights, i).subspan(head * width, width)) sum += w * w;
  return std::sqrt(sum / static_cast<double>(rows(weights) * width));
}

/// What of the weights a control keeps.
struct HeadShape {
  double query = 1, key = 1;
  std::span<const double> query_bias, key_bias;
};

std::vector<HeadShape> shapes(const AttentionWeights& weights) {
  const std::size_t width = weights.width();
  std::vector<HeadShape> out;
  for (std::size_t h = 0; h < weights.heads; ++h)
    out.push_back({size_of(weights.query, h, width), size_of(weights.key, h, width),
                   part(weights.query_bias, h, width), part(weights.key_bias, h, width)});
  return out;
}

/// Positions times d x width fresh weights. Nothing here is better known than to a few percent: float32.
Matrix<float> through_random(const Matrix<float>& positions, std::size_t width, const Stream& stream) {
  Matrix<float> weights = matrix<float>(cols(positions), width);
  fill_normal(stream, std::span<float>(weights.data(), weights.size()));
  return product<float>(positions, weights);
}

float r2_of(const Matrix<float>& queries, const Matrix<float>& keys) {
  return static_cast<float>(toeplitz_r2(lag_statistics<float>(View<float>(queries), View<float>(keys), 1)));
}

}  // namespace

Matrix<double> normalised(const Matrix<double>& positions, const GivenPositions& given) {
  return given.layer_norm ? layer_norm(positions, given.layer_norm->gain, given.layer_norm->bias) : positions;
}

std::vector<double> head_r2(const Matrix<double>& positions, const GivenPositions& given) {
  const AttentionWeights& weights = weights_of(given);
  const Matrix<double> input = normalised(positions, given);
  const Matrix<double> queries = product<double>(input, weights.query),
                       keys = product<double>(input, weights.key);
  const std::size_t width = weights.width();
  std::vector<double> out;
  for (std::size_t h = 0; h < weights.heads; ++h)
    out.push_back(score_r2(head<double>(queries, h * width, width, 1, part(weights.query_bias, h, width)),
                           head<double>(keys, h * width, width, 1, part(weights.key_bias, h, width))));
  return out;
}

std::vector<HeadControl> head_controls(const Matrix<double>& positions, const GivenPositions& given,
                                       std::uint64_t seed, std::size_t draws, std::size_t threads) {
  const AttentionWeights& weights = weights_of(given);
  require(draws >= 2, "heads: {} draws of a control; expected at least 2", draws);
  const Matrix<double> input = normalised(positions, given);
  Matrix<float> single = matrix<float>(rows(input), cols(input));
  std::transform(input.data(), input.data() + input.size(), single.data(),
                 [](double x) { return static_cast<float>(x); });
  const std::vector<HeadShape> heads = shapes(weights);
  const std::size_t width = weights.width();
  const bool one_for_all = weights.query_bias.empty() && weights.key_bias.empty();
  std::vector<HeadControl> out(heads.size(), {0, 0, std::vector<double>(draws)});
  parallel_for(draws, threads, [&](std::size_t draw) {
    const Matrix<float> queries = through_random(single, width, stream(seed, "D6", "heads", draw, "query")),
                        keys = through_random(single, width, stream(seed, "D6", "heads", draw, "key"));
    for (std::size_t h = 0; h < heads.size(); ++h)
      out[h].draws[draw] = one_for_all && h > 0
                               ? out[0].draws[draw]
                               : r2_of(head<float>(queries, 0, width, heads[h].query, heads[h].query_bias),
                                       head<float>(keys, 0, width, heads[h].key, heads[h].key_bias));
  });
  for (HeadControl& control : out) {
    MomentSums sums;
    sums.add(std::span<const double>(control.draws));
    control.mean = sums.moments().mean;
    control.sd = std::sqrt(sums.moments().variance);
  }
  return out;
}

std::size_t control_draws(Preset preset) { return pick<std::size_t>(preset, 40, 500, 5000); }

std::optional<std::string> answer_heads(const Options& options) {
  if (!options.json || !(options.text("query") || options.text("key"))) return std::nullopt;
  const GivenPositions given = load_positions(options);
  const std::vector<double> r2 = head_r2(*given.positions, given);
  const std::vector<HeadControl> controls =
      head_controls(*given.positions, given, options.seed, control_draws(options.preset), options.threads);
  std::string out;
  for (std::size_t h = 0; h < r2.size(); ++h)
    out += fmt::format("{}{{\"head\":{},\"r2\":{},\"control_mean\":{},\"control_sd\":{}}}", h ? "," : "", h,
                       r2[h], controls[h].mean, controls[h].sd);
  return fmt::format("{{\"heads\":[{}],\"null\":{}}}", out, theory::toeplitz_null(rows(*given.positions)));
}

}  // namespace perp::distance
