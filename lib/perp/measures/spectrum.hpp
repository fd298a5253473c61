#pragma once
// Spectra of tables and what "dimension" can be read from them (claim O3).

#include <cstddef>
#include <span>
#include <vector>

#include "perp/base/array.hpp"

namespace perp {

enum class Centring {
  as_is,    ///< about the origin
  centred,  ///< about the mean row
};

/// Eigenvalues of the covariance Σ x xᵀ/n of the rows x of `table` (n x d), or of Σ (x-x̄)(x-x̄)ᵀ/n: min(n, d)
/// of them, descending, negative rounding set to 0; units: square of the table's. Via the smaller of the d x
/// d and the n x n Gram matrix, in float64; the d x d way streams through the table. Each is off by some
/// 1e-15 of the largest; a float32 table's own rounding adds some (6e-8)² of the sum to each, which a sum
/// over many small ones does not show and a rank with a cutoff below would.
std::vector<double> spectrum(View<double> table, Centring centring);

/// Four numbers that are all called dimension. Of one matrix they can be 2.05, 2.7, 3 and 7.
struct EffectiveDimension {
  double stable_rank = 0;                  ///< Σλ/λ₁ (Rudelson & Vershynin 2007, J. ACM 54, 21)
  double participation_ratio = 0;          ///< (Σλ)²/Σλ²
  std::size_t r90 = 0, r99 = 0, r999 = 0;  ///< fewest leading eigenvalues that sum to .9, .99, .999 of Σλ
};

/// From eigenvalues in descending order, none negative. Throws Error when none is above 0.
EffectiveDimension effective_dimension(std::span<const double> eigenvalues);

/// Below this share of the largest eigenvalue the directions of a covariance are whatever rounding makes of
/// them. Rounding of size δλ₁ turns the directions above a gap λ by δλ₁/λ (Davis and Kahan 1970, SIAM Journal
/// on Numerical Analysis 7, 1): products in float64 (δ some 1e-13 at d = 1000) by 1e-3 at most.
inline constexpr double determined_in_double = 1e-10;

/// Directions so determined: eigenvalues, in any order, above that share of the largest; 0 for none.
std::size_t numerical_rank(std::span<const double> eigenvalues, double determined);
/// Of a covariance, d x d.
std::size_t numerical_rank(const Matrix<double>& covariance, double determined);

// The spectrum of the sinusoidal table without the table: seconds become milliseconds, and any length is
// possible.

/// Eigenvalues as `spectrum` would give them, descending, divided by the number of positions. Those left out
/// sum to at most 1e-10 of the trace.
struct SinusoidSpectra {
  std::vector<double> uncentred, centred;
};

/// Spectra of the L x 2m table (sin ω_i t, cos ω_i t), t = 0 … L-1, `frequencies`: m values ω_i, radians per
/// position.
///
/// Counting positions from the middle, s = t - (L-1)/2, turns every (sine, cosine) pair by an angle of its
/// own, which leaves the eigenvalues alone, and makes sines odd and cosines even in s: the 2m x 2m Gram
/// matrix falls apart into
///   Σ cos ω_i s cos ω_j s = ½(D(ω_i-ω_j) + D(ω_i+ω_j)),
///   Σ sin ω_i s sin ω_j s = ½(D(ω_i-ω_j) - D(ω_i+ω_j)),
/// D(x) = Σ cos x s = sin(Lx/2)/sin(x/2). Centring subtracts m mᵀ/L from the cosines' block, m_i = D(ω_i),
/// and nothing from the sines'. Frequencies lie within [0, 3]: beyond π the table is that of a lower one, and at 2π
/// D's closed form is 0/0.
SinusoidSpectra sinusoid_spectra(std::span<const double> frequencies, std::size_t positions);

}  // namespace perp
