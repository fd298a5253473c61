#pragma once
// Whether a table of positions is a sinusoid, and by whose rule.
//
// Sources: Vaswani et al. 2017, 3.5 (exponents 2i/d, interleaved); tensor2tensor, common_attention.py (i/(d/2 - 1),
// half-split; fairseq and Whisper after it); slips of public code: SamLynnEvans/Transformer#25 (an index that already
// counts by two is doubled again), a cosine with
// the exponent of its own column. Half of an exponent is the root of the base, which is what is said then.

#include <optional>
#include <string>

#include "perp/base/array.hpp"

namespace perp::inspect {

struct Sinusoid {
  double base = 0;
  std::string layout;  ///< "interleaved" or "half-split", ", cosines first" behind it
  std::string rule;    ///< the exponents of sine and cosine, in words
  double first_position = 0, amplitude = 1;
  double off = 0;  ///< the largest difference from that sinusoid, in amplitudes
};

/// Of a table (L x d, L >= 3, d >= 4), whatever its first position from 0 to 6 and whatever all of it is multiplied by; an
/// odd d lacks its last cosine. Nothing for a table that is off by more than `sinusoid_tolerance` from each rule: numbers in
/// bfloat16 are by 2^-8.
inline constexpr double sinusoid_tolerance = 0.01;
std::optional<Sinusoid> sinusoid_of(const Matrix<double>& positions);

/// One sentence; "no sinusoid" for none.
std::string sinusoid_text(const std::optional<Sinusoid>& sinusoid);
/// An object, or null.
std::string sinusoid_json(const std::optional<Sinusoid>& sinusoid);

}  // namespace perp::inspect
