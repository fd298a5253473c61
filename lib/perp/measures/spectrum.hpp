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
/// over many small ones does not show and a rank with a cutoff below would. Throws Error for an empty table
/// and for values that are not finite. T: float, double.
template <class T>
std::vector<double> spectrum(View<T> table, Centring centring);
template <TableLike A>
std::vector<double> spectrum(const A& table, Centring centring) {
  return spectrum(View(table), centring);
}

/// Four numbers that are all called dimension. Of one matrix they can be 2.05, 2.7, 3 and 7.
struct EffectiveDimension {
  double stable_rank = 0;                  ///< Σλ/λ₁ (Rudelson & Vershynin 2007, J. ACM 54, 21)
  double participation_ratio = 0;          ///< (Σλ)²/Σλ²
  std::size_t r90 = 0, r99 = 0, r999 = 0;  ///< fewest leading eigenvalues that sum to .9, .99, .999 of Σλ
};

/// From eigenvalues in descending order, none negative. Throws Error for another order, for values that are
/// not finite, and when all are 0.
EffectiveDimension effective_dimension(std::span<const double> eigenvalues);

}  // namespace perp
