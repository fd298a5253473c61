#pragma once
// The spectrum of the sinusoidal table without the table: seconds become milliseconds, and any length is
// possible.

#include <cstddef>
#include <span>
#include <vector>

namespace perp {

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
/// and nothing from the sines'. The blocks' eigenvalues come from low_rank_eigenvalues.
///
/// Throws Error for no frequencies, no positions, and frequencies outside [0, 3].
SinusoidSpectra sinusoid_spectra(std::span<const double> frequencies, std::size_t positions);

}  // namespace perp
