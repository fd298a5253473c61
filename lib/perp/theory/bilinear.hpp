#pragma once
// Claims A3 and A4: how well one matrix M can score sums y = x_w + p_t as four independent tables of targets
// ask, s((w,t), (v,s)) = T_wv + T_ws + T_tv + T_ts with iid standard normal entries, V words and L positions.
//
// Over all VL sums, Y = J [W; P] with the incidence J (VL x (V+L)) of words and positions. The range of J has
// V + L - 1 dimensions: adding a vector to every word and taking it from every position leaves every sum as
// it is. In that range the squared singular values of J are
//   L on the V-1 contrasts of words,  V on the L-1 contrasts of positions,  V+L on their common mean;
// they sum to 2VL. A table of sums whose range has the projector Π keeps, of JTJᵀ, on average the share
// (tr ΠK / tr K)², K their diagonal matrix. Our derivation. Everything throws Error{unusable} outside the
// stated ranges.

#include <cstddef>

namespace perp::theory {

/// What is asked of M.
enum class Match {
  sums,      ///< every score of a sum with a sum
  parts,     ///< the four blocks one by one: W M Wᵀ = T_ww and so on
  contrasts  ///< the scores' part that depends on both sides, with words and positions centred
};

/// The least d at which tables in general position are scored exactly, whatever the targets: V+L-1 for sums,
/// V+L for parts, V+L-2 for contrasts. V, L >= 1.
std::size_t exact_dimension(std::size_t words, std::size_t positions, Match match = Match::sums);

/// Expected residual 1 - (kept/whole)², kept = tr ΠK and whole = tr K. 0 <= kept <= whole (1 + 1e-9),
/// whole > 0; never below 0.
double expected_residual(double kept, double whole);

/// Expected residual of Gaussian words (entries of variance 1) to which Gaussian positions (variance `power`
/// > 0) are added in R^d, V+L -> ∞ at fixed V/d, L/d: direction i of the sums has variance D_i = L (words),
/// V·power (positions) or L + V·power (mean), and is kept by the share D_i/(D_i + ξ), where the shares sum to
/// d (Silverstein & Bai 1995, J. Multivariate Anal. 54, 175, for the equation). 0 for V+L-1 <= d.
/// [V = 300, L = 32, d = 64: .8546 at power 1.]
double added_residual(std::size_t words, std::size_t positions, std::size_t d, double power);

/// The same where words have d_t dimensions and positions others, d_p: 1 - ((min(d_t/V, 1) + min(d_p/L,
/// 1))/2)². Leading order: the mean that both parts hold is off by 1/V and 1/L. [300, 32, 32 + 32: .694.]
double split_residual(std::size_t words, std::size_t positions, std::size_t word_width,
                      std::size_t position_width);

/// The split of least split_residual: the width of positions, 1 <= d_p < d; the narrowest of equal ones.
std::size_t best_split(std::size_t words, std::size_t positions, std::size_t d);

/// Share of the squared singular values that the largest `fraction` of them hold, for a large square matrix
/// of iid entries: the quarter-circle law (Marchenko & Pastur 1967, Math. USSR Sbornik 1, 457). With the
/// least of them 2 sin φ: fraction 1 - (2φ + sin 2φ)/π, share 1 - (2φ - ½ sin 4φ)/π. 0 <= fraction <= 1.
double largest_singular_share(double fraction);

/// Least singular value of [W; P] for orthonormal rows W and P whose largest principal cosine is c:
/// √(1 - c). 0 <= c <= 1.
double least_singular_value(double largest_cosine);

}  // namespace perp::theory
