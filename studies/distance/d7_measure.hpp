#pragma once
// D7: what quarters of the frequencies say of distances, by exact sums and for d -> infinity, where
// frequencies are dense in their logarithm. Quarter 1 is the fastest: [T^(-(q-1)/4), T^(-q/4)).

#include <cstddef>

namespace perp::distance {

inline constexpr std::size_t quarters = 4;
/// A column whose standard deviation over the text is below this stands still: a seventh of what a column
/// that turns has.
inline constexpr double still = 0.1;

/// A quarter's share of Σ(1 - cos ωk) for d -> infinity.
double distance_share_limit(double base, std::size_t quarter, double lag);
/// A quarter's part of (g(k) - g(2k))/g(0) for d -> infinity.
double change_limit(double base, std::size_t quarter, double lag);

/// A quarter's share of the change of similarity from lag k to 2k over an octave of lags, first … 2 first
/// - 1.
struct ChangeShare {
  double single = 0;  ///< Σ_k |g_q(k) - g_q(2k)| over the same of all four
  double mean = 0;    ///< |Σ_k g_q(k) - g_q(2k)| likewise: forgets the aliases of single lags
};
/// From the exact sums at d dimensions, and for d -> infinity.
ChangeShare change_share(std::size_t d, double base, std::size_t quarter, std::size_t first);
ChangeShare change_share_limit(double base, std::size_t quarter, std::size_t first);

/// The share of columns with a standard deviation below `still` over L positions, frequencies being dense and
/// positions continuous.
double still_share_line(double base, double length);

}  // namespace perp::distance
