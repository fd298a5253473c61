#pragma once
// Whether a table's variance sits in few of its coordinates (claim A11), and how it would be spread were the
// table turned at random.

#include <cstddef>
#include <span>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/random/draws.hpp"

namespace perp {

/// Of the variances v of a table's columns, d of them, none negative, in any one unit.
struct Concentration {
  double participation_ratio = 0;  ///< (Σv)²/Σv², from 1 (one column has all) to d (all have the same)
  double leading_share = 0;        ///< share of Σv in the leading 5 % of columns (leading_columns)
};

/// 5 % of d columns, rounded to the nearest number, at least one.
std::size_t leading_columns(std::size_t d);
/// Throws Error for values that are negative, not finite or all 0.
Concentration concentration(std::span<const double> variances);
/// Of the columns of a table (n x d), over n: d numbers in its unit squared.
std::vector<double> column_variances(const Matrix<double>& table);

/// The diagonal of a covariance over its trace: the share of each column of the variance of all.
std::vector<double> variance_shares(const Matrix<double>& covariance);
/// The fewest columns that hold `part` of the sum of these shares, the leading one first; all where they do not.
std::vector<std::size_t> columns_holding(std::span<const double> shares, double part);

/// `concentration` of each of `draws` uniform random rotations of a table whose covariance has these eigenvalues λ, d
/// of them in any order: under a rotation O the columns have the variances diag(OᵀΛO), v_j = Σ_i λ_i O_ij²,
/// whatever the eigenvectors are. Only the rows of O whose λ is above 1e-12 of their sum are drawn, a uniform
/// frame F = L⁻¹G of normal G with GGᵀ = LLᵀ: O(r² d) for r of them, and no share is off by more than 1e-9 at
/// d = 1000. Of the stream draw i takes the normals i r d … (i + 1) r d - 1; draws run side by side on
/// `threads`, on whose number nothing depends. Throws Error as `concentration`.
std::vector<Concentration> turned_concentrations(std::span<const double> eigenvalues, std::size_t draws,
                                                 const Stream& stream, std::size_t threads);

}  // namespace perp
