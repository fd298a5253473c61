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

/// For a screen, and for programs, one line.
struct RopeAnswer {
  std::string text, json;
};

/// What the configuration means for a sequence of so many positions; 0: as many as it claims, or was trained with. Of RoPE:
/// {"type","head_dim","rotary_dim","base","inverse_frequencies":[…],"attention_factor","logit_factor","claimed_context",
/// "good_to",…,"layers":[{"kind","which","count","window","type",…},…]} of the layers that attend to everything;
/// "logit_factor" of rotated coordinates only, "every_logit_factor" of all. Otherwise ALiBi's slopes, or what else there is.
RopeAnswer answer_rope(const RopeConfig& config, std::size_t positions);

/// Of a model with RoPE, by D10's criterion: the least factor of each kind of scaling that is good to N positions, and the
/// least base without any. `reach` is at least 16, at most farthest_lag. What is found is good; between the steps that
/// are tried (5 %, then halved down to 1e-3) a smaller one might be.
RopeAnswer answer_reach(const RopeConfig& config, std::size_t reach);

/// One file for each public configuration, by its name in small letters, and rope.csv: frequencies by the paper's
/// rule and by the common library's, cosines and sines (times the attention factor) at twelve positions.
std::map<std::string, std::string> rope_references();

}  // namespace perp::distance
