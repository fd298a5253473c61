#pragma once
// Sums of words and positions before and after LayerNorm, and what question Q2 measures of them.

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/study/experiment.hpp"
#include "studies/inputs/positions.hpp"

namespace perp::distance {

/// Positions with what of them every draw needs.
struct PlacedTable {
  Matrix<double> positions;            ///< L x d
  Matrix<double> normalised;           ///< the same after LayerNorm
  std::vector<double> gain, bias;      ///< of the LayerNorm; none for 1 and 0
  Matrix<float> basis;                 ///< r90 leading directions of the rows about their mean, r x d
  std::vector<double> spectrum;        ///< eigenvalues of the covariance of the rows, ascending
  std::vector<double> target;          ///< (v_i · Σ (t - t̄)(p_t - p̄)/L)² for its eigenvectors v_i
  std::vector<double> spectrum_after;  ///< the same of rows less their mean entry
  std::vector<double> target_after;
  double mean_square = 0, mean_square_after = 0;  ///< E‖p‖², as is and less the mean entry
  /// Variance of p_t·p_s over all pairs and of its means per lag, as is and less the mean entry.
  double pairs = 0, by_lag = 0, pairs_after = 0, by_lag_after = 0;

  std::size_t length() const { return rows(positions); }
  std::size_t d() const { return cols(positions); }
};
/// The epsilon that most models add to the variance.
inline constexpr double usual_epsilon = 1e-5;
PlacedTable placed_table(Matrix<double> positions, std::vector<double> gain = {},
                         std::vector<double> bias = {});

/// Rows less their mean entry: what LayerNorm leaves of a vector but for its length, gain and bias.
Matrix<double> less_mean_entry(View<double> table);

/// Numbers of the same sums before and after, one per measure of `norm_measures`.
inline constexpr std::size_t norm_measure_count = 8;
struct BeforeAfter {
  std::array<double, norm_measure_count> before{}, after{};
};
struct NormMeasure {
  const char* name;     ///< in a finding's id and in tables
  const char* label;    ///< in words
  const char* meaning;  ///< the definition
};
/// length, length_spread, parts_cosine, position_share, energy, lag_r2, readout, nearest.
std::span<const NormMeasure> norm_measures();

/// words: count x d of a family ("gaussian", "anisotropic", "turned": anisotropic under a random rotation),
/// E‖x‖² = d.
Matrix<double> drawn_words(const std::string& words, std::size_t count, std::size_t d, const Streams& streams,
                           std::size_t draw);
std::size_t words_needed(const PlacedTable& table);  ///< by the next

/// One draw's words, scaled so that √(E‖p‖²/E‖x‖²) = ratio, at random places.
BeforeAfter measure_sums(const PlacedTable& table, const Matrix<double>& words, double ratio,
                         const Streams& streams, std::size_t draw);

/// What to expect of measures with isotropic words; NaN where there is no line.
BeforeAfter sum_lines(const PlacedTable& table, double ratio);

BeforeAfter no_lines();  ///< NaN throughout

/// R² of a linear read-out of the position from x + p, words isotropic with entries of this variance and
/// positions all equally likely, in the population: Σ target_i/(spectrum_i + variance)/var t.
double readout_line(std::span<const double> spectrum, std::span<const double> target, double variance,
                    std::size_t length);

/// Change by LayerNorm of the cosines of rows 0 and 1, 2 and 3, …, root mean square.
double cosine_change(const Matrix<double>& words);

}  // namespace perp::distance
