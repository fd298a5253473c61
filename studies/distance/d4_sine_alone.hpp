#pragma once
// Shared by the files of claim D4: sines alone, p_t,i = sin(T^(-i/d) t), i = 0 … d-1.

#include <cstddef>
#include <span>
#include <vector>

#include "perp/study/experiment.hpp"

namespace perp::distance {

/// Singular values of a table up to this share of the largest do not enter its best shift map.
inline constexpr double sine_cutoff = 1e-12;

/// The Toeplitz defect of L sine-only positions for d -> infinity: p_t·p_s = (d/2)(κ(t-s) - κ(t+s)), κ the
/// kernel's limit (theory::kernel_limit); the second term is what a sine's product has besides the lag.
double sine_alone_defect(std::size_t length, double base);
/// The same from the sums of cosines of the sines' own frequencies, lags 0 … 2L-2 or more, at any scale: of
/// any number of dimensions. Throws Error for fewer lags.
double sine_alone_defect(std::size_t length, std::span<const double> kernel);

/// √(Σ sin²ω_i k/d): relative error, over many positions, of the best linear map of lag k. sin ω(t+k) is
/// cos ωk sin ωt + sin ωk cos ωt, and over a long range cosines are orthogonal to sines: the second part is
/// lost.
double sine_alone_shift_error(std::size_t d, double base, double lag);

/// Tables, findings and rule of D4 from its cells' records.
Outcome summarise_sine_alone(const std::vector<CellRecords>& cells);

}  // namespace perp::distance
