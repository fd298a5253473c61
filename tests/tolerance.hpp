#pragma once
// Every bound the tests use, in one place: its name, its formula, and why it is that large and not larger.
// A statistical bound states the false-alarm rate of the test that uses it. Sections follow the floors.

#include <cmath>
#include <cstddef>
#include <limits>

namespace perp::tolerance {

// ---- base ----------------------------------------------------------------------------------------------------

/// A product of n terms below 1 in absolute value: n u bounds one inner product summed in any order (Higham 2002,
/// Accuracy and Stability of Numerical Algorithms, eq. 3.5: gamma_n sum |a b|), and 4 covers the roundings of the
/// few such sums that follow each other.
template <class T>
double inner_product(std::size_t n) {
  return 4.0 * static_cast<double>(n) * static_cast<double>(std::numeric_limits<T>::epsilon());
}

// ---- random --------------------------------------------------------------------------------------------------

// ---- io ------------------------------------------------------------------------------------------------------

/// Half a unit of the last digit of a number printed to three places, and as much again for its own computation.
inline constexpr double printed_to_three_places = 1e-3;

/// Unit vectors of 300 numbers, printed to five significant digits or 6 decimals: a number near 1/sqrt(300) is off by up
/// to 5e-7, a larger one by 5e-6; the norm then by at most sqrt(300) * 5e-6 = 8.7e-5.
inline constexpr double unit_norm_of_printed_words = 8.7e-5;

// ---- statistics ----------------------------------------------------------------------------------------------

// ---- theory --------------------------------------------------------------------------------------------------

/// Closed forms through gamma, beta and arctangent functions in double: some hundred roundings, relative.
inline constexpr double closed_form = 1e-12;

/// A quantile against the reference: the closed form's error over the slope, here at most tenfold; relative.
inline constexpr double inverse = 1e-10;

/// (1 - P)^N evaluated at the quantile: d ln p = N dP, and P carries d times the quantile's error; relative.
inline constexpr double extreme_value = 1e-9;

/// Mean of n standardised values: 5 standard errors, false alarm 6e-7.
inline double standardised_mean(int n) { return 5 / std::sqrt(static_cast<double>(n)); }

/// Variance of n standardised values: 5 standard errors for a kurtosis of up to 6 (weighted sums of squares are
/// skew), false alarm 6e-7.
inline double standardised_variance(int n) { return 5 * std::sqrt(5 / static_cast<double>(n)); }

/// Johnstone's line at min(k, r) >= 8, over 8 away from k + r = d: worst distance from simulation seen, .12 sd of
/// the largest cosine for the mean, 14 % for the sd, both at d = 64; simulation errors of .01 sd on top.
inline constexpr double johnstone_mean = 0.15;
inline constexpr double johnstone_sd = 0.16;

/// The sinusoid's effective dimension, x = L ln T/(pi d): stated error of the project's formula for d <= 1024.
inline double sinusoid_dimension(double x) { return x > 0.8 && x < 1.6 ? 7.3 : 2.3; }

// ---- vectors -------------------------------------------------------------------------------------------------

// ---- measures ------------------------------------------------------------------------------------------------

// ---- study ---------------------------------------------------------------------------------------------------

}  // namespace perp::tolerance
