// The null law of the Kolmogorov–Smirnov statistic.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include "perp/base/error.hpp"
#include "perp/base/special.hpp"
#include "perp/statistics/kolmogorov.hpp"

namespace perp {
namespace {

/// P(D_n⁺ >= d) = Σ_j C(n,j) q^(n-j) p^(j-1) d with p = d + j/n, q = 1 - p (Birnbaum & Tingey 1951, Ann.
/// Math. Statist. 22:592): d/p times a binomial probability.
double one_sided_tail(std::uint64_t n, double d) {
  const double count = static_cast<double>(n);
  double sum = 0;
  for (std::uint64_t j = 0; j <= n; ++j) {
    const double share = static_cast<double>(j) / count, p = d + share;
    if (p >= 1) break;
    const double k = static_cast<double>(j);
    // Extended precision costs ten times as much and these sums do not need it.
    sum += d / p * special::ibeta_derivative_fast(k + 1, count - k + 1, p) / (count + 1);
  }
  return sum;
}

struct SquareMatrix {
  std::size_t size;
  std::vector<double> values;

  explicit SquareMatrix(std::size_t size_) : size(size_), values(size_ * size_, 0.0) {}
  double& operator()(std::size_t i, std::size_t j) { return values[i * size + j]; }
  double operator()(std::size_t i, std::size_t j) const { return values[i * size + j]; }
};

SquareMatrix times(const SquareMatrix& a, const SquareMatrix& b) {
  SquareMatrix result(a.size);
  for (std::size_t i = 0; i < a.size; ++i)
    for (std::size_t k = 0; k < a.size; ++k)
      for (std::size_t j = 0; j < a.size; ++j) result(i, j) += a(i, k) * b(k, j);
  return result;
}

SquareMatrix power(SquareMatrix base, std::uint64_t exponent) {
  SquareMatrix result(base.size);
  for (std::size_t i = 0; i < base.size; ++i) result(i, i) = 1;
  while (true) {
    if (exponent & 1) result = times(result, base);
    exponent >>= 1;
    if (exponent == 0) return result;
    base = times(base, base);
  }
}

/// For n <= 256, where no entry of Hⁿ comes near the range of double:
/// P(D_n < d) = n!/nⁿ · (Hⁿ)_kk with n d = k - h, 0 <= h < 1, and H of Marsaglia, Tsang & Wang 2003:
/// 1/(i-j+1)! on and below the superdiagonal, less powers of h in the first column and the last row.
double two_sided_cdf(std::uint64_t n, double d) {
  const double scaled = static_cast<double>(n) * d;
  const std::size_t k = static_cast<std::size_t>(scaled) + 1, size = 2 * k - 1;
  const double h = static_cast<double>(k) - scaled;
  SquareMatrix matrix(size);
  std::vector<double> factorial(size + 1, 1.0), powers(size + 1, 1.0);
  for (std::size_t i = 1; i <= size; ++i) {
    factorial[i] = factorial[i - 1] * static_cast<double>(i);
    powers[i] = powers[i - 1] * h;
  }
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < std::min(i + 2, size); ++j) matrix(i, j) = 1;
  for (std::size_t i = 0; i < size; ++i) {
    matrix(i, 0) -= powers[i + 1];
    matrix(size - 1, i) -= powers[size - i];
  }
  matrix(size - 1, 0) += std::pow(std::max(0.0, 2 * h - 1), static_cast<double>(size));
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < std::min(i + 2, size); ++j) matrix(i, j) /= factorial[i + 1 - j];

  const SquareMatrix result = power(std::move(matrix), n);
  double probability = result(k - 1, k - 1);
  for (std::uint64_t i = 1; i <= n; ++i) probability *= static_cast<double>(i) / static_cast<double>(n);
  return probability;
}

}  // namespace

double kolmogorov_p(double x) {
  require(x >= 0, "kolmogorov_p: argument {}, expected 0 or more", x);
  if (x < 0.1) return 1;  // short of 1 by less than 1e-50
  double sum = 0;
  if (x < 1) {
    const double decay = std::numbers::pi * std::numbers::pi / (8 * x * x);
    for (int k = 1; k <= 9; k += 2) sum += std::exp(-decay * k * k);
    return 1 - std::sqrt(2 * std::numbers::pi) / x * sum;
  }
  for (int k = 5; k >= 1; --k) sum += (k % 2 == 1 ? 2 : -2) * std::exp(-2 * x * x * k * k);
  return sum;
}

double ks_p_value(std::uint64_t n, double d) {
  require(n > 0 && d >= 0 && d <= 1,
          "ks_p_value: distance {} of {} values, expected 0 … 1 and at least one value", d, n);
  const double count = static_cast<double>(n);
  constexpr std::uint64_t most_exact = 256, most_summed = std::uint64_t{1} << 17;
  const bool exact = n <= most_exact;
  // Above one half the two one-sided events exclude each other: twice the tail is exact.
  if (n <= most_summed && (d >= 0.5 || count * d * d >= (exact ? 5 : 2)))
    return std::min(1.0, 2 * one_sided_tail(n, d));
  if (exact) return std::clamp(1 - two_sided_cdf(n, d), 0.0, 1.0);
  const double root = std::sqrt(count), x = root * d;
  return kolmogorov_p(std::max(0.0, x + 1 / (6 * root) + (x - 1) / (4 * count)));
}

}  // namespace perp
