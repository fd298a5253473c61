#include "perp/measures/concentration.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "perp/base/error.hpp"
#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/base/parallel.hpp"
#include "perp/random/draws.hpp"

namespace perp {
namespace {

constexpr double counted = 1e-12;

double checked_sum(std::span<const double> values) {
  for (const double v : values)
    require(std::isfinite(v) && v >= 0, "variances: {} is none; expected finite numbers from 0", v);
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  require(sum > 0, "variances: {} of them, none above 0", values.size());
  return sum;
}

/// Rows of a uniform random rotation: r x d orthonormal ones. The rows of `normal` are as likely in any
/// rotation, and the Cholesky factor of their products is the same in all of them.
Matrix<double> frame_of(const Matrix<double>& normal) {
  return solve_lower(cholesky(gram_rows(normal)), normal);
}

}  // namespace

std::size_t leading_columns(std::size_t d) {
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(0.05 * static_cast<double>(d))));
}

Concentration concentration(std::span<const double> variances) {
  const double sum = checked_sum(variances);
  double square = 0;  // of shares: a square of tiny variances would vanish
  for (const double v : variances) square += (v / sum) * (v / sum);
  std::vector<double> sorted(variances.begin(), variances.end());
  std::ranges::sort(sorted, std::greater());
  const auto leading = static_cast<std::ptrdiff_t>(leading_columns(variances.size()));
  return {1 / square, std::accumulate(sorted.begin(), sorted.begin() + leading, 0.0) / sum};
}

std::vector<double> variance_shares(const Matrix<double>& covariance) {
  std::vector<double> shares;
  for (std::size_t i = 0; i < rows(covariance); ++i) shares.push_back(covariance(i, i));
  const double sum = checked_sum(shares);
  for (double& share : shares) share /= sum;
  return shares;
}

std::vector<std::size_t> columns_holding(std::span<const double> shares, double part) {
  std::vector<std::size_t> order(shares.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t j) { return shares[j]; });
  double held = 0;
  for (std::size_t count = 0; count < order.size(); ++count) {
    if (held >= part) return {order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count)};
    held += shares[order[count]];
  }
  return order;
}

std::vector<double> column_variances(const Matrix<double>& table) {
  const std::vector<double> mean = column_means(table);
  std::vector<double> out(cols(table), 0.0);
  for (std::size_t i = 0; i < rows(table); ++i)
    for (std::size_t j = 0; j < out.size(); ++j) {
      const double away = table(i, j) - mean[j];
      out[j] += away * away / static_cast<double>(rows(table));
    }
  return out;
}

std::vector<Concentration> turned_concentrations(std::span<const double> eigenvalues, std::size_t draws,
                                                 const Stream& stream, std::size_t threads) {
  const std::size_t d = eigenvalues.size();
  const double sum = checked_sum(eigenvalues);
  std::vector<double> large(eigenvalues.begin(), eigenvalues.end());
  std::erase_if(large, [=](double value) { return value <= counted * sum; });
  std::vector<Concentration> out(draws);
  parallel_for(draws, threads, [&](std::size_t draw) {
    const Matrix<double> frame =
        frame_of(normal_matrix<double>(large.size(), d, stream, draw * large.size() * d));
    std::vector<double> variances(d, 0.0);
    for (std::size_t i = 0; i < large.size(); ++i)
      for (std::size_t j = 0; j < d; ++j) variances[j] += large[i] * frame(i, j) * frame(i, j);
    out[draw] = concentration(variances);
  });
  return out;
}

}  // namespace perp
