#include "perp/measures/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "perp/base/error.hpp"
#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"

namespace perp {
namespace {

/// The Gram matrix with the nonzero eigenvalues of the covariance, times n.
Matrix<double> smaller_gram(View<double> table, const std::vector<double>& origin) {
  if (table.rows < table.cols) return gram_rows(less_row(table, origin));
  constexpr std::size_t tile = 2048;
  Matrix<double> sum = zeros<double>(table.cols, table.cols);
  for (std::size_t first = 0; first < table.rows; first += tile) {
    const std::size_t last = std::min(table.rows, first + tile);
    const Matrix<double> part = gram_columns(less_row(block(table, first, last, table.cols), origin));
    for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += part.data()[i];
  }
  return sum;
}

}  // namespace

std::vector<double> spectrum(View<double> table, Centring centring) {
  const std::vector<double> origin =
      centring == Centring::centred ? column_means(table) : std::vector<double>(table.cols, 0.0);
  std::vector<double> values = symmetric_eigenvalues(smaller_gram(table, origin));
  std::reverse(values.begin(), values.end());
  for (double& value : values) value = std::max(0.0, value / static_cast<double>(table.rows));
  return values;
}

EffectiveDimension effective_dimension(std::span<const double> eigenvalues) {
  double sum = 0, sum_square = 0;
  for (std::size_t i = 0; i < eigenvalues.size(); ++i) {
    sum += eigenvalues[i];
    sum_square += eigenvalues[i] * eigenvalues[i];
  }
  require(sum > 0, "effective_dimension: all {} eigenvalues are 0", eigenvalues.size());
  const auto fewest = [&](double share) {
    double partial = 0;
    for (std::size_t i = 0; i < eigenvalues.size(); ++i) {
      partial += eigenvalues[i];
      if (partial >= share * sum) return i + 1;
    }
    return eigenvalues.size();
  };
  return {sum / eigenvalues[0], sum * sum / sum_square, fewest(0.9), fewest(0.99), fewest(0.999)};
}

std::size_t numerical_rank(std::span<const double> eigenvalues, double determined) {
  const double largest = eigenvalues.empty() ? 0 : std::ranges::max(eigenvalues);
  return static_cast<std::size_t>(
      std::ranges::count_if(eigenvalues, [=](double value) { return value > determined * largest; }));
}

std::size_t numerical_rank(const Matrix<double>& covariance, double determined) {
  return numerical_rank(symmetric_eigenvalues(covariance), determined);
}

namespace {

/// out -= Σ factor[q][column] factor[q] over four rows q from r on, n apart: `out` is then read and written a
/// quarter as often.
void remove_four(const double* __restrict r, std::size_t n, std::size_t column, double* __restrict out) {
  const double a = r[column], b = r[n + column], c = r[2 * n + column], d = r[3 * n + column];
  for (std::size_t i = 0; i < n; ++i)
    out[i] -= a * r[i] + b * r[n + i] + (c * r[2 * n + i] + d * r[3 * n + i]);
}

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// Share of the trace that may be left out: ten million times less than r99.9 leaves out.
constexpr double left_out = 1e-10;

/// Leading eigenvalues, descending, of the positive semidefinite n x n matrix of these entries. Pivoted Cholesky
/// stops after r columns, when what it leaves has a trace of at most `left_out` times the matrix's trace (Harbrecht,
/// Peters & Schneider 2012, Appl. Numer. Math. 62, 428); r values come back. What is left is itself positive
/// semidefinite, so by Weyl's inequality each value is at most left_out·trace below the true one and never above it,
/// and all the missing ones sum to no more than that (rounding apart, some 1e-16·n·trace). Cost n r² + r³ and r
/// columns, where a dense solution costs n³ and n.
std::vector<double> low_rank_eigenvalues(std::size_t n,
                                         const std::function<double(std::size_t, std::size_t)>& entry) {
  std::vector<double> diagonal(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double square = entry(i, i);
    diagonal[i] = square < 0 ? 0 : square;  // below 0 by rounding only
  }
  const double enough = left_out * sum_of(diagonal);
  std::vector<double> factor;  // rank x n, row-major
  std::size_t rank = 0;
  while (rank < n && sum_of(diagonal) > enough) {
    const auto top = std::max_element(diagonal.begin(), diagonal.end());
    const auto pivot = static_cast<std::size_t>(top - diagonal.begin());
    const double root = std::sqrt(*top);
    factor.resize((rank + 1) * n);
    const std::span<double> next(factor.data() + rank * n, n);
    for (std::size_t i = 0; i < n; ++i) next[i] = entry(i, pivot);
    std::size_t q = 0;
    for (; q + 4 <= rank; q += 4) remove_four(factor.data() + q * n, n, pivot, next.data());
    for (; q < rank; ++q) {
      const double *r = factor.data() + q * n, a = r[pivot];
      for (std::size_t i = 0; i < n; ++i) next[i] -= a * r[i];
    }
    for (std::size_t i = 0; i < n; ++i) {
      next[i] /= root;
      diagonal[i] = std::max(diagonal[i] - next[i] * next[i], 0.0);
    }
    diagonal[pivot] = 0;  // exactly: no pivot is taken twice
    ++rank;
  }
  std::vector<double> values = symmetric_eigenvalues(gram_rows(View<double>(factor.data(), rank, n, n)));
  std::reverse(values.begin(), values.end());
  for (double& value : values) value = std::max(0.0, value);
  return values;
}

/// D(ω_i ± ω_j)/L for all pairs, from 4 sines and cosines per frequency.
class Kernel {
 public:
  Kernel(std::span<const double> frequencies, std::size_t positions)
      : omega_(frequencies.begin(), frequencies.end()), length_(static_cast<double>(positions)) {
    for (const double w : omega_) {
      top_.push_back(sine_and_cosine(length_ * w / 2));
      bottom_.push_back(sine_and_cosine(w / 2));
    }
  }

