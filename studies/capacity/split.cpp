#include "studies/capacity/split.hpp"

#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/random/normal.hpp"
#include "perp/random/uniform.hpp"
#include "perp/vectors/positions.hpp"

namespace perp::capacity {
namespace {

double mean_square_length(const Matrix<double>& table) {
  double sum = 0;
  for (std::size_t i = 0; i < table.size(); ++i) sum += table.data()[i] * table.data()[i];
  return sum / static_cast<double>(rows(table));
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
  return std::sqrt(static_cast<double>(d) / static_cast<double>(width));
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
  double scale = std::sqrt(power / static_cast<double>(width));
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
  const Matrix<double> other = covariance(second);
  for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += other.data()[i];
  return symmetric_eigenvalues(std::move(sum));
}

}  // namespace perp::capacity
