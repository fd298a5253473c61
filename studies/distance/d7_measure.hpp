#pragma once
// D7: what quarters of the frequencies say of distances, by exact sums and for d -> infinity, where
// frequencies are dense in their logarithm. Quarter 1 is the fastest: [T^(-(q-1)/4), T^(-q/4)).

#include <cstddef>

#include "perp/study/claim.hpp"

namespace perp::distance {

inline constexpr std::size_t quarters = 4;
/// A column whose standard deviation over the text is below this stands still: a seventh of what a column
/// that turns has.
inline constexpr double still = 0.1;
/// Noise along a direction, over |p|, under which positions are confused for counting.
inline constexpr double confusion_noise = 0.25;

// ---- laws

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

// ---- what cells measure

struct Place {
  std::string measure;
  std::size_t d, base;
};
PERP_ROW(Place, measure, d, base)
struct Reach : Place {
  std::size_t lags;
};
PERP_ROW_OF(Reach, Place, lags)
struct Text : Place {
  std::size_t l;
};
PERP_ROW_OF(Text, Place, l)
struct Copies : Place {
  std::size_t trials;
};
PERP_ROW_OF(Copies, Place, trials)

struct Band : Reach {
  std::size_t lag, quarter;
  double share;
};
PERP_ROW_OF(Band, Reach, lag, quarter, share)
struct Octave : Reach {
  std::size_t first, quarter;
  double change, limit;
};
PERP_ROW_OF(Octave, Reach, first, quarter, change, limit)
struct Noise : Reach {
  double noise, reached;
  std::size_t last_below;
};
PERP_ROW_OF(Noise, Reach, noise, reached, last_below)
struct Wavelength : Place {
  double last;
};
PERP_ROW_OF(Wavelength, Place, last)
struct Turns : Text {
  double less_than_once, standing;
};
PERP_ROW_OF(Turns, Text, less_than_once, standing)
struct Errors : Copies {
  std::size_t lag, errors;
};
PERP_ROW_OF(Errors, Copies, lag, errors)

void measure_bands(const Reach& at, const Streams&, Rows& rows);
void measure_noise(const Reach& at, const Streams&, Rows& rows);
void measure_wavelength(const Place& at, const Streams&, Rows& rows);
void measure_columns(const Text& at, const Streams&, Rows& rows);
/// Noisy copies of one position that are nearer to another.
void measure_errors(const Copies& at, const Streams& streams, Rows& rows);

}  // namespace perp::distance
