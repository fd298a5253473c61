#include "studies/inspect/portrait.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/inputs/trained_rows.hpp"

namespace perp::inspect {

double r2_apart(const LagStatistics& lags) {
  double entries = 0, sum = 0, within = 0, between = 0;
  for (std::size_t i = 1; i < lags.mean.size(); ++i) {
    const double n = lags.weight(i);
    entries += n;
    sum += n * lags.mean[i];
    within += lags.square_deviation[i] * n / double(lags.count[i]);
  }
  for (std::size_t i = 1; i < lags.mean.size(); ++i) {
    const double off = lags.mean[i] - sum / entries;
    between += lags.weight(i) * off * off;
  }
  // Products of orthogonal rows, or of equal ones, differ by rounding alone: of float32, as tables are stored.
  constexpr double rounding = 1e-13;
  const double square = lags.mean.front() * lags.mean.front();
  return between + within > rounding * entries * square ? between / (between + within) : NAN;
}

namespace {

std::vector<double> norms_of(View<double> table) {
  std::vector<double> norms;
  for (std::size_t t = 0; t < table.rows; ++t) {
    const double square = dot(table.row(t), table.row(t));
    require(square > 0, "portrait: row {} is 0; expected a direction", t);
    norms.push_back(std::sqrt(square));
  }
  return norms;
}

/// Share of the rows whose most similar other row lies right beside them.
double neighbours(View<double> table, const std::vector<double>& norms) {
  constexpr std::size_t tile = 256;
  std::size_t found = 0;
  for (std::size_t first = 0; first < table.rows; first += tile) {
    const std::size_t last = std::min(table.rows, first + tile);
    const Matrix<double> products = product_nt(block(table, first, last, table.cols), table);
    for (std::size_t t = first; t < last; ++t) {
      std::size_t best = t == 0 ? 1 : 0;
      for (std::size_t s = best + 1; s < table.rows; ++s)
        if (s != t && products(t - first, s) / norms[s] > products(t - first, best) / norms[best]) best = s;
      found += best + 1 == t || best == t + 1;
    }
  }
  return double(found) / double(table.rows);
}

}  // namespace

Portrait portrait(View<double> table) {
  require(table.rows >= 3, "portrait: {} positions; expected at least 3", table.rows);
  Portrait out;
  out.r99 = effective_dimension(spectrum(table, Centring::centred)).r99;
  const LagStatistics lags = lag_statistics(table, 1);
  out.r2_apart = r2_apart(lags);
  for (const double mean : lags.mean) out.kernel.push_back(mean / lags.mean.front());
  out.neighbours = neighbours(table, norms_of(table));
  return out;
}

double kernel_departure(std::span<const double> kernel, std::span<const double> other) {
  double largest = 0;
  for (std::size_t k = 1; 2 * k <= kernel.size(); ++k)
    largest = std::max(largest, std::abs(kernel[k] - other[k]));
  return largest;
}

std::optional<BesideSinusoid> trained_beside_sinusoid(const Matrix<double>& table) {
  const RowRange run = trained_run(trained_rows(row_norms(table)));
  const View<double> left = block(table, run.first, run.last);
  bool vary = false;
  for (std::size_t t = 1; t < left.rows; ++t) vary |= !std::ranges::equal(left.row(t), left.row(0));
  if (left.rows < 3 || !vary) return std::nullopt;
  return BesideSinusoid{portrait(left), portrait(sinusoidal<double>(left.rows, left.cols))};
}

}  // namespace perp::inspect
