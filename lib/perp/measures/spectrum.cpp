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

/// Rows first … last-1 less `origin`, in float64.
template <class T>
Matrix<double> rows_about(View<T> table, std::size_t first, std::size_t last,
                          const std::vector<double>& origin) {
  Matrix<double> out = matrix<double>(last - first, table.cols);
  for (std::size_t i = first; i < last; ++i) {
    const std::span<const T> from = table.row(i);
    const std::span<double> to = row(out, i - first);
    for (std::size_t j = 0; j < table.cols; ++j) {
      to[j] = from[j] - origin[j];
      require(std::isfinite(to[j]),
              "spectrum: entry ({}, {}) of the {} x {} table is {}; finite values were expected", i, j,
              table.rows, table.cols, from[j]);
    }
  }
  return out;
}

/// The Gram matrix with the nonzero eigenvalues of the covariance, times n.
template <class T>
Matrix<double> smaller_gram(View<T> table, const std::vector<double>& origin) {
  if (table.rows < table.cols) return gram_rows(rows_about(table, 0, table.rows, origin));
  constexpr std::size_t tile = 2048;
  Matrix<double> sum = zeros<double>(table.cols, table.cols);
  for (std::size_t first = 0; first < table.rows; first += tile) {
    const std::size_t last = std::min(table.rows, first + tile);
    const Matrix<double> part = gram_columns(rows_about(table, first, last, origin));
    for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += part.data()[i];
  }
  return sum;
}

}  // namespace

template <class T>
std::vector<double> spectrum(View<T> table, Centring centring) {
  require(table.rows > 0 && table.cols > 0, "spectrum: an empty table, {} x {}", table.rows, table.cols);
  std::vector<double> origin(table.cols, 0.0);
  if (centring == Centring::centred) {
    origin = column_means(table);
    for (std::size_t j = 0; j < table.cols; ++j)
      require(std::isfinite(origin[j]),
              "spectrum: column {} of the {} x {} table holds values that are not finite", j, table.rows,
              table.cols);
  }
  std::vector<double> values = symmetric_eigenvalues(smaller_gram(table, origin));
  std::reverse(values.begin(), values.end());
  for (double& value : values) value = std::max(0.0, value / static_cast<double>(table.rows));
  return values;
}
std::vector<double> spectrum(View<float> table, Centring centring) {
  return spectrum<float>(table, centring);
}
std::vector<double> spectrum(View<double> table, Centring centring) {
  return spectrum<double>(table, centring);
}

