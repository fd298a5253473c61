#include "studies/inspect/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perp/base/functions.hpp"
#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/measures/rows.hpp"
#include "perp/measures/subspaces.hpp"
#include "perp/theory/cosine.hpp"
#include "perp/theory/distance.hpp"
#include "perp/theory/subspaces.hpp"

namespace perp::inspect {
namespace {

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// Rows that are equal up to their own rounding have no spectrum: `energy` is that of the rows as they are.
void set_dimensions(TableNumbers& numbers, std::vector<double> centred, const std::vector<double>& as_is) {
  constexpr double rounding = 1e-13;
  numbers.spectrum = std::move(centred);
  const double variance = sum_of(numbers.spectrum), energy = sum_of(as_is);
  numbers.centred = variance > rounding * energy ? effective_dimension(numbers.spectrum)
                                                 : EffectiveDimension{NAN, NAN, 0, 0, 0};
  numbers.r99_uncentred = energy > 0 ? effective_dimension(as_is).r99 : 0;
}

void divide(Matrix<double>& a, double by) {
  for (double& x : a) x /= by;
}

/// Σ x xᵀ/‖x‖² over the rows that are not 0, over their number; norms and the mean cosine on the way.
void take_directions(const Matrix<double>& table, Positions& out) {
  const std::size_t d = cols(table);
  Matrix<double> unit = matrix<double>(rows(table), d);
  std::vector<double> unit_sum(d, 0.0);
  std::size_t kept = 0;
  TableNumbers& numbers = out.numbers;
  for (std::size_t t = 0; t < rows(table); ++t) {
    const double norm = std::sqrt(dot(row(table, t), row(table, t)));
    numbers.mean_norm += norm / rows(table);
    if (!(norm > 0)) continue;
    const std::span<double> u = row(unit, kept++);
    for (std::size_t j = 0; j < d; ++j) unit_sum[j] += u[j] = table(t, j) / norm;
  }
  numbers.zero_rows = rows(table) - kept;
  const double n = kept;
  numbers.mean_cosine = kept < 2 ? NAN : (dot(unit_sum, unit_sum) - n) / (n * (n - 1));
  out.mean_direction = unit_sum;
  for (double& x : out.mean_direction) x /= std::max(n, 1.0);
  out.unit = converted<float>(block(unit, 0, kept));
  out.directions = gram_columns(block(unit, 0, kept));
  divide(out.directions, std::max(n, 1.0));
}

std::size_t checked_rank(const char* option, std::size_t rank, std::size_t d) {
  require(rank >= 1 && rank <= d, "--{} {}: expected a rank from 1 to {}, the dimension", option, rank, d);
  return rank;
}

AgainstChance largest_against_chance(const std::vector<double>& cosines, std::size_t d, std::size_t k,
                                     std::size_t r) {
  const double sd =
      theory::johnstone_applies(d, k, r) && k + r < d ? theory::largest_cosine_sd(d, k, r) : NAN;
  return {cosines.front(), theory::largest_cosine_expected(d, k, r), sd};
}

/// The largest of as many independent pairs: median, and half the distance of the quantiles one standard
/// deviation away.
AgainstChance most_against_chance(double value, std::size_t d, double pairs) {
  constexpr double one_sd_below = 0.15865525393145707;
  return {value, theory::largest_cosine_median(d, pairs),
          (theory::largest_cosine_quantile(d, pairs, 1 - one_sd_below) -
           theory::largest_cosine_quantile(d, pairs, one_sd_below)) /
              2};
}

AgainstChance mean_against_chance(const std::vector<double>& a, const std::vector<double>& b) {
  return {dot(a, b), 0, std::sqrt(dot(a, a) * dot(b, b) / a.size())};
}

constexpr double float_rounding = 1e-6;

AgainstChance with_null(double value, const theory::OverlapNull& null) {
  return {value, null.mean, null.sd > float_rounding * null.mean ? null.sd : NAN};
}

/// Unit rows have trace 1; what float32 left of it is divided out.
double square_of_directions(const Matrix<double>& directions) {
  const double trace = perp::trace(directions);
  return trace_of_square(directions) / (trace * trace);
}

/// Of A over its trace.
theory::TraceMoments trace_moments(const Matrix<double>& a) {
  const double trace = perp::trace(a);
  return {1, trace_of_square(a) / (trace * trace),
          trace_of_product(product(a, a), a) / (trace * trace * trace)};
}

/// Covariance of the rows' directions.
Matrix<double> centred_directions(const MeasuredTable& table) {
  Matrix<double> out = table.directions;
  const std::vector<double>& mean = table.mean_direction;
  for (std::size_t i = 0; i < mean.size(); ++i)
    for (std::size_t j = 0; j < mean.size(); ++j) out(i, j) -= mean[i] * mean[j];
  return out;
}

/// NaN where the rows of a table all point one way.
AgainstChance centred_against_chance(const Words& words, const Positions& positions) {
  Matrix<double> a = centred_directions(words), b = centred_directions(positions);
  const double trace_a = trace(a), trace_b = trace(b);
  if (std::min(trace_a, trace_b) < float_rounding) return {NAN, NAN, NAN};
  divide(a, trace_a);
  divide(b, trace_b);
  const theory::OverlapNull null =
      theory::overlap_null(words.numbers.dim, 1, trace_of_square(a), 1, trace_of_square(b));
  return against_turned(trace_of_product(a, b), null, a, b);
}

/// Beyond the outer half thousandths of the normal law.
bool may_depart(double away) { return std::abs(away) > std::sqrt(2.0) * special::erfc_inv(departure_level); }

}  // namespace

std::pair<std::size_t, std::size_t> compared_ranks(std::size_t words, std::size_t positions, std::size_t d,
                                                   const Ranks& ranks) {
  std::size_t k = std::max<std::size_t>(words, 1), r = std::max<std::size_t>(positions, 1);
  if (ranks.words) k = checked_rank("rank-words", *ranks.words, d);
  if (ranks.positions) r = checked_rank("rank-positions", *ranks.positions, d);
  // Halving goes on for those that were chosen here; a rank that was given stays.
  while (2 * (k + r) > d && !(ranks.words && ranks.positions)) {
    const std::size_t before = k + r;
    if (!ranks.words) k = std::max<std::size_t>(k / 2, 1);
    if (!ranks.positions) r = std::max<std::size_t>(r / 2, 1);
    if (k + r == before) break;
  }
  return {k, r};
}

double mean_of(const std::vector<double>& values) {
  return values.empty() ? NAN : std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

double sd_of(const std::vector<double>& values) {
  if (values.size() < 2) return NAN;
  double square = 0;
  const double mean = mean_of(values);
  for (const double x : values) square += (x - mean) * (x - mean);
  return std::sqrt(square / double(values.size() - 1));
}

double AgainstChance::departure() const { return sd > 0 ? (value - chance) / sd : NAN; }

bool AgainstChance::departs() const {
  const double away = departure();
  if (!may_depart(away)) return false;
  constexpr double hardly_skew = 1e-3;
  if (std::abs(skew) < hardly_skew) return true;
  // A gamma law of shape 4/skew² about its mean, in its standard deviations; for a negative skewness mirrored.
  const double shape = 4 / (skew * skew), towards_tail = skew > 0 ? away : -away;
  const double at = shape + towards_tail * std::sqrt(shape), below = at > 0 ? special::gamma_p(shape, at) : 0;
  return std::min(below, 1 - below) < departure_level / 2;
}

AgainstChance against_turned(double value, const theory::OverlapNull& null, const Matrix<double>& a,
                             const Matrix<double>& b) {
  AgainstChance out = with_null(value, null);
  // Two products of d x d matrices, for where they decide.
  if (may_depart(out.departure()))
    out.skew = theory::overlap_skewness(rows(a), trace_moments(a), trace_moments(b));
  return out;
}

Positions measure_positions(const Matrix<double>& positions, std::size_t threads) {
  Positions out;
  out.numbers.rows = rows(positions);
  out.numbers.dim = cols(positions);
  take_directions(positions, out);
  set_dimensions(out.numbers, spectrum(positions, Centring::centred), spectrum(positions, Centring::as_is));
  out.as_is = gram_columns(positions);
  divide(out.as_is, rows(positions));
  const bool flat = rows(positions) < 2 || std::isnan(out.numbers.centred.stable_rank);
  const LagStatistics lags = lag_statistics(positions, threads);
  out.toeplitz_defect = rows(positions) > 1 && out.numbers.r99_uncentred > 0 ? toeplitz_defect(lags) : NAN;
  out.toeplitz_r2 = flat ? NAN : toeplitz_r2(lags);
  out.null_toeplitz_r2 = rows(positions) < 2 ? NAN : theory::toeplitz_null(rows(positions));
  return out;
}

Words measure_words(const RowStream& words, const Positions* positions, std::size_t bins,
                    std::size_t threads) {
  StreamOptions options{threads, {}, bins};
  if (positions && rows(positions->unit) > 0) options.against = positions->unit;
  TableSums sums = stream_table(words, options);
  Words out;
  TableNumbers& numbers = out.numbers;
  numbers.rows = sums.rows;
  numbers.dim = words.cols;
  numbers.zero_rows = sums.zero_rows;
  for (const float norm : sums.norms) numbers.mean_norm += norm / double(sums.rows);
  numbers.mean_cosine = sums.directed() < 2 ? NAN : mean_cosine(sums);
  set_dimensions(numbers, covariance_spectrum(sums.centred, sums.rows),
                 covariance_spectrum(sums.as_is, sums.rows));
  out.mean_direction = std::move(sums.unit_sum);
  for (double& x : out.mean_direction) x /= std::max(1.0, double(sums.directed()));
  out.mean = std::move(sums.mean);
  out.centred = std::move(sums.centred);
  out.as_is = std::move(sums.as_is);
  out.directions = std::move(sums.directions);
  out.max_abs_cosine = sums.max_abs_cosine;
  out.cosines = std::move(sums.cosines);
  return out;
}

Between measure_between(const Words& words, const Positions& positions, const Ranks& ranks) {
  const std::size_t d = words.numbers.dim;
  require(d >= 2, "tables of {} dimension; expected at least 2, to compare directions", d);
  const std::size_t rows_words = words.numbers.rows - words.numbers.zero_rows,
                    rows_positions = positions.numbers.rows - positions.numbers.zero_rows;
  require(rows_words > 0 && rows_positions > 0, "{}: every row is 0; expected directions to compare",
          rows_words > 0 ? "positions" : "words");
  const auto [k, r] = compared_ranks(words.numbers.r99_uncentred, positions.numbers.r99_uncentred, d, ranks);
  const Matrix<double> a = leading_directions(words.as_is, k), b = leading_directions(positions.as_is, r);
  Between out{k, r, principal_cosines(a, b), {}, {}, {}, {}, {}, {}};
  out.largest_cosine = largest_against_chance(out.principal_cosines, d, k, r);
  const double trace_words = trace(words.directions), trace_positions = trace(positions.directions);
  const double square_words = square_of_directions(words.directions);
  out.mean_square_cosine = against_turned(
      trace_of_product(words.directions, positions.directions) / (trace_words * trace_positions),
      theory::overlap_null(d, 1, square_words, 1, square_of_directions(positions.directions)),
      words.directions, positions.directions);
  out.mean_square_centred = centred_against_chance(words, positions);
  out.mean_cosine = mean_against_chance(words.mean_direction, positions.mean_direction);
  out.max_abs_cosine = most_against_chance(words.max_abs_cosine, d, double(rows_words) * rows_positions);
  // Of the rows' mean outer product A and the projection Π on the subspace: tr(Π A).
  out.energy = with_null(trace_of_product(words.directions, gram_columns(b)) / trace_words,
                         theory::overlap_null(d, 1, square_words, r, r));
  return out;
}

double gaussian_participation_ratio(std::size_t rows, std::size_t d) {
  const double n = rows;
  return rows < 2 ? NAN : std::max(1.0, (n - 1) * d / (n + d));
}

double gaussian_stable_rank(std::size_t rows, std::size_t d) {
  const double edge = 1 + std::sqrt(double(d) / rows);
  return rows < 2 ? NAN : std::max(1.0, d / (edge * edge));
}

double mean_cosine_sd(std::size_t directions, std::size_t d) {
  const double n = directions;
  return directions < 2 ? NAN : std::sqrt(2 / (n * (n - 1) * d));
}

AgainstChance mean_cosine_against_chance(const TableNumbers& of) {
  const double n = of.rows - of.zero_rows, d = of.dim;
  return {of.mean_cosine, 0, mean_cosine_sd(of.rows - of.zero_rows, of.dim),
          n < 2 ? NAN : (n - 2) * std::sqrt(8 / (n * (n - 1) * d))};
}

}  // namespace perp::inspect
