#include "studies/distance/q4_portrait.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/measures/kernel.hpp"

namespace perp::distance {
namespace {

/// Share of the variance that the lag explains among pairs of different rows.
double r2_apart(const LagStatistics& lags) {
  const std::size_t zero = lags.at(0);
  double entries = 0, sum = 0, within = 0, between = 0;
  for (std::size_t i = 0; i < lags.mean.size(); ++i) {
    if (i == zero) continue;
    const double n = lags.weight(i);
    entries += n;
    sum += n * lags.mean[i];
    within += lags.square_deviation[i] * n / static_cast<double>(lags.count[i]);
  }
  for (std::size_t i = 0; i < lags.mean.size(); ++i) {
    const double off = lags.mean[i] - sum / entries;
    if (i != zero) between += lags.weight(i) * off * off;
  }
  return between / (between + within);
}

std::vector<double> norms_of(View<double> table) {
  std::vector<double> norms;
  for (std::size_t t = 0; t < table.rows; ++t) {
    double sum = 0;
    for (const double x : table.row(t)) sum += x * x;
    require(sum > 0, "portrait: row {} is 0; expected a direction", t);
    norms.push_back(std::sqrt(sum));
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
  return static_cast<double>(found) / static_cast<double>(table.rows);
}

std::vector<double> shares_left(const std::vector<double>& spectrum) {
  std::vector<double> left(spectrum.size());
  double sum = 0;
  for (std::size_t r = spectrum.size(); r-- > 0;) {
    left[r] = sum;
    sum += spectrum[r];
  }
  for (double& share : left) share /= sum;
  return left;
}

}  // namespace

Portrait portrait(View<double> table) {
  require(table.rows >= 3, "portrait: {} positions; expected at least 3", table.rows);
  Portrait out;
  const std::vector<double> centred = spectrum(table, Centring::centred);
  out.centred = effective_dimension(centred);
  out.as_is = effective_dimension(spectrum(table, Centring::as_is));
  out.left = shares_left(centred);
  const LagStatistics lags = lag_statistics<double>(table, 1);
  out.toeplitz_defect = toeplitz_defect(lags);
  out.r2 = toeplitz_r2(lags);
  out.r2_apart = r2_apart(lags);
  for (std::size_t k = 0; k < table.rows; ++k)
    out.kernel.push_back(lags.mean[lags.at(static_cast<std::int64_t>(k))] / lags.mean[lags.at(0)]);
  out.norms = norms_of(table);
  out.neighbours = neighbours(table, out.norms);
  double square = 0;
  for (const double norm : out.norms) out.norm += norm / static_cast<double>(table.rows);
  for (const double norm : out.norms) square += (norm - out.norm) * (norm - out.norm);
  out.norm_spread = std::sqrt(square / static_cast<double>(table.rows)) / out.norm;
  return out;
}

}  // namespace perp::distance
