#pragma once
// Study `anatomy`: the pictures of the sinusoid. One file each; it returns the experiment.
//
// Pictures have d = 512 dimensions, pairs i = 0 … 255 of (sin ω_i t, cos ω_i t), ω_i = T^(-2i/d), T = 10,000.

#include <cstddef>

#include "perp/study/experiment.hpp"

namespace perp::anatomy {

/// The table that is drawn, and the small one whose numbers can be read: dimensions and positions of both.
inline constexpr std::size_t width = 512, length = 128, small_width = 32, small_length = 16;
/// A text of usual length, for what a picture of 128 positions cannot show.
inline constexpr std::size_t text_length = 512;
/// Half a unit in the last place of 1 in float64.
inline constexpr double roundoff = 0x1p-53;

/// What stands in <claim>.toml.
std::string_view toml_of(std::string_view claim);

Experiment heat_map(const Options& options);        // V1, a picture
Experiment clock_hands(const Options& options);     // V2, a picture
Experiment circle_of_sums(const Options& options);  // V3, a picture
Experiment wavelengths(const Options& options);     // V4, evidence for D7
Experiment similarity(const Options& options);      // V5, beside the claims
Experiment distortion(const Options& options);      // V6, beside the claims

}  // namespace perp::anatomy