EffectiveDimension effective_dimension(std::span<const double> eigenvalues) {
  double sum = 0, sum_square = 0;
  for (std::size_t i = 0; i < eigenvalues.size(); ++i) {
    const double value = eigenvalues[i];
    require(
        std::isfinite(value) && value >= 0 && (i == 0 || value <= eigenvalues[i - 1]),
        "effective_dimension: eigenvalue {} of {} is {} after {}; descending ones from 0 up were expected", i,
        eigenvalues.size(), value, i == 0 ? value : eigenvalues[i - 1]);
    sum += value;
    sum_square += value * value;
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

/// Up to this rank the factor is small, and columns that turn out to be no pivots would cost more than they
/// save.
constexpr std::size_t alone = 64;

/// A column of what is left, less the factor's first `known` rows.
struct Column {
  std::size_t index, known;
  std::vector<double> values;
};

/// out -= Σ factor[q][column] factor[q] over four rows q from r on, n apart: `out` is then read and written a
/// quarter as often.
void remove_four(const double* __restrict r, std::size_t n, std::size_t column, std::size_t first,
                 std::size_t last, double* __restrict out) {
  const double a = r[column], b = r[n + column], c = r[2 * n + column], d = r[3 * n + column];
  for (std::size_t i = first; i < last; ++i)
    out[i] -= a * r[i] + b * r[n + i] + (c * r[2 * n + i] + d * r[3 * n + i]);
}

/// The same from two columns at once, whose rows are then read once.
void remove_four(const double* __restrict r, std::size_t n, std::size_t one, std::size_t two,
                 std::size_t first, std::size_t last, double* __restrict out, double* __restrict other) {
  const double a = r[one], b = r[n + one], c = r[2 * n + one], d = r[3 * n + one];
  const double e = r[two], f = r[n + two], g = r[2 * n + two], h = r[3 * n + two];
  for (std::size_t i = first; i < last; ++i) {
    out[i] -= a * r[i] + b * r[n + i] + (c * r[2 * n + i] + d * r[3 * n + i]);
    other[i] -= e * r[i] + f * r[n + i] + (g * r[2 * n + i] + h * r[3 * n + i]);
  }
}

/// Takes the rows that columns lack, up to the last multiple of four below `rank`, from all of them while a
/// piece of a row is in the cache: the factor is too large for it.
void catch_up(const std::vector<double>& factor, std::size_t rank, std::vector<Column>& columns) {
  constexpr std::size_t piece = 1024;
  const std::size_t n = columns.front().values.size(), known = rank / 4 * 4;
  // Those that lack most come first, so that at every row the ones that lack it are the first ones.
  std::ranges::stable_sort(columns, {}, &Column::known);
  for (std::size_t first = 0; first < n; first += piece) {
    const std::size_t last = std::min(n, first + piece);
    std::size_t lacking = 0;
    for (std::size_t q = 0; q < known; q += 4) {
      const double* r = factor.data() + q * n;
      while (lacking < columns.size() && columns[lacking].known <= q) ++lacking;
      std::size_t c = 0;
      for (; c + 2 <= lacking; c += 2)
        remove_four(r, n, columns[c].index, columns[c + 1].index, first, last, columns[c].values.data(),
                    columns[c + 1].values.data());
      if (c < lacking) remove_four(r, n, columns[c].index, first, last, columns[c].values.data());
    }
  }
  for (Column& column : columns) column.known = known;
}

/// The largest diagonal entry, then its largest other local maxima: where the next pivots will be.
std::vector<std::size_t> likely_pivots(const std::vector<double>& diagonal, std::size_t top) {
  constexpr std::size_t most = 8;
  const std::size_t n = diagonal.size();
  std::vector<std::size_t> peaks;
  for (std::size_t i = 0; i < n; ++i)
    if (i != top && diagonal[i] > 0 && (i == 0 || diagonal[i] > diagonal[i - 1]) &&
        (i + 1 == n || diagonal[i] >= diagonal[i + 1]))
      peaks.push_back(i);
  const std::size_t kept = std::min(peaks.size(), most - 1);
  std::partial_sort(peaks.begin(), peaks.begin() + static_cast<std::ptrdiff_t>(kept), peaks.end(),
                    [&](std::size_t a, std::size_t b) { return diagonal[a] > diagonal[b]; });
  peaks.resize(kept);
  peaks.insert(peaks.begin(), top);
  return peaks;
}

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

std::vector<double> low_rank_eigenvalues(std::vector<double> diagonal,
                                         const std::function<void(std::size_t, std::span<double>)>& column,
                                         double tolerance) {
  const std::size_t n = diagonal.size();
  require(n > 0, "low_rank_eigenvalues: an empty diagonal");
  require(tolerance > 0 && tolerance < 1, "low_rank_eigenvalues: tolerance {}, expected between 0 and 1",
          tolerance);
  for (std::size_t i = 0; i < n; ++i)
    require(std::isfinite(diagonal[i]) && diagonal[i] >= 0,
            "low_rank_eigenvalues: entry {} of the diagonal of {} is {}; finite ones from 0 up were expected",
            i, n, diagonal[i]);
  const double enough = tolerance * sum_of(diagonal);
  std::vector<double> factor;  // rank x n, row-major
  std::size_t rank = 0;
  // A pivot's column costs a pass over the factor. Columns that are likely to be next take part in it.
  std::vector<Column> ahead;
  while (rank < n && sum_of(diagonal) > enough) {
    const auto top = std::max_element(diagonal.begin(), diagonal.end());
    const auto pivot = static_cast<std::size_t>(top - diagonal.begin());
    const double root = std::sqrt(*top);
    factor.resize((rank + 1) * n);
    const std::span<double> next(factor.data() + rank * n, n);
    auto found = std::ranges::find(ahead, pivot, &Column::index);
    if (found == ahead.end()) {
      std::vector<Column> wanted;
      for (const std::size_t index :
           rank < alone ? std::vector<std::size_t>{pivot} : likely_pivots(diagonal, pivot)) {
        const auto begun = std::ranges::find(ahead, index, &Column::index);
        if (begun != ahead.end()) {
          wanted.push_back(std::move(*begun));
          begun->index = n;
          continue;
        }
        wanted.push_back({index, 0, std::vector<double>(n)});
        column(index, wanted.back().values);
      }
      ahead = std::move(wanted);
      catch_up(factor, rank, ahead);
      found = std::ranges::find(ahead, pivot, &Column::index);
    }
    std::ranges::copy(found->values, next.begin());
    std::size_t q = found->known;
    for (; q + 4 <= rank; q += 4) remove_four(factor.data() + q * n, n, pivot, 0, n, next.data());
    for (; q < rank; ++q) {
      const double *r = factor.data() + q * n, a = r[pivot];
      for (std::size_t i = 0; i < n; ++i) next[i] -= a * r[i];
    }
    for (std::size_t i = 0; i < n; ++i) {
      next[i] /= root;
      const double left = diagonal[i] - next[i] * next[i];
      diagonal[i] = left < 0 ? 0 : left;  // NaN stays, and is refused below
    }
    diagonal[pivot] = 0;  // exactly: no pivot is taken twice
    ++rank;
  }
  std::vector<double> values = symmetric_eigenvalues(gram_rows(View<double>(factor.data(), rank, n, n)));
  std::reverse(values.begin(), values.end());
  for (double& value : values) value = std::max(0.0, value);
  return values;
}

namespace {

/// Share of the trace that may be left out: ten million times less than r99.9 leaves out.
constexpr double left_out = 1e-10;

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

std::vector<double> eigenvalues(std::size_t size,
                                const std::function<double(std::size_t, std::size_t)>& entry) {
  std::vector<double> diagonal(size);
  for (std::size_t i = 0; i < size; ++i) {
    const double square = entry(i, i);
    diagonal[i] = square < 0 ? 0 : square;  // below 0 by rounding only
  }
  const auto column = [&](std::size_t j, std::span<double> out) {
    for (std::size_t i = 0; i < size; ++i) out[i] = entry(i, j);
  };
  return low_rank_eigenvalues(std::move(diagonal), column, left_out);
}

std::vector<double> merged(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> all(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), all.begin(), std::greater<>());
  return all;
}

}  // namespace

SinusoidSpectra sinusoid_spectra(std::span<const double> frequencies, std::size_t positions) {
  require(!frequencies.empty() && positions > 0,
          "sinusoid_spectra: {} frequencies, {} positions; at least one of each", frequencies.size(),
          positions);
  for (std::size_t i = 0; i < frequencies.size(); ++i)
    // Beyond π the table is that of a lower frequency, and at 2π D's closed form is 0/0.
    require(frequencies[i] >= 0 && frequencies[i] <= 3,
            "sinusoid_spectra: frequency {} is {}, expected within [0, 3]", i, frequencies[i]);
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
  const std::vector<double> odd = eigenvalues(d.size(), sines);
  return {merged(eigenvalues(d.size(), cosines), odd), merged(eigenvalues(d.size(), centred), odd)};
}

}  // namespace perp
