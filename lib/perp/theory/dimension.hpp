#pragma once
// Claim O3: how many dimensions the sinusoidal table fills.
//
// Table: L positions, d columns, frequencies omega_i = T^(-2i/d). r99 is the smallest number of leading
// eigenvalues of the table's Gram matrix that sum to at least .99 of its trace.
//
// The formula is the project's own. Frequencies are uniform in ln omega: d/ln T columns per unit, sine and
// cosine together. A table of L positions resolves at most L/pi directions per unit of omega. The two
// densities meet at omega = 1/x, x = L ln T/(pi d): below it, directions are limited by L, above it by the
// columns, and
//   r = integral of min(L/pi, d/(omega ln T)) d omega over 1/T < omega < 1,
// of which the last hundredth of the energy is taken off, and a constant fitted for the logarithmic edge is
// added:
//   x <= 1:      (L/pi) T^-.01 + 1.4
//   1 < x < T:   (d/ln T)(1 - x/T + ln x) - .015 d + 1.4
//   beyond:      .99 d
// Measured against eigenvalues for d = 64 ... 1024, L = 12 ... 8192, T = 1e3, 1e4, 1e5: error at most 1.9
// outside .8 < x < 1.6 and 5.8 inside (stated as 2.3 and 7.3), where it is mostly too low, in proportion to
// d: -5.3 at d = 1024, -11.8 at d = 2048, T = 1e4. Report it, gate nothing on it.
//
// L >= 1, d >= 2 and even, T > 1 and finite; Error{unusable} otherwise. Results are real numbers, not whole
// ones, and never above d, nor above the table's rank, L (centred: L - 1).

#include <cstddef>

namespace perp::theory {

/// Effective dimension r99 of the table as it is.
double sinusoid_r99(std::size_t positions, std::size_t d, double base);

/// Share of the table's energy in its mean row, f = (ln(T/L) + .923)/ln T, kept within [0, 1]: columns slower
/// than L positions are constants.
double sinusoid_mean_share(std::size_t positions, double base);

/// Effective dimension r99 after the mean row was subtracted: what is taken off shrinks, T^-.01 to
/// T^(-.01(1-f)) and .015 d to .015 d (1-f), and the mean's own dimension is lost. Once f reaches 0 (L
/// above 2.5 T) there is no mean to lose, and this is sinusoid_r99. Error at most 1.9 outside .8 < x < 1.6,
/// at most 5.1 inside, same grid.
double sinusoid_r99_centred(std::size_t positions, std::size_t d, double base);

}  // namespace perp::theory
