#pragma once
// RoPE's frequencies as models change them for contexts beyond those that they were trained for.
//
// Sources: linear: Chen et al. 2023, "Extending context window of large language models via positional
// interpolation"; NTK-aware and dynamic: bloc97 and emozilla 2023 (posts); YaRN: Peng et al. 2024, ICLR; llama3:
// Grattafiori et al. 2024, section 3.2; longrope: Ding et al. 2024, ICML. What implementations add to the papers
// is Hugging Face's modeling_rope_utils.py (2024–2026), which says nothing of `ntk`: that is ExLlama's.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perp {

enum class RopeScaling {
  none,
  linear,       ///< ω/s
  ntk,          ///< base T α^(r/(r-2)), α = s (ExLlama's)
  ntk_mixed,    ///< base T s, then ω/s^(2/r) (Su 2023, kexue.fm 9706; vLLM, gte)
  dynamic,      ///< the same with α = s N/L₀ - (s - 1) for N > L₀ positions
  yarn,         ///< ω/s for slow pairs, ω for fast ones, a ramp between
  llama3,       ///< the same, the ramp in turns within L₀
  longrope,     ///< ω over a list of factors, one for N <= L₀ and one beyond
  proportional  ///< partial, with the exponents of the whole head, over s
};
std::string_view to_text(RopeScaling scaling);
/// By the names that configurations have ("default", "su" …). Throws Error{unusable} that lists those known.
RopeScaling rope_scaling_from(std::string_view name);

/// YaRN's ramp: over the pairs' indices, its ends rounded outwards (most code, `truncate` in configurations) or
/// not; or over the turns within L₀, as the paper has it (equation 17).
enum class Ramp { rounded, unrounded, turns };

inline constexpr std::size_t widest_head = 1024;

struct RopeSettings {
  RopeScaling scaling = RopeScaling::none;
  std::size_t head = 128;      ///< d: dimensions of a head
  std::size_t rotated = 128;   ///< r <= d of them are rotated, even
  double base = 10000;         ///< T
  double factor = 1;           ///< s
  double trained = 0;          ///< L₀, positions
  double fast = 32, slow = 1;  ///< turns within L₀: YaRN's β and α; llama3's 4 and 1
  Ramp ramp = Ramp::rounded;
  std::vector<double> near = {}, far = {};  ///< longrope's, r/2 each
  std::vector<double> divisors = {};        ///< a factor for each pair that a file holds, r/2; or empty
  std::optional<double> amplitude = {};  ///< what cosines and sines are multiplied by, where the file says so
  std::optional<double> amplitude_near = {};  ///< the same up to L₀ positions (Phi-3.5-MoE's short_mscale)
  double log_slope = 1, log_slope_all = 0;    ///< YaRN's mscale and mscale_all_dim; 0: none
};

/// ω_i, i = 0 … r/2 - 1, in radians per position, for a sequence of `positions`, which `dynamic` and `longrope`
/// look at. Pairs that do not turn are left out. Throws Error{unusable} for r that is odd, 0 or above d, T <= 1,
/// s <= 0, lists of another length than r/2, a scaling that needs L₀ without one, and what is not finite.
std::vector<double> inverse_frequencies(const RopeSettings& settings, double positions);

/// The base that they have then, before anything is divided.
double rope_base(const RopeSettings& settings, double positions);

/// What cosines and sines are multiplied by, and so queries and keys each: the logit of rotated coordinates by its
/// square. YaRN .1 ln s + 1 (equation 22), longrope √(1 + ln s/ln L₀), 1 otherwise. Only where a file has another
/// one for short sequences do `positions` matter.
double rope_amplitude(const RopeSettings& settings, double positions);

/// Which of its axes turns each pair of a model of images and video: 'T' time, 'H' height, 'W' width. `sections` are the
/// three numbers of pairs. By section: T, H, W one behind the other (Qwen2-VL, GLM-4V); interleaved: T H W T H W …
/// for as long as a section lasts, T beyond (Qwen3-VL). Throws Error{unusable} unless they add up to `pairs`.
std::string rope_axes(std::span<const double> sections, bool interleaved, std::size_t pairs);

/// Slopes of ALiBi for any number of heads: 2^(-8h/n) for a power of two n; otherwise those of the power below, then
/// every other of the next one's (the authors' code, Press et al. 2022). `maximum` stands for 8 (MPT's alibi_bias_max).
/// Throws Error{unusable} for 0 heads and for a maximum that is no number above 0.
std::vector<double> alibi_slopes(std::size_t heads, double maximum = 8);

}  // namespace perp
