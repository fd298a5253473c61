#pragma once
// Two ways to read a position from a sum: by a linear map, and by the nearest encoding.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perp/base/array.hpp"

namespace perp::distance {

/// Rows that a read-out of d dimensions learns from, and rows that it is tested on.
inline std::size_t training_rows(std::size_t d) { return d <= 128 ? 1024 : 4 * d; }
inline constexpr std::size_t tested_rows = 1024;

/// 1 - Σ(t - t̂)²/Σ(t - t̄)² over the rows of `y` (n x d) from row `train` on, t̂ the linear map (and constant)
/// fitted to `places` by least squares on the rows before. A ridge of 1e-9 of the mean eigenvalue keeps
/// directions that do not vary out. Throws Error unless train > d and rows remain to be tested.
double readout_r2(const Matrix<double>& y, const std::vector<std::uint32_t>& places, std::size_t train);

/// What a population's R² becomes when the map of `dimensions` normal regressors is fitted on `train` rows
/// and tested on others: the mean square error grows by (n+1)(n-2)/(n(n-p-2)) (Stein 1960; Narula 1974,
/// Technometrics 16, 455).
double held_out_r2(double population, std::size_t train, std::size_t dimensions);

/// Share of the rows of `y` whose largest cosine with a row of `table` (L x d) is with row places[r].
double nearest_share(const Matrix<double>& y, const Matrix<double>& table,
                     const std::vector<std::uint32_t>& places);

}  // namespace perp::distance
