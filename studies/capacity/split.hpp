#pragma once
// How words, positions, power and noise are set up for claims that compare adding with every split.
//
// Equal total dimension d, equal total power, equal noise:
//   word       Gaussian; mean ‖x‖² = d, whether it has all d dimensions or d_t of them
//   position   mean ‖p‖² = d/2, whether it has all d dimensions or d_p of them: the sinusoid's own power
//   noise      N(0, n²) in each of the d dimensions
// So a narrow part is not a faint one: x keeps its energy and concentrates it.

#include <cstddef>
#include <string>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/random/stream.hpp"

namespace perp::capacity {

/// What positions look like.
enum class Positions {
  sinusoidal,  ///< as they are: of base 10,000 and the width they are given
  centred,     ///< the sinusoid less its mean over positions, scaled back to power d/2
  random       ///< Gaussian entries: a random codebook, as the words'
};
inline constexpr Positions all_positions[] = {Positions::sinusoidal, Positions::centred, Positions::random};
std::string name_of(Positions positions);

/// Power of a word and of a position in width d.
inline double word_power(std::size_t d) { return static_cast<double>(d); }
inline double position_power(std::size_t d) { return static_cast<double>(d) / 2; }

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

}  // namespace perp::capacity
