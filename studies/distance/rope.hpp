#pragma once
// What a RoPE is good for: contexts, number formats, the logits.

#include <map>
#include <string>

#include "studies/distance/rope_config.hpp"

namespace perp::distance {

/// How far a sum of cosines stays at 0 or above (D10's criterion), and above -1 % of its value at lag 0; lags to
/// 2^20, which stand for that and more.
struct GoodTo {
  std::size_t strictly, nearly;
};
inline constexpr std::size_t farthest_lag = 1 << 20;
GoodTo good_to(const std::vector<double>& omega);

/// The same rule without its scaling.
RopeSettings unscaled(RopeSettings settings);

struct RopeAnswer {
  RopeConfig config;
  std::size_t positions;  ///< the length of a sequence at which the frequencies are these
  std::vector<double> omega;
  double amplitude;
  GoodTo here, without;                     ///< with and without the scaling
  std::map<Ramp, std::size_t> ramps;        ///< with each ramp of YaRN's, strictly
  std::map<std::string, double> first_bad;  ///< by format, everything in it (D11); NaN: none to a million
  std::size_t slow_pairs;                   ///< pairs whose wavelength exceeds the trained context
};

/// `positions` 0: as many as the configuration claims, or as it was trained with.
RopeAnswer answer_rope(const RopeConfig& config, std::size_t positions);

std::string text_of(const RopeAnswer& answer);
/// One line: {"type","head_dim","rotary_dim","base","inverse_frequencies":[…],"attention_factor","logit_factor",
/// "claimed_context","good_to",…}; "logit_factor" of rotated coordinates only.
std::string json_of(const RopeAnswer& answer);

/// The same of ALiBi's slopes.
std::string alibi_text(const RopeConfig& config);
std::string alibi_json(const RopeConfig& config);

/// One file for each public configuration, by its name in small letters, and rope.csv: frequencies by the paper's
/// rule and by the common library's, cosines and sines (times the attention factor) at twelve positions.
std::map<std::string, std::string> rope_references();

}  // namespace perp::distance
