#include "studies/distance/q1_measure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/angles.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/measures/energy.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/measures/layernorm.hpp"
#include "perp/measures/overlap.hpp"
#include "perp/measures/scores.hpp"
#include "perp/measures/shift.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/vectors/encoding.hpp"

namespace perp::distance {
namespace {

using Read = std::optional<Reading>;

constexpr double u = 0x1p-53, v = 0x1p-24;
constexpr std::size_t bins = 64;
/// Singular values that the recovered shift uses, as a share of the largest.
constexpr double cutoff = 1e-6;
/// The matrices that keep the lag alone are counted by a dense decomposition of side d².
constexpr std::size_t counted_width = 8;
constexpr double null_cutoff = 1e-12;

double norm(const Matrix<double>& m) {
  return std::sqrt(std::inner_product(m.begin(), m.end(), m.begin(), 0.0));
}

/// d/8 rows, evenly spaced: neighbouring positions would hardly span a subspace.
Matrix<double> spaced_rows(const Matrix<double>& table) {
  const std::size_t count = cols(table) / 8, step = rows(table) / count;
  Matrix<double> out = matrix<double>(count, cols(table));
  for (std::size_t i = 0; i < count; ++i) std::ranges::copy(row(table, i * step), row(out, i).begin());
  return out;
}

// ---- directions and subspaces --------------------------------------------------------------------------

Read cosines(const OrderedTables& t) {
  const Matrix<float> words = unit_rows(converted<float>(t.words)).rows,
                      places = unit_rows(converted<float>(t.positions)).rows;
  const CosineSummary across = cosines_between(words, places, bins, 1), own = cosines_within(places, bins, 1);
  return Reading{{across.mean(), across.mean_square(), across.max_abs, own.mean(), own.mean_square()},
                 4 * (t.d() + 3) * v};
}

Read overlap(const OrderedTables& t) {
  const Matrix<float> words = unit_rows(converted<float>(t.words)).rows,
                      places = unit_rows(converted<float>(t.positions)).rows;
  const TableOverlap o = table_overlap(words, places);
  return Reading{{o.mean_square, o.trace_square_a, o.trace_square_b}, 4 * (t.length() + 3) * v};
}

/// Of eigenvalues, relative to their sum: the Gram matrix's inner products and the decomposition.
double spectrum_bound(const OrderedTables& t) {
  return 2 * (std::max(t.length(), t.d()) + 10 * std::min(t.length(), t.d())) * u;
}

Read spectra(const OrderedTables& t) {
  const std::vector<double> values = spectrum<double>(t.positions, Centring::centred);
  return Reading{values, spectrum_bound(t), std::accumulate(values.begin(), values.end(), 0.0)};
}

Read stable_rank(const OrderedTables& t) {
  const double rank = effective_dimension(spectrum<double>(t.positions, Centring::centred)).stable_rank;
  return Reading{{rank}, spectrum_bound(t) * (1 + rank), rank};
}

Read dimensions(const OrderedTables& t) {
  const EffectiveDimension e = effective_dimension(spectrum<double>(t.positions, Centring::as_is));
  return Reading{{double(e.r90), double(e.r99), double(e.r999)}, 0.5};
}

Read angles(const OrderedTables& t) {
  return Reading{principal_cosines(spaced_rows(t.words), spaced_rows(t.positions)),
                 8 * std::pow(2 * u, 0.75)};
}

Read energies(const OrderedTables& t) {
  const Matrix<float> basis = converted<float>(orthonormal_rows(spaced_rows(t.positions)));
  return Reading{energy_inside(converted<float>(t.words), basis),
                 4 * (std::sqrt(rows(basis)) + 1) * (cols(basis) + 2) * v};
}

// ---- products of positions and scores ------------------------------------------------------------------

Read kernel(const OrderedTables& t) {
  const LagStatistics lags = lag_statistics(t.positions, 1);
  return Reading{lags.mean, (2 * t.d() + 300) * u, lags.mean.front()};
}

/// Rounding of L x L scores, ‖ΔS‖ for products of `terms` terms in all and factors of these norms, twice.
double score_rounding(std::size_t terms, double norms) { return 2 * double(terms) * u * norms; }

Read scores(const OrderedTables& t) {
  const Matrix<double> left = product(t.positions, t.m);
  const LagStatistics lags = lag_statistics(left, t.positions, 1);
  const double size = norm(t.positions);
  return Reading{
      {toeplitz_r2(lags), toeplitz_defect(lags), lag_parity(lags).odd_share},
      4 * score_rounding(2 * rows(t.m), size * size * norm(t.m)) / std::sqrt(lag_squares(lags).between)};
}

Read head_scores(const OrderedTables& t) {
  const Matrix<double> left = product(t.positions, t.query), right = product(t.positions, t.key);
  const LagSquares squares = lag_squares(lag_statistics(left, right, 1));
  const double size = norm(t.positions);
  return Reading{
      {score_r2(left, right)},
      4 * score_rounding(2 * rows(t.query) + cols(t.query), size * size * norm(t.query) * norm(t.key)) /
          std::sqrt(squares.within + squares.between)};
}

Read four(const OrderedTables& t) {
  const FourTerms terms = four_terms(t.words, t.positions, t.m);
  const double size = norm(t.words), place = norm(t.positions), n = t.length(),
               power = (size * size + place * place) / n, weights = norm(t.m);
  return Reading{{terms.word_word, terms.word_position, terms.position_word, terms.position_position,
                  terms.distance_only, terms.score},
                 8 * (t.d() + n) * u * power * power * weights * weights / terms.sum(),
                 terms.sum()};
}

Read normalised_kernel(const OrderedTables& t) {
  const LagStatistics lags = lag_statistics(layer_norm(t.positions), 1);
  return Reading{lags.mean, 8 * (t.d() + 10) * u, lags.mean.front()};
}

/// One content turned by every position: products that depend on the lag alone, in either layout.
Read rotary(const OrderedTables& t) {
  if (!t.layout) return {};
  Matrix<double> queries = t.words, keys = t.words;
  for (std::size_t r = 0; r < rows(queries); ++r) {
    std::ranges::copy(row(t.words, 0), row(queries, r).begin());
    std::ranges::copy(row(t.words, 1), row(keys, r).begin());
  }
  const double scale = norm(queries) * norm(keys) / rows(queries);
  const EncodingPointer turns = rotary_encoding(t.base, *t.layout);
  turns->rotate(queries, 0);
  turns->rotate(keys, 0);
  return Reading{lag_statistics(queries, keys, 1).mean, 4 * (3 * rows(queries) + cols(queries) + 100) * u,
                 scale};
}

// ---- shifts --------------------------------------------------------------------------------------------

/// The map's entries in the interleaved order.
std::vector<double> entries(const Matrix<double>& map, const std::vector<std::size_t>& order) {
  std::vector<double> out(map.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = 0; j < order.size(); ++j) out[order[i] * order.size() + order[j]] = map(i, j);
  return out;
}

Read recovered_shift(const OrderedTables& t) {
  const std::size_t last = t.length();
  const RecoveredMap found =
      recover_map(block(t.positions, 0, last - 1), block(t.positions, 1, last), cutoff);
  return Reading{entries(found.map, t.order), 16 * t.d() * u / cutoff};
}

Read built_shift(const OrderedTables& t) {
  const std::size_t last = t.length();
  Matrix<double> map = shift_map(frequencies(cols(t.positions), t.base), 1);
  map = reorder_rows(reorder_columns(map, t.order), t.order);
  return Reading{{map_error(block(t.positions, 0, last - 1), block(t.positions, 1, last), map).worst},
                 2 * (3 * last + 10) * u};
}

Read lag_alone(const OrderedTables& t) {
  if (cols(t.positions) > counted_width) return {};
  return Reading{{double(distance_only_matrices(t.positions, null_cutoff).dimension)}, 0.5};
}

}  // namespace

OrderedTables reordered(const OrderedTables& t, const std::vector<std::size_t>& order,
                        std::optional<Layout> layout) {
  return {order,
          layout,
          t.base,
          reorder_columns(t.positions, order),
          reorder_columns(t.words, order),
          reorder_rows(reorder_columns(t.m, order), order),
          reorder_rows(t.query, order),
          reorder_rows(t.key, order)};
}

std::span<const LayoutMeasure> layout_measures() {
  static constexpr std::array<LayoutMeasure, 16> measures{{
      {"cosines", "cosines of words and positions", "1", "4(d+3)v", cosines},
      {"overlap", "overlap of two tables", "1", "4(L+3)v", overlap},
      {"spectrum", "eigenvalues", "their sum", "2(max(L,d) + 10 min(L,d))u", spectra},
      {"stable_rank", "stable rank", "itself", "that of the eigenvalues, times 1 + stable rank", stable_rank},
      {"dimensions", "r₉₀, r₉₉, r₉₉.₉", "one dimension", "half a dimension", dimensions},
      {"angles", "principal angles", "1", "8(2u)^¾", angles},
      {"energy", "energy in a subspace", "1", "4(√r+1)(d+2)v", energies},
      {"kernel", "mean product per lag", "lag 0", "(2d+300)u", kernel},
      {"normalised_kernel", "mean product per lag after LayerNorm", "lag 0", "8(d+10)u", normalised_kernel},
      {"scores", "R², Toeplitz defect, odd part of pᵀMp", "1", "16du‖P‖²‖M‖/‖Toep(S)−m‖", scores},
      {"head_scores", "R² of one head", "1", "8(2d+h)u‖P‖²‖Q‖‖K‖/‖S−m‖", head_scores},
      {"four_terms", "four terms of the score of sums", "their sum", "8(d+L)u(E‖x‖²+E‖p‖²)²‖M‖²/sum", four},
      {"rotary", "rotary scores per lag", "‖q‖‖k‖", "4(3L+d+100)u", rotary},
      {"shift", "shift map from data", "1", "16du/10⁻⁶", recovered_shift},
      {"shift_built", "error of the built shift map", "1", "2(3L+10)u", built_shift},
      {"lag_alone", "dimension of the M that keep the lag alone", "one dimension", "half a dimension",
       lag_alone},
  }};
  return measures;
}

double change(const Reading& a, const Reading& b) {
  require(a.values.size() == b.values.size() && a.scale > 0, "change: {} values against {}, scale {}",
          a.values.size(), b.values.size(), a.scale);
  double largest = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i)
    largest = std::max(largest, std::abs(a.values[i] - b.values[i]));
  return largest / a.scale;
}

}  // namespace perp::distance
