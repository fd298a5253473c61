#pragma once
// How words, positions, power and noise are set up for claims that compare adding with every split, and what
// noise lets through of them.
//
// Equal total dimension d, equal total power, equal noise:
//   word       Gaussian; mean ‖x‖² = d, whether it has all d dimensions or d_t of them
//   position   mean ‖p‖² = d/2, whether it has all d dimensions or d_p of them: the sinusoid's own power
//   noise      N(0, n²) in each of the d dimensions
// So a narrow part is not a faint one: x keeps its energy and concentrates it. Noise is given as its standard
// deviation at d = 32; at other widths it grows with √d, so that a word's energy over the noise's variance,
// d/n² = 32/noise², is the same at every width.

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/measures/information.hpp"
#include "perp/random/stream.hpp"
#include "perp/study/column.hpp"

namespace perp::capacity {

/// What positions look like.
enum class Positions {
  sinusoidal,  ///< as they are: of base 10,000 and the width they are given
  centred,     ///< the sinusoid less its mean over positions, scaled back to power d/2
  random       ///< Gaussian entries: a random codebook, as the words'
};
inline constexpr Positions all_positions[] = {Positions::sinusoidal, Positions::centred, Positions::random};
std::string name_of(Positions positions);

/// The setting whose numbers are printed.
inline constexpr std::size_t shown_d = 32, shown_words = 256, shown_length = 64;
inline constexpr auto is_shown = [](const auto& row) {
  return row.d == shown_d && row.v == shown_words && row.l == shown_length;
};

/// Power of a word and of a position in width d.
inline double word_power(std::size_t d) { return d; }
inline double position_power(std::size_t d) { return d / 2.0; }
/// n, from the noise at d = 32.
inline double noise_at(std::size_t d, double noise) { return noise * std::sqrt(d / 32.0); }

/// Position widths d/8, 2d/8 … 7d/8, made even; the word has the rest.
std::vector<std::size_t> position_widths(std::size_t d);

/// The factor by which the first `width` of a word's d iid entries of variance 1 keep its power.
double word_scale(std::size_t d, std::size_t width);

/// words: count x d, entries N(0, 1).
Matrix<float> word_table(std::size_t count, std::size_t d, const Stream& stream);

/// positions: length x width with mean ‖p‖² = power: exactly for sinusoids (of even width), on average for
/// random ones. Throws Error for a single centred position, and unless length, width and power are positive.
Matrix<float> position_table(Positions positions, std::size_t length, std::size_t width, double power,
                             const Stream& stream);

/// What was sent, N times, and the noise that met it.
struct Samples {
  std::vector<std::size_t> words;  ///< N rows of a table of words
  Matrix<float> noise;             ///< N x d, N(0, 1)
  /// N rows of a table of positions, each equally often: the ends of a text are easier to tell than its
  /// middle.
  std::vector<std::size_t> positions(std::size_t length) const;
};
Samples draw_samples(std::size_t count, std::size_t words, std::size_t d, const Stream& sent,
                     const Stream& noise);

/// Columns first … first + width - 1. Throws Error outside the table.
View<float> columns(const Matrix<float>& table, std::size_t first, std::size_t width);

/// Variances of a table's rows about their mean, along the principal axes: eigenvalues of their covariance.
std::vector<double> covariance_eigenvalues(View<float> table);
/// The same for sums of an independent row of each of two tables of equal width.
std::vector<double> covariance_eigenvalues(View<float> first, View<float> second);

/// Word or position alone, at each noise: bits, and whether the sample is taken for another one.
struct Channel {
  std::vector<double> bits;
  std::vector<std::vector<bool>> errors;
};
/// For codewords scale·x in d dimensions.
Channel channel_of(const CodeProducts& products, std::size_t d, const std::vector<double>& noises,
                   double scale = 1);

/// Words that leave the last d/steps, 2d/steps … dimensions to the position, and their products over all d, a
/// multiple of `steps`.
struct WordChannels {
  std::vector<Channel> by_split;
  CodeProducts all;
};
WordChannels word_channels(const Matrix<float>& words, const Samples& samples, std::size_t steps,
                           const std::vector<double>& noises);

/// Positions (L x width) in the last `width` of the samples' dimensions.
CodeProducts position_products(const Matrix<float>& positions, const Samples& samples);

using Values = std::vector<double>;  ///< by codebook

template <class Get>
auto in_bits(std::string_view name, std::string_view meaning, Get get) {
  return sampled(name, meaning, get).unit("bits");
}
/// The same column with the ends of its interval behind it.
template <class Item>
ColumnOf<Item> with_ends(const ColumnOf<Item>& column) {
  const std::string& name = column.about().name;
  return column.interval(name + "_low", name + "_high", "its lower end", "its upper end");
}

/// Mean over codebooks with Student's interval. The value is their plain sum over their number.
Estimate over_codebooks(const Values& values);
Values difference(Values a, const Values& b);
/// The arm with the largest sum over codebooks, the first of equal ones; arms: values by codebook. Leave one
/// out to measure on it: choosing and measuring on the same draws would flatter the chosen one.
std::size_t best_arm(const std::vector<Values>& arms, std::optional<std::size_t> left_out = {});

/// Which of many gains differ from 0, by Benjamini and Hochberg's procedure (1995, J. R. Stat. Soc. B 57:289)
/// at 1 %: the most, k of m, each of which has by itself an interval of level 1 - k/m · 1 % without 0.
std::vector<bool> certain(const std::vector<Estimate>& gains);

}  // namespace perp::capacity
