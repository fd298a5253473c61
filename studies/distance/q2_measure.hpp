#pragma once
// Sums of words and positions before and after LayerNorm: what question Q2 measures of them, and what to
// expect.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "perp/study/experiment.hpp"
#include "studies/inputs/positions.hpp"

namespace perp::distance {

// ---- reading a position from a sum ---------------------------------------------------------------------

/// Rows that a read-out of d dimensions learns from, and rows that it is tested on.
inline std::size_t training_rows(std::size_t d) { return d <= 128 ? 1024 : 4 * d; }
inline constexpr std::size_t tested_rows = 1024;

/// 1 - Σ(t - t̂)²/Σ(t - t̄)² over the rows of `y` (n x d) from row `train` on, t̂ the linear map (and constant)
/// fitted to `places` by least squares on the rows before. A ridge of 1e-9 of the mean eigenvalue keeps
/// directions that do not vary out. Throws Error unless train > d and rows remain to be tested.
double readout_r2(const Matrix<double>& y, const std::vector<std::uint32_t>& places, std::size_t train);

/// What a population's R² becomes when the map of `dimensions` normal regressors is fitted on `train` rows
/// and tested on others: the mean square error grows by (n+1)(n-2)/(n(n-p-2)) (Stein 1960; Narula 1974, J. R.
/// Stat. Soc. C 23, 11).
double held_out_r2(double population, std::size_t train, std::size_t dimensions);

/// Share of the rows of `y` whose largest cosine with a row of `table` (L x d) is with row places[r].
double nearest_share(const Matrix<double>& y, const Matrix<double>& table,
                     const std::vector<std::uint32_t>& places);

// ---- sums ----------------------------------------------------------------------------------------------

/// What of a table of positions, as it is or with each row less its mean entry, every draw needs.
struct Directions {
  std::vector<double> spectrum;  ///< eigenvalues of the covariance of the rows, ascending
  std::vector<double> target;    ///< (v_i · Σ (t - t̄)(p_t - p̄)/L)² for its eigenvectors v_i
  double mean_square = 0;        ///< E‖p‖²
  double pairs = 0, by_lag = 0;  ///< variance of p_t·p_s over all pairs, and of its means per lag
};
struct PlacedTable {
  Matrix<double> positions;     ///< L x d
  LayerNormWeights layer_norm;  ///< none for gain 1 and bias 0
  Matrix<double> normalised;    ///< the positions after LayerNorm
  Matrix<float> basis;          ///< r90 leading directions of the rows about their mean, r x d
  Directions as_is, less_mean;

  std::size_t length() const { return rows(positions); }
  std::size_t d() const { return cols(positions); }
};
/// The epsilon that most models add to the variance.
inline constexpr double usual_epsilon = 1e-5;
PlacedTable placed_table(Matrix<double> positions, LayerNormWeights layer_norm = {});

/// Numbers of sums, NaN where there is none.
struct SumNumbers {
  double parts_cosine = NAN, position_share = NAN, energy = NAN, lag_r2 = NAN, readout = NAN, nearest = NAN;
};
/// Of the same sums.
struct BeforeAfter {
  SumNumbers before, after;
};
struct SumMeasure {
  const char* name;   ///< in a finding's id and in tables
  const char* label;  ///< in words
  double SumNumbers::*number;
  const char* meaning = nullptr;  ///< the definition, of those that read a position
};
std::span<const SumMeasure> sum_measures();

/// words: count x d of a family ("gaussian", "anisotropic", "turned": anisotropic under a random rotation),
/// E‖x‖² = d.
Matrix<double> drawn_words(const std::string& words, std::size_t count, std::size_t d, const Streams& streams,
                           std::size_t draw);
std::size_t words_needed(const PlacedTable& table);  ///< by the next

/// One draw's words, scaled so that √(E‖p‖²/E‖x‖²) = ratio, at random places.
BeforeAfter measure_sums(const PlacedTable& table, const Matrix<double>& words, double ratio,
                         const Streams& streams, std::size_t draw);

/// What to expect with isotropic words.
BeforeAfter sum_lines(const PlacedTable& table, double ratio);

/// Change by LayerNorm of the cosines of rows 0 and 1, 2 and 3, …, root mean square.
double cosine_change(const Matrix<double>& words);

}  // namespace perp::distance
