#pragma once
// One matrix M (d x d) fitted by least squares to scores of all pairs of sums (claims A3 and A4):
//
//   y = x_w + p_t,  s((w,t), (v,s)) = T_wv + T_ws + T_tv + T_ts,  minimise Σ (yᵀMy' - s)² over all (VL)²
//   pairs.
//
// With the incidence J (VL x n, n = V+L) of words and positions, sums are JZ, Z = [W; P], and scores JTJᵀ.
// Any R with RᵀR = JᵀJ = [L·I 1; 1 V·I] keeps all squared lengths: ‖J X Jᵀ‖ = ‖R X Rᵀ‖. So the problem is A M
// Aᵀ ≈ R T Rᵀ with A = RZ, and nothing of size VL is ever formed. Ours, n + 1 rows that need no eigenproblem:
// √L (row - mean) for words, √V (row - mean) for positions, √(VL) (mean word + mean position).
//
// A = UΣQᵀ cut off where σ <= 1e-6 σ₁: M = QΣ⁻¹ B Σ⁻¹Qᵀ, B = Uᵀ(RTRᵀ)U, residual 1 - ‖B‖²/‖RTRᵀ‖². All in
// double: a float table's rounding noise would pass for rank.

#include <cstddef>

#include "perp/base/array.hpp"

namespace perp {

/// Singular values of the sums below this share of the largest count as 0.
inline constexpr double usual_cutoff = 1e-6;

/// R T Rᵀ for one set of targets, to be fitted by many tables.
struct BilinearTargets {
  Matrix<double> whitened;  ///< (n+1) x (n+1): words, positions, mean
  std::size_t words = 0, positions = 0;
  double energy = 0;  ///< ‖R T Rᵀ‖²
};
/// targets: n x n, words first, n = words + positions; words, positions >= 1.
BilinearTargets bilinear_targets(const Matrix<double>& targets, std::size_t words);

/// R Z: what the fit sees of the rows W (first) and P. table: n x d.
Matrix<double> whitened_rows(const Matrix<double>& table, std::size_t words);

struct BilinearFit {
  std::size_t rank = 0;  ///< of A, by that cutoff
  double residual = 0;   ///< 1 - ‖B‖²/‖RTRᵀ‖², at least 0
  Matrix<double> head;   ///< M, d x d
};
BilinearFit bilinear_fit(const Matrix<double>& table, const BilinearTargets& targets);

}  // namespace perp