  std::size_t size() const { return omega_.size(); }
  /// D(x)/L; D's limit at 0 is L.
  double at(double x) const { return x == 0 ? 1 : std::sin(length_ * x / 2) / (length_ * std::sin(x / 2)); }
  double at_frequency(std::size_t i) const { return at(omega_[i]); }
  double at_sum(std::size_t i, std::size_t j) const {
    const double bottom = bottom_[i].sin * bottom_[j].cos + bottom_[i].cos * bottom_[j].sin;
    if (bottom == 0) return 1;
    return (top_[i].sin * top_[j].cos + top_[i].cos * top_[j].sin) / (length_ * bottom);
  }
  double at_difference(std::size_t i, std::size_t j) const {
    const double x = omega_[i] - omega_[j];
    // The subtraction below would cancel: for close frequencies x itself is exact and its sine is not.
    if (std::abs(x) <= close * omega_[i]) return at(x);
    const double bottom = bottom_[i].sin * bottom_[j].cos - bottom_[i].cos * bottom_[j].sin;
    return (top_[i].sin * top_[j].cos - top_[i].cos * top_[j].sin) / (length_ * bottom);
  }

 private:
  static constexpr double close = 1e-3;
  struct SineAndCosine {
    double sin, cos;
  };
  static SineAndCosine sine_and_cosine(double x) { return {std::sin(x), std::cos(x)}; }

  std::vector<double> omega_;
  double length_;
  std::vector<SineAndCosine> top_, bottom_;
};

std::vector<double> merged(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> all(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), all.begin(), std::greater<>());
  return all;
}

}  // namespace

SinusoidSpectra sinusoid_spectra(std::span<const double> frequencies, std::size_t positions) {
  const Kernel d(frequencies, positions);
  std::vector<double> mean(d.size());
  for (std::size_t i = 0; i < d.size(); ++i) mean[i] = d.at_frequency(i);
  const auto sines = [&](std::size_t i, std::size_t j) {
    return (d.at_difference(i, j) - d.at_sum(i, j)) / 2;
  };
  const auto cosines = [&](std::size_t i, std::size_t j) {
    return (d.at_difference(i, j) + d.at_sum(i, j)) / 2;
  };
  const auto centred = [&](std::size_t i, std::size_t j) { return cosines(i, j) - mean[i] * mean[j]; };
  const std::vector<double> odd = low_rank_eigenvalues(d.size(), sines);
  return {merged(low_rank_eigenvalues(d.size(), cosines), odd),
          merged(low_rank_eigenvalues(d.size(), centred), odd)};
}

}  // namespace perp
