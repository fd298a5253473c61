#include "perp/study/display_name.hpp"

#include <algorithm>

namespace perp {
namespace {

constexpr DisplayName names[] = {
    // Models that people release, by the names that lists of models give them.
    {"model", "anarcii_1_decoder", "ANARCII 1, decoder"},
    {"model", "anarcii_1_encoder", "ANARCII 1, encoder"},
    {"model", "anarcii_2_decoder", "ANARCII 2, decoder"},
    {"model", "anarcii_2_encoder", "ANARCII 2, encoder"},
    {"model", "bert", "BERT"},
    {"model", "e5", "E5 small"},
    {"model", "gpt2", "GPT-2"},
    {"model", "gpt2_norm", "GPT-2 + LayerNorm"},
    {"model", "iglm", "IgLM"},
    {"model", "iglm_s", "IgLM-S"},
    {"model", "minilm", "MiniLM"},
    {"model", "sapiens_vh", "Sapiens, heavy chains"},
    {"model", "sapiens_vl", "Sapiens, light chains"},
    {"model", "smollm2", "SmolLM2"},
    {"model", "wordllama", "WordLlama"},
    // Codes
    {"centred", "0", "no"},
    {"centred", "1", "yes"},
    {"place", "-1", "never"},
    {"position_width", "0", "–"},
    {"positions", "0", "all"},
    {"rank", "0", "full"},
    {"rank", "full", "independent"},
    {"rank", "rank16", "rank 16, by distance"},
    {"word", "-1", "never"},
    // Words of one column
    {"arm", "none", "no positions"},
    {"condition", "few", "few positions"},
    {"condition", "shift", "all positions"},
    {"how", "entries", "linear"},
    {"how", "squares", "quadratic"},
    {"joined", "split", "concatenated"},
    {"joined", "sum", "added"},
    {"joining", "appended", "concatenated, wider block"},
    {"joining", "divided", "concatenated, equal width"},
    {"joining", "projected", "concatenated and projected"},
    {"key", "phases", "random phases"},
    {"key", "signs", "random signs"},
    {"key", "sum", "none"},
    {"matrix", "gaussian", "one Gaussian matrix"},
    {"matrix", "heads", "independent Q, K"},
    {"matrix", "identity", "none"},
    {"matrix", "iid", "independent logits"},
    {"matrix", "tied", "Q = K"},
    {"part", "norm", "LayerNorm"},
    {"positions", "as_is", "sinusoid, uncentred"},
    {"positions", "centred", "sinusoid, centred"},
    {"positions", "fitted", "sinusoid of base L"},
    {"reader", "joint", "ideal, all pairs"},
    {"reader", "separate", "ideal, one by one"},
    {"says", "centred, d/4 beside", "sinusoid, centred, dₚ = d/4"},
    {"says", "centred, equal totals", "sinusoid, centred, equal parameters in all"},
    {"says", "learned, equal totals", "learned positions, equal parameters in all"},
    {"says", "sinusoid as it is", "sinusoid, uncentred"},
    {"tables", "fewer", "learned, r directions"},
    {"tables", "freed", "added, from “optimised”"},
    {"tables", "joint", "added, from “as drawn”"},
    {"tables", "learned", "learned, d directions"},
    {"tables", "split", "concatenated, as drawn"},
    {"tables", "within", "concatenated, optimised"},
    {"task", "named", "named position"},
    {"text", "tom", "Tom bit a dog"},
    {"turned", "alignment", "input space"},
    {"turned", "pairing", "head space"},
    {"variant", "bare", "attention alone"},
    {"variant", "full", "whole block"},
    {"where", "stream", "residual stream"},
    {"words", "turned", "with a common mean, rotated"},
    // Anywhere
    {"", "add", "added"},
    {"", "alibi", "ALiBi"},
    {"", "anisotropic", "with a common mean"},
    {"", "as_is", "uncentred"},
    {"", "bite", "who bit whom"},
    {"", "commutant", "shift-commuting"},
    {"", "concat", "concatenated"},
    {"", "copy2", "copy two before"},
    {"", "feed_forward", "feed-forward"},
    {"", "gaussian", "Gaussian"},
    {"", "inverse_frequencies", "inverse frequencies"},
    {"", "masked_attention", "masked attention"},
    {"", "no_feed_forward", "no feed-forward"},
    {"", "no_norm", "no LayerNorm"},
    {"", "no_residual", "no residual connections"},
    {"", "norm_after", "LayerNorm after"},
    {"", "normalised_index", "index / length"},
    {"", "project", "concatenated and projected"},
    {"", "rademacher", "random signs"},
    {"", "random_fourier", "random Fourier"},
    {"", "real", "learned from text"},
    {"", "real_centred", "learned from text, centred"},
    {"", "real_rotated", "learned from text, rotated"},
    {"", "rope", "RoPE"},
    {"", "rotary", "RoPE"},
    {"", "rotary_10", "RoPE, T = 10"},
    {"", "rotary_100", "RoPE, T = 100"},
    {"", "rotary_1k", "RoPE, T = 1,000"},
    {"", "rotary_10k", "RoPE, T = 10,000"},
    {"", "rotary_1m", "RoPE, T = 1,000,000"},
    {"", "rotary_own", "RoPE, own contents"},
    {"", "rotary_same", "RoPE, same content"},
    {"", "sine_only", "sines only"},
    {"", "sphere", "uniform on the sphere"},
    {"", "t5", "T5"},
    {"", "tf32", "TF32"},
};

}  // namespace

std::span<const DisplayName> display_names() { return names; }

std::string display_name(std::string_view identifier, std::string_view column) {
  const auto found = std::ranges::find_if(names, [&](const DisplayName& name) {
    return name.identifier == identifier &&
           (name.column == column || (name.column.empty() && column != "model"));
  });
  return std::string(found == std::end(names) ? identifier : found->shown);
}

}  // namespace perp
