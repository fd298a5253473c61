#include "perp/measures/reader.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "perp/base/functions.hpp"
#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/rows.hpp"

namespace perp {
namespace {

// A tile of scores is 1 MiB.
constexpr std::size_t tile_samples = 256, tile_rows = 1024;

/// What a sample's scores come to, tile by tile: Σ exp(ℓ_v - top), and ℓ of the sent row.
struct Sum {
  float top = -std::numeric_limits<float>::infinity(), sent = 0;
  double sum = 0;

  void add(const float* scores, std::size_t n) {
    const float most = std::max(top, largest_of(scores, n));
    sum = sum * std::exp(static_cast<double>(top) - static_cast<double>(most)) + sum_of_exp(scores, n, most);
    top = most;
  }
  LinearReader::Reading reading() const {
    return {std::log(sum) + static_cast<double>(top) - static_cast<double>(sent), sent >= top};
  }
};

/// Σ_j w_j x_vj²/2 of each row.
std::vector<float> half_squares(View<float> table, const std::vector<float>& weights) {
  std::vector<float> halves(table.rows);
  for (std::size_t v = 0; v < table.rows; ++v) {
    const std::span<const float> x = table.row(v);
    double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j)
      sum += static_cast<double>(weights[j] * x[j]) * static_cast<double>(x[j]);
    halves[v] = static_cast<float>(sum / 2);
  }
  return halves;
}

}  // namespace

Interference::Interference(View<float> other, std::span<const double> chances) {
  centred_ = centred(other);
  Matrix<float> weighted = centred_;
  if (!chances.empty()) {
    std::vector<double> mean(other.cols);
    for (std::size_t i = 0; i < other.rows; ++i)
      for (std::size_t j = 0; j < other.cols; ++j) mean[j] += chances[i] * double(centred_(i, j));
    for (std::size_t i = 0; i < other.rows; ++i)
      for (std::size_t j = 0; j < other.cols; ++j) {
        centred_(i, j) -= float(mean[j]);
        weighted(i, j) = float(std::sqrt(chances[i] * double(other.rows))) * centred_(i, j);
      }
  }
  Eigen<double> axes = symmetric_eigen(mean_outer_product(View<float>(weighted)));
  axes_ = converted<float>(axes.vectors);
  variances_ = std::move(axes.values);
}

Matrix<float> Interference::turned(View<float> rows) const {
  const std::size_t before = rows.cols - width();
  const Matrix<float> last =
      product_nt(View<float>(rows.data + before, rows.rows, width(), rows.stride), axes_);
  if (before == 0) return last;
  Matrix<float> turned = matrix<float>(rows.rows, rows.cols);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const auto to = std::ranges::copy(rows.row(i).first(before), row(turned, i).begin()).out;
    std::ranges::copy(row(last, i), to);
  }
  return turned;
}

Matrix<float> Interference::sent(const std::vector<std::size_t>& rows_sent) const {
  return product_nt(select_rows(centred_, rows_sent), axes_);
}

LinearReader::LinearReader(View<float> table, std::vector<std::size_t> sent, View<float> noise)
    : alone_(table), sent_(std::move(sent)) {
  own_ = select_rows(table, sent_);
  noise_ = converted<float>(noise);
}

LinearReader::LinearReader(View<float> table, std::vector<std::size_t> sent, View<float> noise,
                           const Interference& other, const std::vector<std::size_t>& other_sent)
    : sent_(std::move(sent)), variances_(other.variances()) {
  turned_ = other.turned(table);
  own_ = select_rows(turned_, sent_);
  noise_ = other.turned(noise);
  other_ = other.sent(other_sent);
}

std::vector<LinearReader::Reading> LinearReader::read(double noise, const Scales& scales,
                                                      std::span<const double> chances) const {
  const std::size_t d = cols(own_), n = sent_.size();
  const auto a = static_cast<float>(scales.word), b = static_cast<float>(scales.position),
             z = static_cast<float>(noise);
  const std::size_t before = d - variances_.size();  // coordinates in which nothing is beside
  std::vector<float> weights(d, static_cast<float>(1 / (noise * noise)));
  for (std::size_t j = 0; j < variances_.size(); ++j)
    weights[before + j] = static_cast<float>(
        1 / (noise * noise + scales.position * scales.position * std::max(variances_[j], 0.0)));
  Matrix<float> received = matrix<float>(n, d);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < d; ++j) {
      const float beside = j >= before ? b * other_(i, j - before) : 0.0F;
      received(i, j) = a * weights[j] * (a * own_(i, j) + beside + z * noise_(i, j));
    }
  std::vector<float> halves = half_squares(table(), weights);
  for (float& half : halves) half *= a * a;
  for (std::size_t v = 0; v < chances.size(); ++v) halves[v] -= float(std::log(chances[v]));

  std::vector<Sum> sums(n);
  Matrix<float> scores = matrix<float>(tile_samples, tile_rows);
  for (std::size_t row = 0; row < table().rows; row += tile_rows) {
    const View<float> some = block(table(), row, std::min(table().rows, row + tile_rows), d);
    for (std::size_t first = 0; first < n; first += tile_samples) {
      const std::size_t last = std::min(n, first + tile_samples);
      product_nt_into(block(received, first, last), some, scores.data());
      for (std::size_t i = first; i < last; ++i) {
        float* __restrict own = scores.data() + (i - first) * some.rows;
        for (std::size_t v = 0; v < some.rows; ++v) own[v] -= halves[row + v];
        sums[i].add(own, some.rows);
        if (sent_[i] >= row && sent_[i] - row < some.rows) sums[i].sent = own[sent_[i] - row];
      }
    }
  }
  std::vector<Reading> result;
  for (const Sum& sum : sums) result.push_back(sum.reading());
  return result;
}

Bits LinearReader::bits(double noise, const Scales& scales, std::span<const double> chances) const {
  std::vector<double> nats;
  for (const Reading& reading : read(noise, scales, chances)) nats.push_back(reading.nats);
  Bits bits = channel_bits(nats, table().rows);
  if (!chances.empty()) bits.value += entropy_bits(chances) - std::log2(double(table().rows));
  return bits;
}

double entropy_bits(std::span<const double> chances) {
  double bits = 0;
  for (const double chance : chances) bits -= chance * std::log2(chance);
  return bits;
}

}  // namespace perp
