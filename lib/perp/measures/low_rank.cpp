#include "perp/measures/low_rank.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perp/base/linalg.hpp"

namespace perp {
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

}  // namespace perp
