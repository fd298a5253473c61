#include "studies/distance/q2_readout.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "perp/base/linalg.hpp"

namespace perp::distance {
namespace {

constexpr double ridge = 1e-9;

double real(std::size_t n) { return static_cast<double>(n); }

std::vector<double> column_means(View<double> y) {
  std::vector<double> mean(y.cols, 0.0);
  for (std::size_t r = 0; r < y.rows; ++r)
    for (std::size_t j = 0; j < y.cols; ++j) mean[j] += y(r, j) / real(y.rows);
  return mean;
}

/// Weights of the least squares fit on centred rows; `moments`: Σ (t - t̄)(y - ȳ).
std::vector<double> solve(Matrix<double> gram, const std::vector<double>& moments) {
  const std::size_t d = moments.size();
  double trace = 0;
  for (std::size_t j = 0; j < d; ++j) trace += gram(j, j);
  for (std::size_t j = 0; j < d; ++j) gram(j, j) += ridge * trace / real(d);
  const Matrix<double> lower = cholesky(gram);
  require(lower.size() > 0, "readout_r2: {} dimensions that do not vary", d);
  Matrix<double> right = matrix<double>(d, 1);
  std::copy(moments.begin(), moments.end(), right.data());
  const Matrix<double> half = solve_lower(lower, right);
  // Lᵀ w = half, from the last row up.
  std::vector<double> weights(half.data(), half.data() + d);
  for (std::size_t i = d; i-- > 0;) {
    weights[i] /= lower(i, i);
    for (std::size_t j = 0; j < i; ++j) weights[j] -= lower(i, j) * weights[i];
  }
  return weights;
}

}  // namespace

double readout_r2(const Matrix<double>& y, const std::vector<std::uint32_t>& places, std::size_t train) {
  const std::size_t n = rows(y), d = cols(y);
  require(places.size() == n && train > d && train + 1 < n,
          "readout_r2: {} rows of {} dimensions, {} places, {} to learn from", n, d, places.size(), train);
  const std::vector<double> mean = column_means(block(y, 0, train));
  Matrix<double> centred = matrix<double>(train, d);
  std::vector<double> moments(d, 0.0);
  double middle = 0;
  for (std::size_t r = 0; r < train; ++r) middle += places[r] / real(train);
  for (std::size_t r = 0; r < train; ++r)
    for (std::size_t j = 0; j < d; ++j) {
      centred(r, j) = y(r, j) - mean[j];
      moments[j] += (places[r] - middle) * centred(r, j);
    }
  const std::vector<double> weights = solve(gram_columns(View<double>(centred)), moments);
  double tested = 0, left = 0, all = 0;
  for (std::size_t r = train; r < n; ++r) tested += places[r] / real(n - train);
  for (std::size_t r = train; r < n; ++r) {
    double guess = middle;
    for (std::size_t j = 0; j < d; ++j) guess += weights[j] * (y(r, j) - mean[j]);
    left += (places[r] - guess) * (places[r] - guess);
    all += (places[r] - tested) * (places[r] - tested);
  }
  return 1 - left / all;
}

double held_out_r2(double population, std::size_t train, std::size_t dimensions) {
  const double n = real(train), p = real(dimensions);
  require(n > p + 2, "held_out_r2: {} rows for {} dimensions; expected more than 2 above", train, dimensions);
  return 1 - (1 - population) * (n + 1) * (n - 2) / (n * (n - p - 2));
}

double nearest_share(const Matrix<double>& y, const Matrix<double>& table,
                     const std::vector<std::uint32_t>& places) {
  require(rows(y) == places.size() && rows(y) > 0, "nearest_share: {} rows, {} places", rows(y),
          places.size());
  std::vector<double> inverse;
  for (std::size_t s = 0; s < rows(table); ++s) {
    double sum = 0;
    for (const double x : row(table, s)) sum += x * x;
    inverse.push_back(sum > 0 ? 1 / std::sqrt(sum) : 0);
  }
  const Matrix<double> products = product_nt<double>(y, table);
  std::size_t right = 0;
  for (std::size_t r = 0; r < rows(y); ++r) {
    std::size_t best = 0;
    for (std::size_t s = 1; s < rows(table); ++s)
      if (products(r, s) * inverse[s] > products(r, best) * inverse[best]) best = s;
    right += best == places[r];
  }
  return real(right) / real(rows(y));
}

}  // namespace perp::distance
