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

/// Of one kind of layer.
struct KindAnswer {
  std::vector<double> omega;  ///< empty: these layers do not rotate
  double amplitude = 1;
  std::size_t good_to = 0;
};

struct RopeAnswer {
  RopeConfig config;
  std::size_t positions;  ///< the length of a sequence at which the frequencies are these
  std::vector<double> omega;
  double amplitude;
  GoodTo here, without;                     ///< with and without the scaling
  std::map<Ramp, std::size_t> ramps;        ///< with each ramp of YaRN's, strictly
  std::map<std::string, double> first_bad;  ///< by format, everything in it (D11); NaN: none to a million
  std::size_t slow_pairs;                   ///< pairs whose wavelength exceeds the trained context
  std::vector<KindAnswer> layers;           ///< one for each kind of the configuration
};

/// `positions` 0: as many as the configuration claims, or as it was trained with.
RopeAnswer answer_rope(const RopeConfig& config, std::size_t positions);

std::string text_of(const RopeAnswer& answer);
/// One line: {"type","head_dim","rotary_dim","base","inverse_frequencies":[…],"attention_factor","logit_factor",
/// "claimed_context","good_to",…,"layers":[{"kind","which","count","window","type",…},…]} of the layers that attend to
/// everything; "logit_factor" of rotated coordinates only, "every_logit_factor" of all.
std::string json_of(const RopeAnswer& answer);

/// The same where nothing rotates: ALiBi's slopes, learned tables, relative positions, none. Positions{rotary} fails.
std::string unrotated_text(const RopeConfig& config);
std::string unrotated_json(const RopeConfig& config);

/// Of a model with RoPE, by D10's criterion: the least factor of each kind of scaling that is good to N positions, and the
/// least base without any. `reach` is at least 16, at most farthest_lag. What is found is good; between the steps that
/// are tried (5 %, then halved down to 1e-3) a smaller one might be.
struct LeastFactor {
  RopeScaling scaling;
  std::optional<double> factor;  ///< nothing: none up to 4,096
};
struct ReachAnswer {
  std::size_t reach, now,
      without;  ///< good to so many with the configuration as it is, and without its scaling
  RopeSettings settings;
  std::vector<LeastFactor> factors;
  std::optional<double> least_base;  ///< nothing: none up to 10^12
};
ReachAnswer answer_reach(const RopeConfig& config, std::size_t reach);
std::string text_of(const ReachAnswer& answer);
std::string json_of(const ReachAnswer& answer);

/// One file for each public configuration, by its name in small letters, and rope.csv: frequencies by the paper's
/// rule and by the common library's, cosines and sines (times the attention factor) at twelve positions.
std::map<std::string, std::string> rope_references();

}  // namespace perp::distance
