#pragma once
// Study `anatomy`: the pictures of the sinusoid. One file each; it returns the experiment.
//
// Pictures have d = 512 dimensions, pairs i = 0 … 255 of (sin ω_i t, cos ω_i t), ω_i = T^(-2i/d), T = 10,000.

#include <cstddef>
#include <functional>

#include "perp/base/array.hpp"
#include "perp/study/experiment.hpp"

namespace perp::anatomy {

/// The table that is drawn, and the small one whose numbers can be read: dimensions and positions of both.
inline constexpr std::size_t width = 512, length = 128, small_width = 32, small_length = 16;
/// A text of usual length, for what a picture of 128 positions cannot show.
inline constexpr std::size_t text_length = 512;
/// Half a unit in the last place of 1 in float64.
inline constexpr double roundoff = 0x1p-53;

/// What stands in <claim>.toml.
std::string_view toml_of(std::string_view claim);

Experiment heat_map(const Options& options);        // V1, a picture
Experiment clock_hands(const Options& options);     // V2, a picture
Experiment circle_of_sums(const Options& options);  // V3, a picture
Experiment wavelengths(const Options& options);     // V4, evidence for D7
Experiment similarity(const Options& options);      // V5, beside the claims
Experiment distortion(const Options& options);      // V6, beside the claims

/// The study `anatomy`: the pictures V1 to V6 that people draw of the sinusoid, each with what it says in
/// numbers.
Study study();

// ---- Reading a table as a clock: each pair of columns as a hand on a dial.

/// What one hand does from position to position; the dial's right is `across`, its top is `up`.
struct Hand {
  double radius_error = 0;    ///< largest |length - 1|
  std::size_t clockwise = 0;  ///< steps that turn it clockwise, by less than half a turn
  double turned = 0;          ///< radians from the first position to the last, clockwise positive
};

/// Columns `across` and `up` of `table` (positions x d) as one hand. The direction of a step is the sign of
/// the cross product of two neighbouring positions, the turn its angle.
Hand read_hand(const Matrix<double>& table, std::size_t across, std::size_t up);

/// Rounding of a hand's length: sine and cosine of one angle are within 4 u each (positions.hpp), so their
/// point is within √2·4 u of the circle; 8 u with the length's own rounding.
double radius_bound();

// ---- A picture's matrix as a compact table: one row per row, one column per column, four decimals.

/// To four decimals, which is finer than a colour can show; without a negative zero.
double four_decimals(double value);

/// Adds a table to what follows from the claim, after those of its file: first the row's index, then columns t0, t1, …, whose
/// meaning is `meaning` followed by the column's position.
void add_matrix(Experiment& claim, const char* file, const Column& index, const char* meaning,
                std::function<Matrix<double>()> values);

}  // namespace perp::anatomy
