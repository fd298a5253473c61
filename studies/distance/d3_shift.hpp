#pragma once
// Shared by the files of claim D3: the shift as a construction, and as what data determine of it.

#include <cstddef>
#include <vector>

#include "perp/study/experiment.hpp"

namespace perp::distance {

/// Singular values of the table up to this share of the largest do not enter the map recovered from data.
inline constexpr double shift_cutoff = 1e-12;
/// A map that errs by less than this outside the positions it was fitted to counts as recovered.
inline constexpr double recovered = 1e-6;

/// Largest entry of |R(k) p_t - p_{t+k}| by float64's rounding, u (2(t+k) + 16): three angles of up to t+k in
/// all, each off by u times itself, and a few roundings of sines and products. Also bounds ‖R(t)R(k) -
/// R(t+k)‖_F/√d.
double construction_bound(double t, double k);

/// 2π over the smallest gap between the frequencies ±ω_i: from twice that many positions on the table's
/// singular values all lie within √3 of one another (Moitra 2015, "Super-resolution, extremal functions and
/// the condition number of Vandermonde matrices"), so that the map is determined. Sufficient, not necessary.
double certain_length(std::size_t d);

/// √(1 - rank/d): relative error, far from the positions of the fit, of a map that is right in `rank` of d
/// directions and 0 in the rest: phases there are spread evenly, so that each direction holds the same share
/// of ‖p‖².
double far_error(std::size_t d, double rank);

/// Tables, findings and rule of D3 from its cells' records.
Outcome summarise_shift(const std::vector<CellRecords>& cells);

}  // namespace perp::distance
