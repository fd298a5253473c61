#pragma once
// Claim D10: for which bases T does Σ_i cos(m T^(-2i/d)), i = 0 … d/2-1, stay above 0 at every whole lag m up
// to L? Men et al. ("Base of RoPE bounds context length", NeurIPS 2024) ask that of a rotary base; the sum is
// g(m), the kernel of theory/distance.hpp. Good bases are no half-line: they are what is left when the bad
// bases of every lag are taken out.
//
// d is even and at least 2, bases lie above 1, lags are whole and at most 2^20.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace perp::theory {

// ---- which bases are good ------------------------------------------------------------------------------

/// The bases from low to high.
struct BaseRange {
  double low = 0, high = 0;
};

/// The bases within a range that no lag has taken out yet.
///
/// What guarantees that no bad stretch is missed, however narrow: with x = ln T and y_i = m θ_i the sum f has
/// the slope Σ u_i y_i sin y_i and |f''| <= B = Σ u_i² (y_i + y_i²), u_i = 2i/d. B falls as x grows, so it
/// holds for everything to the right, where f cannot reach 0 before f(x) + f'(x) s - B s²/2 does. Steps of
/// that length, each from where the last one ended, cover the range; they close in on a zero as Newton's do.
/// Where such a step would be shorter than `resolution`, a step of `resolution` is taken out, decided or not.
/// So a base that is left is good, up to rounding of T by 1e-12 (values within their own rounding of 0 count
/// as undecided), and of two stretches of bad bases one narrower than `resolution` might be a touch of 0.
class BaseSieve {
 public:
  static constexpr double resolution = 1e-11;  ///< in ln T

  BaseSieve(std::size_t d, BaseRange within);

  /// Takes out the bases whose sum at this lag lies below 0.
  void take_out(std::size_t lag);
  /// Forgets the bases below this one, which need not be asked any more.
  void cut_below(double base);
  /// What is left, in order.
  std::vector<BaseRange> left() const;

 private:
  struct Sum {
    double value, slope, bend, rounding;
  };
  Sum sum_at(double log_base, double lag);
  void take_out(double lag, BaseRange from, std::vector<BaseRange>& left);

  std::size_t d_;
  std::vector<double> share_, angles_;  // u_i and y_i, both 0 behind the last
  std::vector<BaseRange> logs_;         // of ln T
};

/// The good bases of `within` for the lags 1 … length. [d = 64, L = 512 from 64 to 10⁹: 3438.91 to 3451.14
/// and from 5397.72 on.]
std::vector<BaseRange> good_bases(std::size_t d, std::size_t length, BaseRange within);

/// The first lag from 0 to `most` with a sum below -tolerance d/2, if there is one; a tolerance is a share of the sum's
/// value at lag 0. Where rounding decides, about 1e-16 of the lag for each of the d/2 terms, it may be off. [T = 10⁴: 725 at d = 64, 1,707 at 128.]
std::optional<std::size_t> first_negative_lag(std::size_t d, double base, std::size_t most,
                                              double tolerance = 0);

/// The same of Σ_i cos mθ_i for any frequencies, in radians per position.
std::optional<std::size_t> first_negative_lag(std::span<const double> theta, std::size_t most,
                                              double tolerance = 0);

// ---- where theory puts them ----------------------------------------------------------------------------

/// L/.6165, Ci's first zero: the least base for d -> infinity, where every base above it is good.
double least_base_limit(std::size_t length);

/// .0424 L^1.628, the least base as published, fitted there for one head size.
double least_base_published(std::size_t length);

/// Least and safe base (above which all are good) for finite d, without a fitted number.
///
/// The slow pairs follow D2's law, whose mean is μ(m) = -Ci(m/T)/ln T - cos(m/T)/d + (ln T/3d²)(m/T) sin(m/T)
/// of d/2. The fast ones, neighbours of which lie more than half a turn apart, are the aliases. Taken as a
/// normal field over (m, ln T) of variance σ² = ln(2m/alias_lag)/(d ln T) (D2's alias sizes, added up), with
/// the covariance of its slopes as these pairs have it, the field falls below -μ
///   along m at the rate (2π)^-1 √λ e^(-a²/2), a = μ/σ, λ = 1/(2 ln(2m/alias_lag)), per lag (Rice 1945),
///   in (m, ln T) in (2π)^-3/2 (mλ/2 ln T) a e^(-a²/2) islands per lag and unit of ln T (Adler 1981, the
///   expected Euler characteristic).
/// E, the first over m up to L, makes a base good with chance e^-E, and the second, ρ when summed over m,
/// ends bad stretches. The least base is the median of the first good one, ∫ρ e^-E = ln 2 from below; the
/// safe base that of the last bad one, ∫ρ = ln 2 from above. Neither is below the base from which on μ(L) is
/// above 0. [Over the exact ones for d = 64 … 1024 and L = 512 … 16,384: least .88 to 1.28, safe .67 to 2.9.]
struct BaseEstimate {
  double least = 0, safe = 0;
};
BaseEstimate base_estimate(std::size_t d, std::size_t length);

}  // namespace perp::theory
