#include "studies/distance/heads.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/parallel.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/measures/rows.hpp"
#include "perp/measures/scores.hpp"
#include "perp/random/draws.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/words.hpp"
#include "studies/distance/claims.hpp"

namespace perp::distance {
namespace {

/// Queries or keys, head after head.
struct Projection {
  const Matrix<double>& weights;
  const std::vector<double>& bias;
  std::size_t width;  ///< of a head

  /// √ of the mean square of a head's weights.
  double size(std::size_t head) const {
    double sum = 0;
    for (std::size_t i = 0; i < rows(weights); ++i)
      for (const double w : row(weights, i).subspan(head * width, width)) sum += w * w;
    return std::sqrt(sum / (rows(weights) * width));
  }

  /// scale · y plus the head's bias, for the columns of y from `first` on; in a unit, a power of two that rounds
  /// nothing, in which the largest is near 1, so that no score overflows.
  template <class T>
  Matrix<T> of_head(std::size_t head, const Matrix<T>& y, std::size_t first, double scale) const {
    const auto at = [&](std::size_t t, std::size_t j) {
      return scale * y(t, first + j) + (bias.empty() ? 0.0 : bias[head * width + j]);
    };
    double largest = 0;
    for (std::size_t t = 0; t < rows(y); ++t)
      for (std::size_t j = 0; j < width; ++j) largest = std::max(largest, std::abs(at(t, j)));
    constexpr int most = 1000;
    const double unit = largest > 0 ? std::ldexp(1.0, std::clamp(-std::ilogb(largest), -most, most)) : 1;
    Matrix<T> out = matrix<T>(rows(y), width);
    for (std::size_t t = 0; t < rows(y); ++t)
      for (std::size_t j = 0; j < width; ++j) out(t, j) = unit * at(t, j);
    return out;
  }
};

/// T (width x width) with TᵀT = WᵀW, W a head's d x width weights: W is an orthonormal d x width frame times
/// it, and O W a uniform frame times it.
Matrix<double> root_of_head(const Matrix<double>& weights, std::size_t head, std::size_t width) {
  Matrix<double> own = matrix<double>(rows(weights), width);
  for (std::size_t i = 0; i < rows(own); ++i)
    std::ranges::copy(row(weights, i).subspan(head * width, width), row(own, i).begin());
  const Eigen<double> eigen = symmetric_eigen(gram_columns(own));
  Matrix<double> root = eigen.vectors;
  for (std::size_t i = 0; i < width; ++i)
    for (double& x : row(root, i)) x *= std::sqrt(std::max(0.0, eigen.values[i]));
  return root;
}

/// A uniform orthonormal frame F (width x d) times the rows of `input` (L x d): width x L. F = L⁻¹G for
/// normal G with GGᵀ = LLᵀ is uniform, for G O is as likely as G and has the same L.
Matrix<double> in_random_frame(const Matrix<double>& input, std::size_t width, const Stream& stream) {
  const Matrix<double> normal = normal_matrix<double>(width, cols(input), stream);
  const Matrix<double> lower = cholesky(gram_rows(normal));
  return solve_lower(lower, product_nt(normal, input));
}

}  // namespace

Matrix<double> normalised(const Matrix<double>& positions, const GivenPositions& given) {
  return given.layer_norm ? layer_norm(positions, given.layer_norm->gain, given.layer_norm->bias) : positions;
}

std::vector<double> head_r2(const Matrix<double>& positions, const GivenPositions& given) {
  const AttentionWeights& weights = *given.weights;
  const std::size_t width = weights.width();
  const Projection query{weights.query, weights.query_bias, width}, key{weights.key, weights.key_bias, width};
  const Matrix<double> input = normalised(positions, given);
  const Matrix<double> queries = product(input, weights.query), keys = product(input, weights.key);
  std::vector<double> out;
  for (std::size_t h = 0; h < weights.heads; ++h)
    out.push_back(score_r2(query.of_head(h, queries, h * width, 1), key.of_head(h, keys, h * width, 1)));
  return out;
}

std::vector<HeadControl> head_controls(const Matrix<double>& positions, const GivenPositions& given,
                                       const Streams& streams, std::size_t draws, std::size_t threads) {
  const AttentionWeights& weights = *given.weights;
  const std::size_t width = weights.width();
  const Projection query{weights.query, weights.query_bias, width}, key{weights.key, weights.key_bias, width};
  // Nothing here is better known than to a few percent: float32.
  const Matrix<float> input = normalised(positions, given);
  const bool one_for_all = weights.query_bias.empty() && weights.key_bias.empty();
  std::vector<HeadControl> out(weights.heads, {0, 0, std::vector<double>(draws)});
  parallel_for(draws, threads, [&](std::size_t draw) {
    const auto through_random = [&](const char* purpose) {
      return product(input, normal_matrix<float>(cols(input), width, streams(purpose, draw)));
    };
    const Matrix<float> queries = through_random("query"), keys = through_random("key");
    const auto r2 = [&](std::size_t h) {
      const Matrix<float> left = query.of_head(h, queries, 0, query.size(h)),
                          right = key.of_head(h, keys, 0, key.size(h));
      return static_cast<float>(score_r2(left, right));
    };
    std::optional<double> of_all;  // of the first head that is not dead
    for (std::size_t h = 0; h < out.size(); ++h) {
      const bool dead = one_for_all && !(query.size(h) > 0 && key.size(h) > 0);
      out[h].draws[draw] = dead ? NAN : of_all ? *of_all : r2(h);
      if (one_for_all && !dead) of_all = out[h].draws[draw];
    }
  });
  for (HeadControl& control : out) {
    if (std::isnan(control.draws.front())) {
      control.mean = control.sd = NAN;
      continue;
    }
    const Moments moments = moments_of(control.draws);
    control.mean = moments.mean;
    control.sd = std::sqrt(moments.variance);
  }
  return out;
}

Matrix<double> turned_r2(const Matrix<double>& positions, const GivenPositions& given, Turned what,
                         const Streams& streams, std::size_t draws, std::size_t threads) {
  const AttentionWeights& weights = *given.weights;
  const std::size_t width = weights.width();
  const Projection query{weights.query, weights.query_bias, width}, key{weights.key, weights.key_bias, width};
  const Matrix<double> input = normalised(positions, given);
  const Matrix<double> queries = product(input, weights.query), keys = product(input, weights.key);
  std::vector<Matrix<float>> own, met;  // nothing here is better known than to a percent: float32
  std::vector<Matrix<double>> roots;
  for (std::size_t h = 0; h < weights.heads; ++h) {
    own.emplace_back(query.of_head(h, queries, h * width, 1));
    met.emplace_back(key.of_head(h, keys, h * width, 1));
    roots.push_back(root_of_head(weights.query, h, width));
  }
  Matrix<double> out = matrix<double>(draws, weights.heads);
  parallel_for(draws, threads, [&](std::size_t draw) {
    const auto share = [&](std::size_t h, const Matrix<float>& turned) {
      out(draw, h) = static_cast<float>(score_r2(turned, met[h]));
    };
    if (what == Turned::pairing) {
      const Matrix<float> rotation = random_rotation(width, streams("pairing", draw));
      for (std::size_t h = 0; h < weights.heads; ++h) share(h, product(own[h], rotation));
    } else {
      const Matrix<double> read = in_random_frame(input, width, streams("alignment", draw));
      for (std::size_t h = 0; h < weights.heads; ++h)
        share(h, query.of_head(h, product_tn(read, roots[h]), 0, 1));
    }
  });
  return out;
}

std::string reading_of(const GivenPositions& given) {
  const AttentionWeights& weights = *given.weights;
  const bool biases = !weights.query_bias.empty() || !weights.key_bias.empty();
  if (!given.layer_norm) return biases ? "weights and biases" : "weights alone";
  return fmt::format("weights{} after LayerNorm", biases ? " and biases" : "");
}

Streams streams_of_heads(std::uint64_t seed) { return {seed, "D6", "heads"}; }

std::size_t control_draws(Preset preset) { return pick<std::size_t>(preset, 40, 500, 5000); }

std::string answer_heads(const Options& options) {
  require(options.text("query") || options.text("key"),
          "no weights; expected --positions FILE --query FILE --key FILE --heads H");
  const GivenPositions given = load_positions(options);
  const std::vector<double> r2 = head_r2(*given.positions, given);
  const std::vector<HeadControl> controls =
      head_controls(*given.positions, given, streams_of_heads(options.seed), control_draws(options.preset),
                    options.threads);
  const double null = theory::toeplitz_null(rows(*given.positions));
  std::string out;
  bool any_dead = false;
  const auto number = [](double x) { return std::isnan(x) ? "null" : fmt::format("{}", x); };
  const auto column = [](double x) { return std::isnan(x) ? "-" : fmt::format("{:.4f}", x); };
  for (std::size_t h = 0; h < r2.size(); ++h) {
    const HeadControl& control = controls[h];
    any_dead = any_dead || std::isnan(r2[h]);
    out += options.json
               ? fmt::format("{}{{\"head\":{},\"r2\":{},\"control_mean\":{},\"control_sd\":{}}}",
                             h ? "," : "", h, number(r2[h]), number(control.mean), number(control.sd))
               : fmt::format("{:>6}{:>10}{:>10} ± {}\n", h, column(r2[h]), column(control.mean),
                             column(control.sd));
  }
  if (options.json) return fmt::format("{{\"heads\":[{}],\"null\":{}}}", out, null);
  return fmt::format(
      "  head        R2  through random weights\n{}"
      "R2: share of the variance of a head's position scores that the distance explains, {},\n"
      "beside {} draws of random weights of its size; of independent scores {:.2g}.{}",
      out, reading_of(given), control_draws(options.preset), null,
      any_dead ? "\n-: all scores of this head are the same, as where its weights are 0." : "");
}

}  // namespace perp::distance
