#include "studies/capacity/split.hpp"

#include <algorithm>
#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/random/normal.hpp"
#include "perp/random/uniform.hpp"
#include "perp/vectors/positions.hpp"

namespace perp::capacity {
namespace {

double mean_square_length(const Matrix<double>& table) {
  double sum = 0;
  for (const double x : table) sum += x * x;
  return sum / rows(table);
}

Matrix<double> covariance(View<float> table) {
  Matrix<double> result = gram_columns(centred(converted<double>(table)));
  for (std::size_t i = 0; i < result.size(); ++i) result.data()[i] /= static_cast<double>(table.rows);
  return result;
}

}  // namespace

std::string name_of(Positions positions) {
  return positions == Positions::sinusoidal ? "sinusoidal"
         : positions == Positions::centred  ? "centred"
                                            : "random";
}

std::vector<std::size_t> position_widths(std::size_t d) {
  std::vector<std::size_t> widths;
  for (std::size_t eighth = 1; eighth < 8; ++eighth) widths.push_back(eighth * d / 16 * 2);
  return widths;
}

double word_scale(std::size_t d, std::size_t width) {
  require(width > 0 && width <= d, "word_scale: {} of {} dimensions for the word", width, d);
  return std::sqrt(double(d) / double(width));
}

Matrix<float> word_table(std::size_t count, std::size_t d, const Stream& stream) {
  return normal_matrix<float>(count, d, stream);
}

Matrix<float> position_table(Positions positions, std::size_t length, std::size_t width, double power,
                             const Stream& stream) {
  require(length > 0 && width > 0 && power > 0,
          "position_table: {} positions of {} dimensions and power {}, expected all above 0", length, width,
          power);
  Matrix<double> table;
  double scale = std::sqrt(power / width);
  if (positions == Positions::random) {
    table = normal_matrix<double>(length, width, stream);
  } else {
    table = sinusoidal<double>(length, width);
    if (positions == Positions::centred) {
      require(length > 1, "position_table: one position, centred, is nothing");
      table = centred(table);
    }
    scale = std::sqrt(power / mean_square_length(table));
  }
  Matrix<float> result = matrix<float>(length, width);
  std::ranges::transform(table, result.begin(), [scale](double x) { return float(scale * x); });
  return result;
}

std::vector<std::size_t> Samples::positions(std::size_t length) const {
  require(length > 0, "Samples: no positions to send");
  std::vector<std::size_t> result(words.size());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = i % length;
  return result;
}

Samples draw_samples(std::size_t count, std::size_t words, std::size_t d, const Stream& sent,
                     const Stream& noise) {
  Samples samples{{}, normal_matrix<float>(count, d, noise)};
  for (const std::uint32_t w : below(sent, count, static_cast<std::uint32_t>(words)))
    samples.words.push_back(w);
  return samples;
}

View<float> columns(const Matrix<float>& table, std::size_t first, std::size_t width) {
  require(first + width <= cols(table), "columns: {} from {} on of a {} x {} table", width, first,
          rows(table), cols(table));
  return {table.data() + first, rows(table), width, cols(table)};
}

std::vector<double> covariance_eigenvalues(View<float> table) {
  return symmetric_eigenvalues(covariance(table));
}

std::vector<double> covariance_eigenvalues(View<float> first, View<float> second) {
  require(first.cols == second.cols, "covariance_eigenvalues: tables of {} and {} columns", first.cols,
          second.cols);
  Matrix<double> sum = covariance(first);
  std::ranges::transform(sum, covariance(second), sum.begin(), std::plus());
  return symmetric_eigenvalues(std::move(sum));
}

Channel channel_of(const CodeProducts& products, std::size_t d, const std::vector<double>& noises,
                   double scale) {
  Channel channel;
  for (const double noise : noises) {
    SingleChannel single = single_channel(products, noise_at(d, noise), scale);
    channel.bits.push_back(
        channel_bits(single.negative_log_likelihoods, products.half_squared_norms.size()).value);
    channel.errors.push_back(std::move(single.errors));
  }
  return channel;
}

WordChannels word_channels(const Matrix<float>& words, const Samples& samples, std::size_t steps,
                           const std::vector<double>& noises) {
  const std::size_t d = cols(words), step = d / steps;
  const auto products = [&](std::size_t first) {
    return code_products(columns(words, first, step), columns(samples.noise, first, step), samples.words);
  };
  WordChannels result{std::vector<Channel>(steps - 1), products(0)};
  for (std::size_t width = step; width < d; width += step) {
    result.by_split[(d - width) / step - 1] = channel_of(result.all, d, noises, word_scale(d, width));
    append_columns(result.all, products(width));
  }
  return result;
}

CodeProducts position_products(const Matrix<float>& positions, const Samples& samples) {
  const std::size_t width = cols(positions);
  return code_products(positions, columns(samples.noise, cols(samples.noise) - width, width),
                       samples.positions(rows(positions)));
}

Estimate over_codebooks(const Values& values) {
  MomentSums sums;
  sums.add(std::span<const double>(values));
  Estimate result = estimated(sums.moments());
  result.value = std::accumulate(values.begin(), values.end(), 0.0) / values.size();
  return result;
}

Values difference(Values a, const Values& b) {
  std::ranges::transform(a, b, a.begin(), std::minus());
  return a;
}

std::size_t best_arm(const std::vector<Values>& arms, std::optional<std::size_t> left_out) {
  const auto total = [left_out](const Values& values) {
    double sum = 0;
    for (std::size_t book = 0; book < values.size(); ++book)
      if (book != left_out) sum += values[book];
    return sum;
  };
  return std::ranges::max_element(arms, {}, total) - arms.begin();
}

std::vector<bool> certain(const std::vector<Estimate>& gains) {
  constexpr double rate = 0.01;
  for (std::size_t k = gains.size(); k > 0; --k) {
    std::vector<bool> found;
    for (const Estimate& gain : gains) {
      const Interval interval = interval_at(gain.value, *gain.spread, 1 - double(k) / gains.size() * rate);
      found.push_back(interval.low > 0 || interval.high < 0);
    }
    if (std::size_t(std::ranges::count(found, true)) >= k) return found;
  }
  return std::vector<bool>(gains.size(), false);
}

}  // namespace perp::capacity
