#include "perp/measures/low_rank.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"

namespace perp {
namespace {

/// out -= Σ_q factor[q][pivot] factor[q], four rows at a time: `out` is then read and written a quarter as
/// often.
void remove_known(const std::vector<double>& factor, std::size_t rank, std::size_t pivot,
                  std::span<double> out) {
  const std::size_t n = out.size();
  const double* r = factor.data();
  std::size_t q = 0;
  for (; q + 4 <= rank; q += 4, r += 4 * n) {
    const double a = r[pivot], b = r[n + pivot], c = r[2 * n + pivot], d = r[3 * n + pivot];
    for (std::size_t i = 0; i < n; ++i)
      out[i] -= a * r[i] + b * r[n + i] + (c * r[2 * n + i] + d * r[3 * n + i]);
  }
  for (; q < rank; ++q, r += n) {
    const double a = r[pivot];
    for (std::size_t i = 0; i < n; ++i) out[i] -= a * r[i];
  }
}

double sum_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double x : values) sum += x;
  return sum;
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
  while (rank < n && sum_of(diagonal) > enough) {
    const auto top = std::max_element(diagonal.begin(), diagonal.end());
    const auto pivot = static_cast<std::size_t>(top - diagonal.begin());
    const double root = std::sqrt(*top);
    factor.resize((rank + 1) * n);
    const std::span<double> next(factor.data() + rank * n, n);
    column(pivot, next);
    remove_known(factor, rank, pivot, next);
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
