#pragma once
// Claims A3 and A4: how well one matrix M can score sums y = x_w + p_t as four independent tables of targets
// ask, s((w,t), (v,s)) = T_wv + T_ws + T_tv + T_ts with iid standard normal entries, V words and L positions.
//
// Over all VL sums, Y = J [W; P] with the incidence J (VL x (V+L)) of words and positions. The range of J has
// V + L - 1 dimensions: adding a vector to every word and taking it from every position leaves every sum as
// it is. In that range the squared singular values of J are
//   L on the V-1 contrasts of words,  V on the L-1 contrasts of positions,  V+L on their common mean;
// they sum to 2VL. A table of sums whose range has the projector Π keeps, of JTJᵀ, on average the share
// (tr ΠK / tr K)², K their diagonal matrix. Our derivation. Words and positions: at least one of each.

#include <cstddef>

namespace perp::theory {

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
/// With d_t = d_p = d it is what the words alone and the positions alone leave, each in all d dimensions.
double split_residual(std::size_t words, std::size_t positions, std::size_t word_width,
                      std::size_t position_width);

/// The split of least split_residual: the width of positions, 1 <= d_p < d; the narrowest of equal ones.
std::size_t best_split(std::size_t words, std::size_t positions, std::size_t d);

/// Of targets of which half the energy asks words, half positions, and none across: expected residual
/// 1 - (w² + p² + p(1-p)·flatness)/2 where the sums keep the share w of the words' energy's root and a
/// projector on the share p of the positions' directions, isotropic. flatness = (tr T)²/(L‖T‖²) of the
/// positions' targets T, 1 for a multiple of the unit matrix. All three from 0 to 1.
double smooth_residual(double word_share, double position_share, double flatness);

/// That residual in R^d for words along `rank` directions alone (mean 0, WᵀW with so many equal eigenvalues)
/// that ask for their Gram matrix, and Gaussian positions of `power` > 0 times the words' squared length: the
/// directions have variance L/rank and power, and are kept as in added_residual. How many words there are
/// does not matter: all of JZ grows with their number. 0 for rank + L <= d. Leading order in rank/d; our
/// derivation.
double low_rank_residual(std::size_t rank, std::size_t positions, std::size_t d, double power,
                         double flatness);

}  // namespace perp::theory
