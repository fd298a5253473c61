#pragma once
// The linear map that takes p_t to p_{t+k} (claim D3). All in float64: a sinusoid's table is numerically rank-deficient, and a float32 table's
// rounding passes for rank. Interleaved layout: (sin ω_0 t, cos ω_0 t, sin ω_1 t, …).

#include <cstddef>
#include <span>
#include <vector>

#include "perp/base/array.hpp"

namespace perp {

/// R(k), d x d for d/2 frequencies: p_{t+k} = R(k) p_t for columns, P_{t+k} = P_t R(k)ᵀ for tables. Blocks
/// [cos ω_i k, sin ω_i k; -sin ω_i k, cos ω_i k] on the diagonal: orthogonal, R(j) R(k) = R(j+k). Throws
/// Error for no frequencies and for values that are not finite.
Matrix<double> shift_map(std::span<const double> frequencies, double lag);

struct MapError {
  double relative = 0;  ///< ‖from·mapᵀ - to‖_F/‖to‖_F
  double worst = 0;     ///< largest entry of |from·mapᵀ - to|
};
/// How well row r of `from` (n x d) is taken to row r of `to` (n x d) by `map` (d x d). Streams through the
/// tables. Throws Error for other shapes, empty tables and to = 0.
MapError map_error(View<double> from, View<double> to, const Matrix<double>& map);

/// ‖A - B‖_F/‖B‖_F for two maps d x d; B is not 0.
double map_distance(const Matrix<double>& a, const Matrix<double>& b);
struct RecoveredMap {
  Matrix<double> map;                   ///< d x d
  std::vector<double> singular_values;  ///< of `from`, descending: min(n, d) of them
  std::size_t rank = 0;                 ///< how many of them were used: those above cutoff times the largest
};
/// The map of least norm among those that minimise ‖from·mapᵀ - to‖_F over the directions of `from` (n x d)
/// whose singular values exceed `cutoff` times the largest; `to`: n x d. Tall tables are reduced by QR, block
/// after block, then decomposed without squaring their condition: however ill-conditioned `from` is, an exact
/// relation is met in range to the cutoff or a few 1e-15, whichever is more. What lies outside the range
/// stays undetermined and is mapped to 0. Throws Error for other shapes, empty tables, values that are not
/// finite, from = 0, and a cutoff outside [1e-15, 1).
RecoveredMap recover_map(View<double> from, View<double> to, double cutoff);

}  // namespace perp
