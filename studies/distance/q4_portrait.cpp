#include "studies/distance/q4_portrait.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/inputs/trained_rows.hpp"

namespace perp::distance {

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
  out.centred = effective_dimension(spectrum(table, Centring::centred));
  out.as_is = effective_dimension(spectrum(table, Centring::as_is));
  const LagStatistics lags = lag_statistics(table, 1);
  out.toeplitz_defect = toeplitz_defect(lags);
  out.r2 = toeplitz_r2(lags);
  out.r2_apart = r2_apart(lags);
  for (const double mean : lags.mean) out.kernel.push_back(mean / lags.mean.front());
  out.norms = norms_of(table);
  out.neighbours = neighbours(table, out.norms);
  double square = 0;
  for (const double norm : out.norms) out.norm += norm / table.rows;
  for (const double norm : out.norms) square += (norm - out.norm) * (norm - out.norm);
  out.norm_spread = std::sqrt(square / table.rows) / out.norm;
  return out;
}

KernelDeparture kernel_departure(std::span<const double> kernel, std::span<const double> other) {
  KernelDeparture largest;
  for (std::size_t k = 1; 2 * k <= kernel.size(); ++k)
    if (const double off = std::abs(kernel[k] - other[k]); off > largest.size) largest = {off, k};
  return largest;
}

RowRange trained_run_of(const Matrix<double>& table) { return trained_run(trained_rows(row_norms(table))); }

std::optional<BesideSinusoid> trained_beside_sinusoid(const Matrix<double>& table) {
  const RowRange run = trained_run_of(table);
  const View<double> left = block(table, run.first, run.last);
  bool vary = false;
  for (std::size_t t = 1; t < left.rows; ++t) vary |= !std::ranges::equal(left.row(t), left.row(0));
  if (left.rows < 3 || !vary) return std::nullopt;
  return BesideSinusoid{portrait(left), portrait(sinusoidal<double>(left.rows, left.cols))};
}

std::span<const PortraitMeasure> portrait_measures() {
  static constexpr std::array<PortraitMeasure, 14> measures{{
      {"stable_rank", "stable rank", [](const Portrait& p) { return p.centred.stable_rank; }},
      {"participation_ratio", "participation ratio",
       [](const Portrait& p) { return p.centred.participation_ratio; }},
      {"r90", "r₉₀", [](const Portrait& p) { return double(p.centred.r90); }},
      {"r99", "r₉₉", [](const Portrait& p) { return double(p.centred.r99); },
       "Dimensions that hold 99% of the variance", "dimensions"},
      {"stable_rank_as_is", "stable rank, uncentred", [](const Portrait& p) { return p.as_is.stable_rank; }},
      {"participation_ratio_as_is", "participation ratio, uncentred",
       [](const Portrait& p) { return p.as_is.participation_ratio; }},
      {"r99_as_is", "r₉₉, uncentred", [](const Portrait& p) { return double(p.as_is.r99); }},
      {"toeplitz_defect", "Toeplitz residual", [](const Portrait& p) { return p.toeplitz_defect; }},
      {"r2", "R² of relative distance", [](const Portrait& p) { return p.r2; }},
      {"r2_apart", "R² of relative distance, different rows", [](const Portrait& p) { return p.r2_apart; },
       "Share of the variance of the products of different rows that relative distance explains"},
      {"neighbours", "nearest is a neighbour", [](const Portrait& p) { return p.neighbours; },
       "Share of the rows whose largest cosine with another row is with a row beside it"},
      {"norm_spread", "spread of lengths", [](const Portrait& p) { return p.norm_spread; },
       "Standard deviation of the rows' lengths over their mean"},
      {"norm_smallest", "shortest row",
       [](const Portrait& p) { return *std::ranges::min_element(p.norms) / p.norm; },
       "Shortest row over the mean length"},
      {"norm_largest", "longest row",
       [](const Portrait& p) { return *std::ranges::max_element(p.norms) / p.norm; },
       "Longest row over the mean length"},
  }};
  return measures;
}

std::string Respect::says(bool trained) const {
  return fmt::format("{}{}", words, trained ? ", without rows that training never met" : "");
}

std::span<const Respect> respects() {
  static constexpr Respect all[] = {
      {"r2_apart", ".given", Is::above, most, "lag",
       "share of the variance of products of different positions that relative distance explains"},
      {"neighbours", ".given", Is::above, most, "neighbours",
       "share of the positions that are most similar to a neighbour"},
      {"r99_factor", "", Is::below, alike_factor, "dimensions",
       "dimensions that hold 99%, beside those of the sinusoid, larger over smaller"},
      {"kernel_departure", "", Is::below, alike_share, "mean products",
       "largest difference of the mean products at one distance from the sinusoid's"}};
  return all;
}

}  // namespace perp::distance
