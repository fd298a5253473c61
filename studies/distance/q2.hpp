#pragma once
// Sums of words and positions before and after LayerNorm: how well question Q2 reads a position from them.

#include <cstdint>
#include <string>
#include <vector>

#include "perp/study/experiment.hpp"

namespace perp::distance {

/// Rows that a read-out of d dimensions learns from, and rows that it is tested on.
inline std::size_t training_rows(std::size_t d) { return d <= 128 ? 1024 : 4 * d; }
inline constexpr std::size_t tested_rows = 1024;

/// 1 - Σ(t - t̂)²/Σ(t - t̄)² over the rows of `y` (n x d) from row `train` on, t̂ the linear map (and constant)
/// fitted to `places` by least squares on the rows before. A ridge of 1e-9 of the mean eigenvalue keeps
/// directions that do not vary out. Throws Error unless train > d and rows remain to be tested.
double readout_r2(const Matrix<double>& y, const std::vector<std::uint32_t>& places, std::size_t train);

/// Share of the rows of `y` whose largest cosine with a row of `table` (L x d) is with row places[r].
double nearest_share(const Matrix<double>& y, const Matrix<double>& table,
                     const std::vector<std::uint32_t>& places);

/// Shares between 0 and 1, of the same sums.
struct Readouts {
  double lag_r2, readout, nearest;
};
struct BeforeAfter {
  Readouts before, after;
};

/// words: count x d of a family ("gaussian", "anisotropic", "turned": anisotropic under a random rotation),
/// E‖x‖² = d.
Matrix<double> drawn_words(const std::string& words, std::size_t count, std::size_t d, const Streams& streams,
                           std::size_t draw);
/// Words that the next needs, for positions L x d.
std::size_t words_needed(const Matrix<double>& positions);

/// One draw's words, scaled so that √(E‖p‖²/E‖x‖²) = ratio, at random places.
BeforeAfter measure_sums(const Matrix<double>& positions, const Matrix<double>& words, double ratio,
                         const Streams& streams, std::size_t draw);

/// The epsilon that most models add to the variance.
inline constexpr double usual_epsilon = 1e-5;

}  // namespace perp::distance
