#pragma once
// Claims D1, D2, D6 to D9: what the products of sinusoidal positions should be, and what chance and rounding
// make of them.
//
// Positions t = 0 … L-1 in R^d, d even and at least 2, ω_i = T^(-2i/d), base T > 1 and finite, k = s - t the
// lag, u a format's unit roundoff. Lags are real numbers of at most 2^53 and kernels even in them.

#include <cstddef>
#include <span>
#include <vector>

namespace perp::theory {

// ---- the kernel (D2) ---------------------------------------------------------------------------------

/// The cosine integral Ci(x) = γ + ln x + ∫₀ˣ (cos s - 1)/s ds, x > 0 and finite. Power series below 2,
/// continued fraction of E₁(ix) from there (Abramowitz & Stegun 1964, 5.2.16 and 5.1.22). Absolute error,
/// with u = 2⁻⁵³: below u (8 + 2 |ln x|) for x < 2 and 4e-15/x, that is relative to its envelope 1/x, above.
double cosine_integral(double x);

/// p_t·p_{t+k} = Σ_i cos ω_i k, whose value at 0 is d/2. Summed in double; the angles' own rounding makes up
/// to u d |k|/ln T, u = 2⁻⁵³, of it. [d = 16: 7.4852 and 6.1370 at lags 1 and 5.]
double kernel_exact(std::size_t d, double base, double lag);
/// The same at several lags, which share the frequencies.
std::vector<double> kernel_exact(std::size_t d, double base, const std::vector<double>& lags);
/// The same as a share of its value at 0: kernel_exact/(d/2). [d = 512: .9731, .6789, .4373 at 1, 10, 100.]
double kernel_share(std::size_t d, double base, double lag);

/// Its limit for d -> infinity, (Ci(k) - Ci(k/T))/ln T; 1 at lag 0.
double kernel_limit(double base, double lag);
/// 1 - (γ + ln k)/ln T, the limit's own for 1 ≪ k ≪ T; lag not 0.
double kernel_log_line(double base, double lag);
/// kernel_limit plus the first two terms of Euler and Maclaurin's sum,
///   (cos k - cos(k/T))/d + (ln T/3d²)((k/T) sin(k/T) - k sin k).
/// Its error, measured for d = 64 … 4096 and T = 10² … 10⁶: below .023 alias_size up to lag alias_lag/2 (below
/// .003 up to a quarter), up to .5 alias_size from there to alias_lag; meaningless beyond.
double kernel_finite(std::size_t d, double base, double lag);

/// πd/ln T: from this lag on neighbouring frequencies turn by more than a full circle against one another,
/// the sum no longer follows its integral, and aliases appear,
double alias_lag(std::size_t d, double base);
/// of amplitude √(2/(d ln T)) in units of kernel_share (stationary phase of the first Poisson term; the m-th,
/// which begins at m alias_lag, has 1/√m of it). Several meet at larger lags: up to lag 4 alias_lag the
/// kernel strays from its limit by 1.8 to 2.9 times this.
double alias_size(std::size_t d, double base);

/// The smallest whole k >= 0 with kernel_exact(k+1) > kernel_exact(k): beyond it "nearer" and "more similar"
/// part. [T = 10^4, d = 64 … 4096: 5, 11, 24, 43, 68, 131, 244.]
std::size_t first_rise(std::size_t d, double base);

/// The project's own estimate of where the kernel may first rise, 1/√((2 ln T/d)² + 12/T²). Near a full turn
/// of the fastest pair, k = 2πm + x, the kernel's slope is ((k/T)²/2 - x²/2)/(k ln T) - x/d - k ln T/3d² (the
/// limit's own and the finite-d terms of kernel_finite); its mean over one step, at the best x, is above 0
/// from this lag on.
double rise_estimate(std::size_t d, double base);

/// The longest wavelength in the table, 2πT^(1-2/d) (D7): not 2πT.
double last_wavelength(std::size_t d, double base);

// ---- rounding (D1) -----------------------------------------------------------------------------------

/// Each angle ω_i t off by up to u ω_i t: |ΔG| <= Σ_i min(2, u ω_i (t + s)) for the product of positions t and s, to first
/// order in u. Rounding the frequency itself is not in it: it changes the kernel, not its dependence on the
/// lag alone.
double angle_rounding_bound(std::size_t d, double base, double u, double t, double s);

// ---- scores (D6, D9) ---------------------------------------------------------------------------------

/// Expected share of the variance of L x L independent equally distributed normal scores that the 2L-1 signed
/// lags explain: (2L-2)/(L²-1) = 2/(L+1), L >= 2.
double toeplitz_null(std::size_t length);

/// What of a table of vectors matters to a random M.
struct Power {
  double mean_square = 0;  ///< E‖u‖², at least `square_mean`
  double square_mean = 0;  ///< ‖ū‖²
};

/// Shares of the four terms of (x+p)ᵀM(y+q) in the sum of their variances.
struct FourShares {
  double word_word = 0, word_position = 0, position_word = 0, position_position = 0;
};
/// The same words and positions on both sides. [Isotropic words of power d and the sinusoid, d = 64, L = 256:
/// position-position .0875.]
FourShares four_shares(const Power& words, const Power& positions);

// What weights leave of positions whose products depend on the lag alone (claims D6, D9). A kernel is
// p_t·p_{t+k} for k = 0 … L-1, L >= 2.

/// ‖p̄‖², the mean product over all L² pairs of positions.
double square_mean(std::span<const double> kernel);

/// Expected variances of the four terms of (x+p)ᵀQᵀQ(y+p'), as shares of their sum: Q as above, `words` words
/// with iid normal entries of one variance, each of them met with itself too.
FourShares tied_shares(std::size_t d, std::size_t words, double word_variance, std::span<const double> kernel,
                       std::size_t rank);

}  // namespace perp::theory
