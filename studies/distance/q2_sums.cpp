#include "studies/distance/q2_sums.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/measures/energy.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/measures/layernorm.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/random/uniform.hpp"
#include "perp/theory/distance.hpp"
#include "perp/theory/layernorm.hpp"
#include "perp/vectors/words.hpp"
#include "studies/distance/q2_readout.hpp"

namespace perp::distance {
namespace {

double real(std::size_t n) { return static_cast<double>(n); }

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

double square(std::span<const double> x) { return dot(x, x); }

double entry_variance(const PlacedTable& table, double ratio) {
  return table.mean_square / (ratio * ratio * real(table.d()));
}

double r2_of_lag(const Matrix<double>& queries, const Matrix<double>& keys) {
  return toeplitz_r2(lag_statistics<double>(queries, keys, 1));
}

/// Row r of the words times `scale` plus the position of row r.
Matrix<double> sums(View<double> words, double scale, const PlacedTable& table,
                    const std::vector<std::uint32_t>& places) {
  Matrix<double> out = matrix<double>(words.rows, words.cols);
  for (std::size_t r = 0; r < words.rows; ++r)
    for (std::size_t j = 0; j < words.cols; ++j)
      out(r, j) = scale * words(r, j) + table.positions(places[r], j);
  return out;
}

std::vector<std::uint32_t> in_order(std::size_t length) {
  std::vector<std::uint32_t> out(length);
  for (std::size_t t = 0; t < length; ++t) out[t] = static_cast<std::uint32_t>(t);
  return out;
}

/// Length, root mean square, and its spread; share of the energy inside the basis.
void add_sizes(const Matrix<double>& y, const PlacedTable& table,
               std::array<double, norm_measure_count>& out) {
  double sum = 0, squares = 0;
  for (std::size_t r = 0; r < rows(y); ++r) {
    const double s = square(row(y, r));
    sum += std::sqrt(s), squares += s;
  }
  const double mean = sum / real(rows(y));
  out[0] = std::sqrt(squares / real(rows(y)));
  out[1] = std::sqrt(std::max(0.0, squares / real(rows(y)) - mean * mean)) / mean;
  Matrix<float> single = matrix<float>(rows(y), cols(y));
  std::transform(y.data(), y.data() + y.size(), single.data(),
                 [](double x) { return static_cast<float>(x); });
  double inside = 0;
  for (const double share : energy_inside(single, table.basis)) inside += share;
  out[4] = inside / real(rows(y));
}

/// Word parts and position parts of the same sums: their cosine, root mean square, and the positions' share.
void add_parts(const Matrix<double>& words, const Matrix<double>& positions,
               const std::vector<std::uint32_t>& places, std::array<double, norm_measure_count>& out) {
  double cosine = 0, word = 0, place = 0;
  for (std::size_t r = 0; r < rows(words); ++r) {
    const std::span<const double> x = row(words, r), p = row(positions, places[r]);
    const double xx = square(x), pp = square(p), xp = dot(x, p);
    if (xx > 0 && pp > 0) cosine += xp * xp / (xx * pp);
    word += xx, place += pp;
  }
  out[2] = std::sqrt(cosine / real(rows(words)));
  out[3] = place / (place + word);
}

/// diag(gain) C x for every row.
Matrix<double> carried(View<double> table, const std::vector<double>& gain) {
  Matrix<double> out = less_mean_entry(table);
  for (std::size_t t = 0; t < rows(out) && !gain.empty(); ++t)
    for (std::size_t j = 0; j < cols(out); ++j) out(t, j) *= gain[j];
  return out;
}

}  // namespace

std::span<const NormMeasure> norm_measures() {
  static constexpr std::array<NormMeasure, norm_measure_count> measures{{
      {"length", "length", "Length of the sum, root mean square"},
      {"length_spread", "spread of lengths", "Standard deviation of the sum's length over its mean"},
      {"parts_cosine", "cosine of the parts",
       "Cosine of the word's and the position's part of a sum, root mean square"},
      {"position_share", "position’s share of energy",
       "Share of the position's part in the energy of both parts"},
      {"energy", "energy in the positions’ directions",
       "Share of the sum's energy in the directions that hold 90 % of the positions' variance"},
      {"lag_r2", "R² of the lag", "Share of the variance of the products of sums that their lag explains"},
      {"readout", "position by a linear map",
       "Share of the position's variance that a linear map of the sum explains, held out"},
      {"nearest", "nearest position right",
       "Share of sums whose position has the largest cosine with them among all positions"},
  }};
  return measures;
}

Matrix<double> drawn_words(const std::string& words, std::size_t count, std::size_t d, const Streams& streams,
                           std::size_t draw) {
  const bool turned = words == "turned";
  Matrix<float> drawn =
      draw_words(turned ? Family::anisotropic : family_from(words), count, d, streams("words", draw));
  if (turned) drawn = product<float>(drawn, random_rotation(d, streams("rotation", draw)));
  Matrix<double> out = matrix<double>(count, d);
  std::copy(drawn.data(), drawn.data() + drawn.size(), out.data());
  return out;
}

std::size_t words_needed(const PlacedTable& table) {
  return std::max(training_rows(table.d()) + tested_rows, 2 * table.length());
}

BeforeAfter measure_sums(const PlacedTable& table, const Matrix<double>& drawn, double ratio,
                         const Streams& streams, std::size_t draw) {
  const std::size_t d = table.d(), length = table.length(), train = training_rows(d), test = tested_rows;
  const double scale = std::sqrt(entry_variance(table, ratio));
  const std::vector<std::uint32_t> places =
      below(streams("places", draw), train + test, static_cast<std::uint32_t>(length));
  const auto normed = [&](const Matrix<double>& y) {
    return layer_norm(y, table.gain, table.bias, usual_epsilon);
  };
  BeforeAfter out;

  const Matrix<double> before = sums(block(drawn, 0, train + test), scale, table, places),
                       after = normed(before);
  const std::vector<std::uint32_t> tested(places.begin() + static_cast<std::ptrdiff_t>(train), places.end());
  const auto part = [&](const Matrix<double>& y) {
    Matrix<double> rows_tested = matrix<double>(test, d);
    std::copy_n(y.data() + train * d, rows_tested.size(), rows_tested.data());
    return rows_tested;
  };
  const Matrix<double> shown = part(before), shown_after = part(after);
  add_sizes(shown, table, out.before);
  add_sizes(shown_after, table, out.after);
  Matrix<double> word_part = part(drawn);
  for (std::size_t i = 0; i < word_part.size(); ++i) word_part.data()[i] *= scale;
  add_parts(word_part, table.positions, tested, out.before);
  add_parts(carried(View<double>(word_part), table.gain), carried(View<double>(table.positions), table.gain),
            tested, out.after);

  const std::vector<std::uint32_t> order = in_order(length);
  const Matrix<double> queries = sums(block(drawn, 0, length), scale, table, order),
                       keys = sums(block(drawn, length, 2 * length), scale, table, order);
  out.before[5] = r2_of_lag(queries, keys);
  out.after[5] = r2_of_lag(normed(queries), normed(keys));
  out.before[6] = readout_r2(before, places, train);
  out.after[6] = readout_r2(after, places, train);
  out.before[7] = nearest_share(shown, table.positions, tested);
  out.after[7] = nearest_share(shown_after, table.normalised, tested);
  return out;
}

double readout_line(std::span<const double> spectrum, std::span<const double> target, double variance,
                    std::size_t length) {
  double sum = 0;
  for (std::size_t i = 0; i < spectrum.size(); ++i)
    sum += target[i] / (std::max(spectrum[i], 0.0) + variance);
  return sum / ((real(length) * real(length) - 1) / 12);
}

BeforeAfter no_lines() {
  BeforeAfter out;
  out.before.fill(std::nan(""));
  out.after.fill(std::nan(""));
  return out;
}

BeforeAfter sum_lines(const PlacedTable& table, double ratio) {
  const double d = real(table.d()), variance = entry_variance(table, ratio),
               null = theory::toeplitz_null(table.length());
  const std::size_t train = training_rows(table.d());
  BeforeAfter out = no_lines();
  const auto lag = [&](double by_lag, double pairs, double dimensions, double power) {
    const double noise = variance * variance * dimensions + 2 * variance * power;
    return (by_lag + null * noise) / (pairs + noise);
  };
  out.before[0] = std::sqrt(table.mean_square + variance * d);
  out.before[2] = 1 / std::sqrt(d);
  out.before[3] = ratio * ratio / (1 + ratio * ratio);
  out.before[5] = lag(table.by_lag, table.pairs, d, table.mean_square);
  out.before[6] =
      held_out_r2(readout_line(table.spectrum, table.target, variance, table.length()), train, table.d());
  if (!table.gain.empty()) return out;
  const double power = table.mean_square_after + variance * (d - 1);
  out.after[0] = theory::normalised_length(table.d(), power / d, usual_epsilon);
  out.after[1] = 0;
  out.after[2] = 1 / std::sqrt(d - 1);
  out.after[3] = table.mean_square_after / power;
  out.after[5] = lag(table.by_lag_after, table.pairs_after, d - 1, table.mean_square_after);
  out.after[6] = held_out_r2(readout_line(table.spectrum_after, table.target_after, variance, table.length()),
                             train, table.d() - 1);
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
  return std::sqrt(changed / real(pairs));
}

}  // namespace perp::distance
