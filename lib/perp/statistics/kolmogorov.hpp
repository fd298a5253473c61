#pragma once
// Kolmogorov–Smirnov: the largest distance between distribution functions, and how often chance alone makes
// one that large. The p-values hold for independent values: of cosines, only those of disjoint pairs.

#include <cstdint>
#include <functional>
#include <vector>

namespace perp {

class Histogram;
using Cdf = std::function<double(double)>;

/// D = sup_x |F_n(x) - cdf(x)| for values in any order and a continuous cdf. The values may have ties (the
/// distance of an atomic sample from a continuous law is meant then); a cdf with jumps is not handled: its
/// value just below a jump is never asked for, and D comes out too large. Throws Error for no values, NaN, or
/// a cdf outside [0, 1].
double ks_statistic(std::vector<double> values, const Cdf& cdf);

/// The same at the edges of the bins alone, values outside the bins included: D less at most the largest
/// share in one bin. Throws Error for an empty histogram or a cdf outside [0, 1].
double ks_statistic(const Histogram& histogram, const Cdf& cdf);

/// P(D_n >= d) for n independent values of a continuous law; an upper bound for a law with atoms (Noether
/// 1963).
///   n d² >= 5 (2 above n = 256) or d >= 1/2, to n = 2^17: twice the exact one-sided tail (Birnbaum & Tingey
///   1951), all terms positive; what it counts twice is a relative e^(-6 n d²), and nothing for d >= 1/2.
///   Else n <= 256: exact, Marsaglia, Tsang & Wang 2003, J. Stat. Softw. 8(18).
///   Else: kolmogorov_p at √n d with the finite-n correction of Vrbik 2018, Pioneer J. Theor. Appl. Stat.
///   15:15, a hundred times closer than Stephens's.
/// Measured against SciPy: relative 1e-10 to n = 256; above, relative 1e-5 in the tail (0.5 % beyond n =
/// 2^17), else absolute 0.025/n. Throws Error for n = 0 or d outside [0, 1].
double ks_p_value(std::uint64_t n, double d);

/// The limit law: P(√n D_n >= x) for n → ∞ (Kolmogorov 1933), by its alternating series or, for small x, the
/// theta form. Throws Error for x < 0 or NaN.
double kolmogorov_p(double x);

}  // namespace perp
