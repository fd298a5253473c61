#include "studies/capacity/split.hpp"

#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/random/normal.hpp"
#include "perp/random/uniform.hpp"
#include "perp/vectors/positions.hpp"

namespace perp::capacity {
namespace {

std::vector<double> column_means(const Matrix<double>& table) {
  std::vector<double> mean(cols(table), 0.0);
  for (std::size_t t = 0; t < rows(table); ++t)
    for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += table(t, j);
  for (double& m : mean) m /= static_cast<double>(rows(table));
  return mean;
}

void centre(Matrix<double>& table) {
  const std::vector<double> mean = column_means(table);
  for (std::size_t t = 0; t < rows(table); ++t)
    for (std::size_t j = 0; j < mean.size(); ++j) table(t, j) -= mean[j];
}

double mean_square_length(const Matrix<double>& table) {
  double sum = 0;
  for (std::size_t i = 0; i < table.size(); ++i) sum += table.data()[i] * table.data()[i];
  return sum / static_cast<double>(rows(table));
}

Matrix<double> covariance(View<float> table) {
  Matrix<double> rows_of = matrix<double>(table.rows, table.cols);
  for (std::size_t i = 0; i < table.rows; ++i)
    for (std::size_t j = 0; j < table.cols; ++j) rows_of(i, j) = static_cast<double>(table(i, j));
  centre(rows_of);
  Matrix<double> result = gram_columns(View<double>(rows_of));
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
  return std::sqrt(static_cast<double>(d) / static_cast<double>(width));
}

Matrix<float> word_table(std::size_t count, std::size_t d, const Stream& stream) {
  Matrix<float> words = matrix<float>(count, d);
  fill_normal(stream, std::span<float>(words.data(), words.size()));
  return words;
}

Matrix<float> position_table(Positions positions, std::size_t length, std::size_t width, double power,
                             const Stream& stream) {
  require(length > 0 && width > 0 && power > 0,
          "position_table: {} positions of {} dimensions and power {}, expected all above 0", length, width,
          power);
  Matrix<double> table;
  double scale = std::sqrt(power / static_cast<double>(width));
  if (positions == Positions::random) {
    table = matrix<double>(length, width);
    fill_normal(stream, std::span<double>(table.data(), table.size()));
  } else {
    table = sinusoidal<double>(length, width);
    if (positions == Positions::centred) {
      require(length > 1, "position_table: one position, centred, is nothing");
      centre(table);
    }
    scale = std::sqrt(power / mean_square_length(table));
  }
  Matrix<float> result = matrix<float>(length, width);
  for (std::size_t i = 0; i < table.size(); ++i)
    result.data()[i] = static_cast<float>(scale * table.data()[i]);
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
  Samples samples{{}, matrix<float>(count, d)};
  for (const std::uint32_t w : below(sent, count, static_cast<std::uint32_t>(words)))
    samples.words.push_back(w);
  fill_normal(noise, std::span<float>(samples.noise.data(), samples.noise.size()));
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
  const Matrix<double> other = covariance(second);
  for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += other.data()[i];
  return symmetric_eigenvalues(std::move(sum));
}

}  // namespace perp::capacity
