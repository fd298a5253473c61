#pragma once
// The table of words and positions itself as the unknown (claim A4): what bilinear_fit leaves depends on the
// table through the range of its sums alone and is minimised over the entries that are free, M being the best
// for every table on the way.
//
// residual = 1 - tr(ΠXΠXᵀ)/‖X‖² with X = RTRᵀ, Π = UUᵀ the projector on the range of A = RZ = UΣQᵀ. From
// dΠ = (I-Π) dA A⁺ + transpose, with C = XU, D = XᵀU, B = UᵀXU:
//   d residual/dZ = -2/‖X‖² Rᵀ (I-Π) (C Bᵀ + D B) Σ⁻¹ Qᵀ,
// a descent by limited-memory BFGS (Nocedal 1980, Math. Comp. 35, 773) with backtracking (Armijo).

#include <vector>

#include "perp/measures/bilinear.hpp"

namespace perp {

struct BilinearGradient {
  double residual = 0;
  Matrix<double> gradient;  ///< n x d
};
/// Throws Error as bilinear_fit. Where singular values lie below the cutoff it is the gradient within those
/// that count.
BilinearGradient bilinear_gradient(const Matrix<double>& table, const BilinearTargets& targets,
                                   double cutoff = usual_cutoff);

struct OptimumSettings {
  std::size_t steps = 100;
  bool keep_power = false;  ///< the free entries' sum of squares stays what it was at the start
  double enough = 1e-7;     ///< stops after five steps that gain less than this together
  double cutoff = usual_cutoff;
};
struct BilinearOptimum {
  Matrix<double> table;
  std::vector<double> path;  ///< residual at the start and after every step; never rises
  double residual() const { return path.back(); }
};
/// start, free: n x d; an entry moves where `free` is not 0. Throws Error for shapes that differ and if
/// nothing is free.
BilinearOptimum bilinear_optimum(const Matrix<double>& start, const BilinearTargets& targets,
                                 const Matrix<double>& free, const OptimumSettings& settings = {});

}  // namespace perp
