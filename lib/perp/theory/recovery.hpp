#pragma once
// Claim A1: how often the nearest word to y = x_w + p is x_w, when nothing is known of p.
//
// Words are drawn independently and without preference for a direction; p is any vector independent of them.
// Only its length counts, so no property of an encoding enters but its power. `ratio` is ‖p‖ over a word's
// length, V the number of words, d >= 2 the dimension. Own derivation. Everything throws Error{unusable}
// outside stated ranges and for NaN.

#include <cstddef>

namespace perp::theory {

/// P(nearest word is right), words of one length and any p with ‖p‖ = ratio · that length:
///   P = ∫ f_d(c) F_d((1 + ρc)/√(1 + ρ² + 2ρc))^(V-1) dc,
/// c the cosine of x_w and p, f_d and F_d the law of a random cosine (cosine.hpp): given y the other words
/// are still uniform on the sphere. Exact for nearest by distance, by cosine and by inner product, which
/// agree for words of one length. By cosine it is exact for every spherical family, ρ being ‖p‖/‖x_w‖ of the
/// word at hand. V >= 1, 0 <= ratio. Absolute error below 1e-9.
double recovered(std::size_t d, double words, double ratio);

/// √(d/(2 ln V)): the ratio at which a position is as long as the best of V random words reaches along it.
/// Errs low: the largest of V normals stays below √(2 ln V). V > 1.
double recovery_knee(std::size_t d, double words);

/// The ratio with recovered(d, words, ratio) = share, 0 < share < 1 and above chance, 1/V; V > 1.
double recovery_ratio(std::size_t d, double words, double share);

struct RecoveryBounds {
  double low = 0, high = 1;
};
/// Between which shares of the L positions of the sinusoidal table (distance.hpp) the nearest row to x + p_t
/// is p_t, mean over t: x in a uniform direction, ‖p_t‖ = ratio ‖x‖. `recovered` with L for V and 1/ratio is
/// for positions that are unrelated; the sinusoid's neighbours are alike. A row at lag k is nearer with the
/// chance q_k = P(cosine < -ratio √((1-g_k)/2)), g the kernel. Low: 1 - Σ q_k over all rows (Bonferroni).
/// High: of the rows at lags ±k neither is nearer, 1 - 2 q_k + P(both) at the k where that is least; if both
/// are, so is their sum: cosine < -ratio (2 - 2 g_k)/√(8(1-g_k) - 2(1-g_2k)). [512 x 512, T = 10⁴, ratio √½:
/// .9364, .9369.] L >= 1, d even, base > 1, ratio >= 0.
RecoveryBounds sinusoid_recovered(std::size_t d, std::size_t positions, double base, double ratio);

}  // namespace perp::theory
