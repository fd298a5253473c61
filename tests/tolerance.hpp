#pragma once
// Every bound the tests use, in one place: its name, its formula, and why it is that large and not larger.
// A statistical bound states the false-alarm rate of the test that uses it. Sections follow the floors.

#include <cmath>
#include <cstddef>
#include <limits>

namespace perp::tolerance {

// ---- base

/// A product of n terms below 1 in absolute value: n u bounds one inner product summed in any order (Higham
/// 2002, Accuracy and Stability of Numerical Algorithms, eq. 3.5: gamma_n sum |a b|), and 4 covers the
/// roundings of the few such sums that follow each other.
template <class T>
double inner_product(std::size_t n) {
  return 4.0 * static_cast<double>(n) * static_cast<double>(std::numeric_limits<T>::epsilon());
}

// ---- random

/// Means of many independent terms: 5 standard errors, false alarm 5.7e-7 each.
inline constexpr double standard_errors = 5;

/// Two-sided or one-sided probability below which a count or a chi-square is an alarm.
inline constexpr double false_alarm = 1e-6;

/// -2 log u in float, relative, u = 2^-24: the rounding of min(u, 1 - u), magnified by 1 / log 2 near 1/2,
/// makes 1.5, the series .5 by its coefficients and 1 by its last steps, the product and sum after it 1.
inline constexpr double float_logarithm = 4 * 0x1p-24;
/// The root by Newton: one rounding for the result, one for what the last correction leaves without FMA.
inline constexpr double float_root = 2 * 0x1p-24;
/// Sine and cosine: coefficients .5, last step of the polynomial 1, product or inner steps 1.
inline constexpr double float_turn = 2.5 * 0x1p-24;

/// A float normal against long double on the same words, relative: half of the logarithm's (it is under a
/// root), the root's, the turn's, and u for their product.
inline constexpr double normal_float = float_logarithm / 2 + float_root + float_turn + 0x1p-24;

/// The same in double, u = 2^-53: library functions within 1 ulp (2 u) each, half of it for the logarithm
/// under the root, and one rounding each for w, the root, the angle (twice) and the product make 8.
inline constexpr double normal_double = 8 * 0x1p-53;

/// The least of n uniform numbers on [0, 1) exceeds 14/n with the chance exp(-14) = 8e-7.
inline double extreme_uniform(std::size_t n) { return 14 / static_cast<double>(n); }

/// A row scaled to length 1 in float: no coordinate is off by more than u = 2^-24 relative, nor is the
/// length.
inline constexpr double unit_length = 0x1p-24;

// ---- statistics

/// Special functions and small closed formulas in double: some ten roundings each side; relative.
inline constexpr double special_function = 1e-13;
/// The noncentral t, a sum of hundreds of Poisson-weighted terms in Boost, against an integral in 40 digits.
inline constexpr double noncentral_student = 1e-10;

/// Moments of the same values cut differently: each of the few merges rounds its sums once, and the third
/// power sum loses as many digits as it cancels, fewer than two for the samples here; relative.
inline constexpr double merged_moments = 1e-12;

// ---- theory

/// Closed forms through gamma, beta and arctangent functions in double: some hundred roundings, relative.
inline constexpr double closed_form = 1e-12;

/// A quantile against the reference: the closed form's error over the slope, here at most tenfold; relative.
inline constexpr double inverse = 1e-10;

/// Tracy and Widom's law at three points beside the gamma law with its first moments, in cosines; absolute.
inline constexpr double three_points = 3e-5;

/// Sums of up to 2048 cosines of angles up to 50,000, each angle off by u of itself; absolute.
inline constexpr double kernel_exact = 1e-11;

/// A ratio found by 28 halvings of a bracket as wide as itself; relative.
inline constexpr double halved_ratio = 1e-7;

/// Trapezoids over a normal bell against adaptive integration to 1e-13; absolute.
inline constexpr double bell = 1e-9;

/// Bits of a random table: midpoints over its densities, which start at 0 steeply below 8 dimensions; absolute.
inline double table_bits(std::size_t d) { return d < 8 ? 1e-3 : 1e-6; }

/// Johnstone's line at min(k, r) >= 8, over 8 away from k + r = d: worst distance from simulation seen, .12
/// sd of the largest cosine for the mean, 14 % for the sd, both at d = 64; simulation errors of .01 sd on
/// top.
inline constexpr double johnstone_mean = 0.15;
inline constexpr double johnstone_sd = 0.16;

/// The sinusoid's effective dimension, x = L ln T/(pi d): stated error of the project's formula for d <=
/// 1024.
inline double sinusoid_dimension(double x) { return x > 0.8 && x < 1.6 ? 7.3 : 2.3; }

/// Ci below 2: sums and logarithm of up to 20; above: some ten steps of a fraction of size 1/x, and the
/// rounding of x in cosine and sine, u x / x; absolute.
inline double cosine_integral(double x) {
  return x < 2 ? 0x1p-53 * (8 + 2 * std::abs(std::log(x))) : 4e-15 / x;
}

// ---- vectors

// Learned words. Their tables are float32, unit roundoff u = 2^-24.

/// A positive PMI as stored, relative to 1 + its value: one rounding to float, and below it a dozen in
/// double.
inline constexpr double stored_pmi = 0x1p-23;

/// A sum of n float products whose magnitudes add up to `size`: errors n u size at worst, sqrt(n) u size as a
/// rule (Higham 2002, section 2.8), here four times the rule.
inline double float_sum(int n, double size) { return 4 * std::sqrt(static_cast<double>(n)) * 0x1p-24 * size; }

/// Entries of QᵀQ - I for n-dimensional unit columns: float rounding of Q itself (a condition of a few) and
/// of the sums of the check.
inline double orthonormal_float(int n) { return 8 * std::sqrt(static_cast<double>(n)) * 0x1p-24; }

/// Singular values against dense ones in float, relative to the largest: both carry some sqrt(n) u.
inline double singular_value(int n) { return 8 * std::sqrt(static_cast<double>(n)) * 0x1p-24; }

/// Largest entry of A Aᵀ u - s² u relative to the largest s²: converged to float rounding after 30
/// iterations.
inline constexpr double singular_vector = 2e-6;

// Mean square norm of 4,000 words: the widest family, anisotropic, has a relative sd of about .0018; ten of
// them.
inline constexpr double word_norm = 0.018;

// Share of the anisotropic words' power in the mean of 20,000 of them, d = 64: sd about .0006; ten of them.
inline constexpr double word_mean_share = 0.006;

// A sinusoidal entry: four roundings of the turn, and the angle's own, u·t for ω <= 1 (twice: anchor and
// step).
inline double position(std::size_t t) { return 0x1p-53 * (8.0 + 2.0 * static_cast<double>(t)); }

// ---- measures

/// A cosine of unit float32 rows, d <= 64: three roundings of 2^-24 per term, sqrt(d) of them in the sum at
/// worst seen, 2^-24 (3 + 8) < 1e-6. The bound for means of such cosines too.
inline constexpr double cosine_float = 1e-6;

/// Eigenvalues from a float64 Gram matrix of side up to 100, relative to its trace: n u (n = inner size up to
/// 4100, split into tiles of 2048) is 4.5e-13 at worst.
inline constexpr double spectrum_double = 1e-12;

/// Sinusoid spectra, relative to the trace: the 1e-10 of the trace that each of two blocks may leave out.
inline constexpr double sinusoid_spectrum = 2e-10;

/// Principal cosines of well-conditioned rows: u kappa^2 with kappa up to u^(-1/8), that is u^(3/4), and 4
/// for constants: 7e-12 in double, 3e-5 in float.
template <class T>
inline const double principal_cosine = 4 *
                                       std::pow(static_cast<double>(std::numeric_limits<T>::epsilon()), 0.75);

/// Rows whose condition is about 1e7, by QR: u kappa = 2e-9, that is what their own rounding costs.
inline constexpr double principal_cosine_close = 1e-8;

/// Mean of a sampled statistic with this standard error: five of them, false alarms 6e-7 per comparison.
inline double five_sigma(double standard_error) { return 5 * standard_error; }

/// A published number whose last digit is worth `last_digit`, itself rounded: half of it, and a hundredth for
/// ours.
inline double rounded(double last_digit) { return 0.51 * last_digit; }

// Kernels of positions; u = 2^-53.

/// A mean along a diagonal of at most a few thousand scores, relative to the largest: 256 roundings at worst
/// in a tile's sum, and two in each of some ten merges.
inline constexpr double merged_mean = 300 * 0x1p-53;

/// The same with the scores' own error: products of d terms, unit vectors.
template <class T>
double lag_mean(std::size_t d) {
  return inner_product<T>(d) + merged_mean;
}

/// Squared deviations, shifted by one of at most 256 values: 256 u times the 256 by which they may cancel, at
/// worst 7e-12; relative.
inline constexpr double shifted_squares = 1e-11;

/// Variances over all pairs from d x d moments against those from the pairs themselves, relative to the
/// largest term.
inline constexpr double gram_variance = 1e-13;

// Columns, bands and bags (A2, Q3).

/// A column's mean or variance over `length` positions against the sum in long double: a dozen roundings, and
/// in the closed form the angle's own, u ωL; absolute.
inline double column_moment(std::size_t length) { return 0x1p-53 * (16 + 2 * static_cast<double>(length)); }

/// An entry after LayerNorm, of order 1: the row's mean and its deviations carry d u of the row's offset
/// against a standard deviation of about 1, and some ten roundings; absolute.
inline double layer_norm(std::size_t d, double offset) {
  return 0x1p-53 * (static_cast<double>(d) * offset + 10.0);
}

// ---- information

/// Negative log-likelihoods (natural logarithms) from float products, by two ways of summing: exponents up to
/// a few hundred, each off by a few u = 2^-24 of itself, and the exponentials' 3e-7.
inline constexpr double negative_log_likelihood = 1e-4;

// ---- decoding and recovery

/// Two scores of the nearest word that float products of d terms may confuse, relative to the vectors'
/// lengths: the products' own errors on either side, d u each at worst, and the halved square's.
inline double decoding_score(std::size_t d) { return 3 * inner_product<float>(d); }

/// The exact line of recovery: adaptive integration to 1e-10 of a bell cut where 1e-15 is left; absolute.
inline constexpr double recovered = 1e-8;

/// A closed form in the browser against the reference, relative: both in double, but ln Γ near d ln d = 10⁵
/// leaves 1e-11 of an incomplete beta function, and the median that is searched for in it as much.
inline constexpr double in_browser = 1e-10;
/// The same where values may be 0, absolute: sums of up to 10⁴ cosines, each off by its angle's rounding of
/// 65,536 u at most and few by as much; where both integrate, `recovered`.
inline constexpr double in_browser_near_zero = 1e-12;

// ---- bilinear fits

/// Fits of a dozen rows of condition below 30 in double: products of VL = 35 sums, a singular value
/// decomposition and two divisions by singular values, a few hundred u, times the condition squared.
inline constexpr double bilinear = 1e-10;

// ---- distance

/// Where a stretch of good bases ends, found in steps of 1e-11 of ln T, off by the rounding of a sum, 1e-10
/// at lag 4096, over its slope in ln T, above 10 there; relative.
inline constexpr double base_end = 1e-9;

/// The closed form's bases: its steps of .02 in ln T, of which it takes the middle.
inline constexpr double base_law_step = 0.025;

/// A number of order 1, or a ratio, against its definition by plain loops over up to some thousand terms,
/// whose errors of u each add up to a tenth of this at worst; relative.
inline constexpr double plain_sum = 1e-12;

// ---- a model's own tables

/// Bits of a linear reader from float32 products: exponents of up to some 50, each off by u of itself; absolute.
inline constexpr double reader_bits = 2e-5;

/// Entries of a Gram matrix from float32 products of tiles, over their largest: sums of up to 4096 products
/// round to a few 2⁻²⁴ of the trace, of random sign over tiles.
inline constexpr double float_gram = 2e-6;

/// A float32 pass of six blocks against one in double: chains of six products of up to 1536 terms a block, √m
/// 2⁻²⁴ each (permutation_bound: 12 · 6 · √1536 · 2⁻²⁴ = 1.7e-4 of a vector's length), of entries that are a
/// twentieth of it.
inline constexpr double encoder_peer = 1e-4;

// ---- learning

/// Central differences in double with h = 1e-5: h² f'''/6 and u f/h, both near 1e-11 where values are near
/// one; relative to the largest derivative of a part.
inline constexpr double gradient = 1e-6;

/// A loss, or a derivative over its part's largest, in float32: chains of a few tens of products, 2⁻²⁴ each,
/// where LayerNorm's gains magnify.
inline constexpr double float_loss = 1e-4;

/// Adam's first step in units of the rate: the two corrections, the root and the quotient, one rounding each,
/// and epsilon against |g| as small as 3e-4.
inline constexpr double adam_first_step = 5e-6;

/// Hundreds of steps of Adam of about a hundredth each, with the corrections divided out beside inside the
/// loop: a few 2⁻⁵³ a step, of values near one.
inline constexpr double adam_steps = 1e-12;

/// Means of cross-entropies near ten in double, logits up to a million: sums of up to 4001 terms with quick
/// exponentials (4e-15 relative); in float one rounding each, and 3e-7 an exponential.
inline constexpr double cross_entropy = 1e-12, float_cross_entropy = 2e-5;

}  // namespace perp::tolerance
