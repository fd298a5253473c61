#include "studies/distance/q2_measure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/energy.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/measures/layernorm.hpp"
#include "perp/measures/outer.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/random/uniform.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/words.hpp"

namespace perp::distance {
namespace {

using Places = std::vector<std::uint32_t>;

double square(std::span<const double> x) { return dot(x, x); }

std::vector<double> column_means(View<double> y) {
  std::vector<double> mean(y.cols, 0.0);
  for (std::size_t r = 0; r < y.rows; ++r)
    for (std::size_t j = 0; j < y.cols; ++j) mean[j] += y(r, j) / double(y.rows);
  return mean;
}

/// Rows less their mean entry: what LayerNorm leaves of a vector but for its length, gain and bias.
Matrix<double> less_mean_entry(View<double> table) {
  Matrix<double> out = matrix<double>(table.rows, table.cols);
  for (std::size_t t = 0; t < table.rows; ++t) {
    double mean = 0;
    for (const double x : table.row(t)) mean += x / double(table.cols);
    for (std::size_t j = 0; j < table.cols; ++j) out(t, j) = table(t, j) - mean;
  }
  return out;
}

/// Weights of the least squares fit on centred rows; `moments`: Σ (t - t̄)(y - ȳ).
std::vector<double> solve(Matrix<double> gram, const std::vector<double>& moments) {
  constexpr double ridge = 1e-9;
  const std::size_t d = moments.size();
  double trace = 0;
  for (std::size_t j = 0; j < d; ++j) trace += gram(j, j);
  for (std::size_t j = 0; j < d; ++j) gram(j, j) += ridge * trace / double(d);
  const Matrix<double> lower = cholesky(gram);
  require(lower.size() > 0, "readout_r2: {} dimensions that do not vary", d);
  Matrix<double> right = matrix<double>(d, 1);
  std::ranges::copy(moments, right.data());
  const Matrix<double> half = solve_lower(lower, right);
  // Lᵀ w = half, from the last row up.
  std::vector<double> weights(half.data(), half.data() + d);
  for (std::size_t i = d; i-- > 0;) {
    weights[i] /= lower(i, i);
    for (std::size_t j = 0; j < i; ++j) weights[j] -= lower(i, j) * weights[i];
  }
  return weights;
}

// ---- what of a table every draw needs ------------------------------------------------------------------

Directions directions(const Matrix<double>& table, Eigen<double>& eigen) {
  const std::size_t n = rows(table), d = cols(table);
  const Matrix<double> centred = less_row(table, column_means(table));
  std::vector<double> slope(d, 0.0);
  for (std::size_t t = 0; t < n; ++t)
    for (std::size_t j = 0; j < d; ++j) slope[j] += (double(t) - (n - 1) / 2.0) * centred(t, j) / double(n);
  eigen = symmetric_eigen(mean_outer_product(centred));
  Directions out{eigen.values, {}};
  for (std::size_t i = 0; i < d; ++i) {
    const double along = dot(row(eigen.vectors, i), slope);
    out.target.push_back(along * along);
  }
  for (std::size_t t = 0; t < n; ++t) out.mean_square += square(row(table, t));
  out.mean_square /= double(n);
  const LagSquares squares = lag_squares(lag_statistics(table, 1));
  out.pairs = (squares.within + squares.between) / squares.entries;
  out.by_lag = squares.between / squares.entries;
  return out;
}

/// The leading rows that hold 90 % of the variance.
Matrix<float> leading(const Eigen<double>& eigen) {
  std::vector<double> descending(eigen.values.rbegin(), eigen.values.rend());
  for (double& value : descending) value = std::max(value, 0.0);
  const std::size_t r = effective_dimension(descending).r90, d = descending.size();
  Matrix<float> basis = matrix<float>(r, d);
  for (std::size_t i = 0; i < r; ++i) std::ranges::copy(row(eigen.vectors, d - 1 - i), row(basis, i).begin());
  return basis;
}

// ---- sums ----------------------------------------------------------------------------------------------

double entry_variance(const PlacedTable& table, double ratio) {
  return table.as_is.mean_square / (ratio * ratio * double(table.d()));
}

/// Row r of the words times `scale` plus the position of row r.
Matrix<double> sums(View<double> words, double scale, const PlacedTable& table, const Places& places) {
  Matrix<double> out = matrix<double>(words.rows, words.cols);
  for (std::size_t r = 0; r < words.rows; ++r)
    for (std::size_t j = 0; j < words.cols; ++j)
      out(r, j) = scale * words(r, j) + table.positions(places[r], j);
  return out;
}

/// Share of the rows' energy inside the basis, mean over rows.
double energy_of(const Matrix<double>& y, const Matrix<float>& basis) {
  double inside = 0;
  for (const double share : energy_inside(converted<float>(y), basis)) inside += share;
  return inside / double(rows(y));
}

/// Word parts and position parts of the same sums: their cosine, root mean square, and the positions' share.
void add_parts(const Matrix<double>& words, const Matrix<double>& positions, const Places& places,
               SumNumbers& out) {
  double cosine = 0, word = 0, place = 0;
  for (std::size_t r = 0; r < rows(words); ++r) {
    const std::span<const double> x = row(words, r), p = row(positions, places[r]);
    const double xx = square(x), pp = square(p), xp = dot(x, p);
    if (xx > 0 && pp > 0) cosine += xp * xp / (xx * pp);
    word += xx, place += pp;
  }
  out.parts_cosine = std::sqrt(cosine / double(rows(words)));
  out.position_share = place / (place + word);
}

/// diag(gain) C x for every row.
Matrix<double> centred_and_scaled(View<double> table, const std::vector<double>& gain) {
  Matrix<double> out = less_mean_entry(table);
  for (std::size_t t = 0; t < rows(out) && !gain.empty(); ++t)
    for (std::size_t j = 0; j < cols(out); ++j) out(t, j) *= gain[j];
  return out;
}

}  // namespace

// ---- reading a position from a sum ---------------------------------------------------------------------

double readout_r2(const Matrix<double>& y, const Places& places, std::size_t train) {
  const std::size_t n = rows(y), d = cols(y);
  require(places.size() == n && train > d && train + 1 < n,
          "readout_r2: {} rows of {} dimensions, {} places, {} to learn from", n, d, places.size(), train);
  const std::vector<double> mean = column_means(block(y, 0, train));
  const Matrix<double> centred = less_row(block(y, 0, train), mean);
  std::vector<double> moments(d, 0.0);
  double middle = 0, tested = 0, left = 0, all = 0;
  for (std::size_t r = 0; r < train; ++r) middle += places[r] / double(train);
  for (std::size_t r = 0; r < train; ++r)
    for (std::size_t j = 0; j < d; ++j) moments[j] += (places[r] - middle) * centred(r, j);
  const std::vector<double> weights = solve(gram_columns(centred), moments);
  for (std::size_t r = train; r < n; ++r) tested += places[r] / double(n - train);
  for (std::size_t r = train; r < n; ++r) {
    double guess = middle;
    for (std::size_t j = 0; j < d; ++j) guess += weights[j] * (y(r, j) - mean[j]);
    left += (places[r] - guess) * (places[r] - guess);
    all += (places[r] - tested) * (places[r] - tested);
  }
  return 1 - left / all;
}

double held_out_r2(double population, std::size_t train, std::size_t dimensions) {
  const double n = train, p = dimensions;
  require(n > p + 2, "held_out_r2: {} rows for {} dimensions; expected more than 2 above", train, dimensions);
  return 1 - (1 - population) * (n + 1) * (n - 2) / (n * (n - p - 2));
}

double nearest_share(const Matrix<double>& y, const Matrix<double>& table, const Places& places) {
  require(rows(y) == places.size() && rows(y) > 0, "nearest_share: {} rows, {} places", rows(y),
          places.size());
  std::vector<double> inverse;
  for (std::size_t s = 0; s < rows(table); ++s) {
    const double energy = square(row(table, s));
    inverse.push_back(energy > 0 ? 1 / std::sqrt(energy) : 0);
  }
  const Matrix<double> products = product_nt(y, table);
  std::size_t right = 0;
  for (std::size_t r = 0; r < rows(y); ++r) {
    std::size_t best = 0;
    for (std::size_t s = 1; s < rows(table); ++s)
      if (products(r, s) * inverse[s] > products(r, best) * inverse[best]) best = s;
    right += best == places[r];
  }
  return double(right) / double(rows(y));
}

// ---- sums ----------------------------------------------------------------------------------------------

PlacedTable placed_table(Matrix<double> positions, LayerNormWeights layer_norm) {
  Eigen<double> eigen, other;
  const Directions as_is = directions(positions, eigen),
                   less_mean = directions(less_mean_entry(positions), other);
  Matrix<double> normalised = perp::layer_norm(positions, layer_norm.gain, layer_norm.bias, usual_epsilon);
  return {
      std::move(positions), std::move(layer_norm), std::move(normalised), leading(eigen), as_is, less_mean};
}

std::span<const SumMeasure> sum_measures() {
  static constexpr std::array<SumMeasure, 6> measures{{
      {"parts_cosine", "cosine of the parts", &SumNumbers::parts_cosine},
      {"position_share", "position’s share of energy", &SumNumbers::position_share},
      {"energy", "energy in the positions’ directions", &SumNumbers::energy},
      {"lag_r2", "R² of relative distance", &SumNumbers::lag_r2,
       "Share of the variance of the products of sums that relative distance explains"},
      {"readout", "position by a linear map", &SumNumbers::readout,
       "Share of the position's variance that a linear map of the sum explains, held out"},
      {"nearest", "nearest position right", &SumNumbers::nearest,
       "Share of sums whose position has the largest cosine with them among all positions"},
  }};
  return measures;
}

Matrix<double> drawn_words(const std::string& words, std::size_t count, std::size_t d, const Streams& streams,
                           std::size_t draw) {
  const bool turned = words == "turned";
  Matrix<float> drawn =
      draw_words(turned ? Family::anisotropic : family_from(words), count, d, streams("words", draw));
  if (turned) drawn = product(drawn, random_rotation(d, streams("rotation", draw)));
  return converted<double>(drawn);
}

std::size_t words_needed(const PlacedTable& table) {
  return std::max(training_rows(table.d()) + tested_rows, 2 * table.length());
}

BeforeAfter measure_sums(const PlacedTable& table, const Matrix<double>& drawn, double ratio,
                         const Streams& streams, std::size_t draw) {
  const std::size_t length = table.length(), train = training_rows(table.d()), all = train + tested_rows;
  const double scale = std::sqrt(entry_variance(table, ratio));
  const Places places = below(streams("places", draw), all, static_cast<std::uint32_t>(length));
  const Places tested(places.begin() + std::ptrdiff_t(train), places.end());
  const auto normed = [&](const Matrix<double>& y) {
    return layer_norm(y, table.layer_norm.gain, table.layer_norm.bias, usual_epsilon);
  };
  const auto tested_part = [&](const Matrix<double>& y, double factor) {
    Matrix<double> part = matrix<double>(tested_rows, table.d());
    std::transform(y.data() + train * table.d(), y.data() + all * table.d(), part.data(),
                   [&](double x) { return factor * x; });
    return part;
  };
  BeforeAfter out;
  const auto read = [&](const Matrix<double>& y, const Matrix<double>& positions, SumNumbers& numbers) {
    const Matrix<double> shown = tested_part(y, 1);
    numbers.energy = energy_of(shown, table.basis);
    numbers.readout = readout_r2(y, places, train);
    numbers.nearest = nearest_share(shown, positions, tested);
  };
  const Matrix<double> before = sums(block(drawn, 0, all), scale, table, places);
  read(before, table.positions, out.before);
  read(normed(before), table.normalised, out.after);
  const Matrix<double> word_part = tested_part(drawn, scale);
  const std::vector<double>& gain = table.layer_norm.gain;
  add_parts(word_part, table.positions, tested, out.before);
  add_parts(centred_and_scaled(word_part, gain), centred_and_scaled(table.positions, gain), tested,
            out.after);

  Places order(length);
  std::iota(order.begin(), order.end(), 0u);
  const Matrix<double> queries = sums(block(drawn, 0, length), scale, table, order),
                       keys = sums(block(drawn, length, 2 * length), scale, table, order);
  out.before.lag_r2 = toeplitz_r2(lag_statistics(queries, keys, 1));
  out.after.lag_r2 = toeplitz_r2(lag_statistics(normed(queries), normed(keys), 1));
  return out;
}

// ---- what to expect ------------------------------------------------------------------------------------

BeforeAfter sum_lines(const PlacedTable& table, double ratio) {
  const double d = table.d(), l = table.length(), variance = entry_variance(table, ratio),
               null = theory::toeplitz_null(table.length());
  const auto lag = [&](const Directions& positions, double dimensions) {
    const double noise = variance * variance * dimensions + 2 * variance * positions.mean_square;
    return (positions.by_lag + null * noise) / (positions.pairs + noise);
  };
  // Words isotropic and positions all equally likely, in the population: Σ target/(spectrum + variance)/var
  /// t.
  const auto readout = [&](const Directions& positions, std::size_t dimensions) {
    double sum = 0;
    for (std::size_t i = 0; i < positions.spectrum.size(); ++i)
      sum += positions.target[i] / (std::max(positions.spectrum[i], 0.0) + variance);
    return held_out_r2(sum / ((l * l - 1) / 12), training_rows(table.d()), dimensions);
  };
  BeforeAfter out;
  out.before.parts_cosine = 1 / std::sqrt(d);
  out.before.position_share = ratio * ratio / (1 + ratio * ratio);
  out.before.lag_r2 = lag(table.as_is, d);
  out.before.readout = readout(table.as_is, table.d());
  if (!table.layer_norm.gain.empty()) return out;
  out.after.parts_cosine = 1 / std::sqrt(d - 1);
  out.after.position_share = table.less_mean.mean_square / (table.less_mean.mean_square + variance * (d - 1));
  out.after.lag_r2 = lag(table.less_mean, d - 1);
  out.after.readout = readout(table.less_mean, table.d() - 1);
  return out;
}

double cosine_change(const Matrix<double>& words) {
  const Matrix<double> z = layer_norm(words, {}, {}, usual_epsilon);
  const auto cosine = [](const Matrix<double>& m, std::size_t i) {
    return dot(row(m, i), row(m, i + 1)) / std::sqrt(square(row(m, i)) * square(row(m, i + 1)));
  };
  const std::size_t pairs = rows(words) / 2;
  double changed = 0;
  for (std::size_t i = 0; i < 2 * pairs; i += 2) {
    const double off = cosine(z, i) - cosine(words, i);
    changed += off * off;
  }
  return std::sqrt(changed / double(pairs));
}

}  // namespace perp::distance
