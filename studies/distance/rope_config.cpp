#include "studies/distance/rope_config.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "perp/base/error.hpp"
#include "perp/io/gguf.hpp"
#include "perp/io/message.hpp"
#include "studies/distance/rope_keys.hpp"
#include "studies/distance/rope_layers.hpp"

namespace perp::distance {

extern const std::string_view rope_configs_text,
    rope_layer_configs_text;  // the .json of these names, by the build

namespace {

using enum RopeScaling;

constexpr std::uint64_t widest = 1 << 20, most_heads = 1 << 16;
constexpr double longest = 1e9;

// ---- how a model tells places apart ----------------------------------------------------------------------

constexpr auto said_positions = std::to_array<std::pair<std::string_view, Positions>>({
    {"rope", Positions::rotary},
    {"rotary", Positions::rotary},
    {"rope_gptj", Positions::rotary},
    {"rope_neox", Positions::rotary},
    {"mrope", Positions::rotary},
    {"alibi", Positions::alibi},
    {"nope", Positions::none},
    {"none", Positions::none},
    {"absolute", Positions::learned},
    {"learned", Positions::learned},
    {"learned_absolute", Positions::learned},
    {"relative", Positions::relative},
    {"relative_key", Positions::relative},
    {"relative_key_query", Positions::relative},
    {"sinusoidal", Positions::sinusoidal},
});

Positions positions_of(const RopeKeys& config) {
  const bool in_blocks = config.truth({"rope"}).value_or(false);  // MPT's attn_config
  if (config.truth({"alibi", "use_alibi"}).value_or(false)) return Positions::alibi;
  if (config.truth({"mla_use_nope"}).value_or(false)) return Positions::none;
  const auto type = config.text({"position_embedding_type", "position_embeddings_type", "positions"});
  if (!type || in_blocks) return Positions::rotary;
  const auto known = std::ranges::find(said_positions, *type, &decltype(said_positions)::value_type::first);
  std::vector<std::string_view> names;
  for (const auto& [name, positions] : said_positions) names.push_back(name);
  require(known != said_positions.end(), "{}: position_embedding_type is {}; there are {}",
          config.file_name(), in_quotes(*type), fmt::join(names, ", "));
  return known->second;
}

// ---- one kind of layer -----------------------------------------------------------------------------------

/// A kind of layer, and what the whole model claims beside it.
struct Kind {
  RopeKeys config;
  std::string name;
  double claimed;
  RopeSettings settings = {};

  bool local() const { return is_local(name); }
  /// Whether it has the base of layers of a window, which are not scaled.
  bool has_local_base() const {
    return local() && !config.has_own_base() &&
           config.says({"rope_local_base_freq", "swa_rope_theta", "local_rope_theta"});
  }
  /// DeepSeek-V4 scales compressed layers alone, Step those that it lists.
  bool is_unscaled() const {
    const std::vector<std::string> scaled =
        config.has({"yarn_only_types"}) ? config.texts({"yarn_only_types"}) : std::vector{name};
    return has_local_base() || std::ranges::find(scaled, name) == scaled.end() ||
           (local() && !config.has_own_base() && config.says({"compress_rope_theta"}));
  }
};

std::uint64_t heads_of(const RopeKeys& config) {
  return config.whole({"num_attention_heads", "n_head", "n_heads", "num_heads"}, most_heads).value_or(0);
}

std::size_t head_of(const Kind& kind) {
  const RopeKeys& config = kind.config;
  const std::uint64_t heads = heads_of(config);  // what is wrong is said, needed or not
  const auto head =
      kind.local() ? config.whole({"qk_rope_head_dim", "swa_head_dim", "head_dim", "kv_channels"}, widest)
                   : config.whole({"qk_rope_head_dim", "global_head_dim", "head_dim", "kv_channels"}, widest);
  if (head) return *head;
  const auto width = config.whole({"hidden_size", "n_embd", "d_model", "model_dim"}, widest);
  require(width && heads > 0, "{}: neither {} nor {} with {}; expected a head's size", config.file_name(),
          config.name_of("head_dim"), config.name_of("hidden_size"), config.name_of("num_attention_heads"));
  return *width / heads;
}

std::size_t rotated_of(const Kind& kind) {
  const RopeKeys& config = kind.config;
  if (kind.local())
    if (const auto rotated = config.whole({"swa_rotary_dim"}, widest)) return *rotated;
  if (config.says({"rotary_dim", "attn_rotary_emb", "rotary_emb_dim"}) ||
      !config.has({"partial_rotary_factor"}))
    if (const auto rotated = config.whole({"rotary_dim", "attn_rotary_emb", "rotary_emb_dim"}, widest))
      return *rotated;
  if (config.has({"qk_rope_head_dim"})) return kind.settings.head;  // is the rotated part already
  const double share = config
                           .number({"partial_rotary_factor", "partial_rotary_factors", "rotary_pct",
                                    "rope_pct", "rotary_percent", "rotary_emb_fraction"})
                           .value_or(1);
  require(share > 0 && share <= 1, "{}: {} of a head is rotated; expected a share above 0, at most 1",
          config.file_name(), share);
  return static_cast<std::size_t>(share * double(kind.settings.head));
}

double base_of(const Kind& kind) {
  const RopeKeys& config = kind.config;
  if (kind.has_local_base())
    return config.number({"rope_local_base_freq", "swa_rope_theta", "local_rope_theta"}).value();
  if (!kind.local() && kind.name.find("compress") != kind.name.npos && !config.has_own_base())
    if (const auto base = config.number({"compress_rope_theta"})) return *base;
  const auto base = config.number({"rope_theta", "rotary_emb_base", "rope_base", "global_rope_theta",
                                   "rope_freq_constant", "rotary_base"});
  const auto ratio = config.number({"rope_ratio"});
  if (!base && !ratio && !config.has_rope() &&
      !config.has({"rotary_dim", "attn_rotary_emb", "partial_rotary_factor", "rotary_pct"}))
    config.note("The file says nothing of RoPE; if the model uses it: base 10,000, as most code takes.");
  else if (!base)
    config.note(
        fmt::format("The file names no base ({}): 10,000, as most code takes; some families have another.",
                    config.name_of("rope_theta")));
  if (ratio) config.note(fmt::format("The base is multiplied by rope_ratio, {:.10g}.", *ratio));
  return base.value_or(10000) * ratio.value_or(1);
}

/// Whatever a scaling has beside its name: contexts, factor, what it needs of its own.
void read_contexts(Kind& kind) {
  const RopeKeys& config = kind.config;
  RopeSettings& s = kind.settings;
  const auto alpha = config.scaling("alpha"), most = config.number({"max_position_embeddings"});
  // HunYuan's dynamic with an alpha is NTK-aware; ntk with a factor is not ExLlama's.
  if (s.scaling == dynamic && alpha) s.scaling = ntk;
  if (s.scaling == ntk && !alpha) s.scaling = ntk_mixed;
  // The library that most use takes the outer one where both stand.
  const auto inner = config.scaling("original_max_position_embeddings");
  const auto outer = config.outer("original_max_position_embeddings"), original = outer ? outer : inner;
  s.trained = s.scaling == dynamic ? most.value_or(kind.claimed) : original.value_or(kind.claimed);
  // Its max_position_embeddings may be the context before the scaling (Vicuna) or behind it (Gemma 3).
  if (s.scaling == linear && !original) s.trained = kind.claimed > most.value_or(0) ? most.value_or(0) : 0;

  std::optional<double> factor = s.scaling == ntk ? alpha : config.scaling("factor");
  if (s.scaling == none) factor = 1;
  if ((s.scaling == longrope || s.scaling == yarn) && !factor) {
    require(s.trained > 0, "{} without a factor needs the context before and after", to_text(s.scaling));
    factor = kind.claimed / s.trained;
  }
  if (!factor && s.scaling != proportional) config.note("The scaling names no factor: 1.");
  s.factor = factor.value_or(1);
  if (s.scaling == yarn) kind.claimed = std::max(kind.claimed, s.factor * s.trained);
  if (s.scaling == dynamic) kind.claimed = s.factor * s.trained;
}

/// What cosines and sines are multiplied by.
void read_amplitude(Kind& kind) {
  const RopeKeys& config = kind.config;
  RopeSettings& s = kind.settings;
  if (s.scaling != longrope && s.scaling != yarn) return;
  s.log_slope = config.scaling("mscale").value_or(0);
  s.log_slope_all = s.log_slope > 0 ? config.number({"mscale_all_dim"}).value_or(0) : 0;
  s.amplitude = config.scaling("attention_factor");
  if (const auto factor = config.scaling("attn_factor"))  // ggml's, on top of the scaling's own
    s.amplitude = *factor * rope_amplitude(s, kind.claimed);
  s.amplitude_near = config.scaling("short_mscale");
  if (const auto far = config.scaling("long_mscale")) s.amplitude = far;
}

void read_scaling(Kind& kind) {
  const RopeKeys& config = kind.config;
  RopeSettings& s = kind.settings;
  if (kind.is_unscaled()) return;
  s.scaling = rope_scaling_from(config.scaling_type());
  s.near = config.scaling_list("short_factor");
  s.far = config.scaling_list("long_factor");
  // Phi-3's first files say yarn for their lists.
  if (s.scaling == yarn && !s.near.empty()) s.scaling = longrope;
  read_contexts(kind);
  const bool is_llama3 = s.scaling == llama3;
  s.slow = config.scaling(is_llama3 ? "low_freq_factor" : "beta_slow").value_or(1);
  s.fast = config.scaling(is_llama3 ? "high_freq_factor" : "beta_fast").value_or(is_llama3 ? 4 : 32);
  if (config.scaling_truth("truncate") == false) s.ramp = Ramp::unrounded;
  read_amplitude(kind);
  // Pairs, not dimensions, are counted by the share.
  if (s.scaling == proportional) s.rotated -= s.rotated % 2;
}

/// nomic-embed: beyond the trained positions the base grows with the sequence.
void read_nomic(Kind& kind) {
  const auto factor = kind.config.number({"rotary_scaling_factor"});
  if (!factor) return;
  kind.settings.scaling = dynamic;
  kind.settings.factor = *factor;
  kind.settings.trained = kind.config.number({"max_trained_positions"}).value_or(kind.claimed);
}

/// The settings of a kind of layer; `claimed` grows where the scaling says so.
Kind kind_of(const RopeKeys& config, std::string name, double claimed) {
  Kind kind{config, std::move(name), claimed};
  RopeSettings& s = kind.settings;
  s.head = head_of(kind);
  s.rotated = rotated_of(kind);
  s.base = base_of(kind);
  read_scaling(kind);
  read_nomic(kind);
  if (config.has({gguf_divisors})) {
    s.divisors = config.list({gguf_divisors});
    config.note(fmt::format(
        "Frequencies are divided by the file's {}, as Llama 3.1's files hold their scaling.", gguf_divisors));
  }
  for (const double context : {kind.claimed, s.trained})
    require(context >= 0 && context <= longest, "a context of {} positions; expected at most 10^9", context);
  inverse_frequencies(s, kind.claimed);  // these refuse what cannot be used
  rope_amplitude(s, kind.claimed);
  return kind;
}

// ---- the whole model -------------------------------------------------------------------------------------

std::string numbers_of(const std::vector<std::size_t>& which) {
  constexpr std::size_t most = 12;
  const std::vector<std::size_t> first(which.begin(),
                                       which.begin() + std::ptrdiff_t(std::min(most, which.size())));
  return fmt::format("{}{}", fmt::join(first, ", "),
                     which.size() > most ? fmt::format(", … {}", which.back()) : "");
}

void read_layers(const RopeKeys& config, RopeConfig& found) {
  const std::vector<LayerGroup> groups = layer_groups(config);
  std::size_t count = 0;
  for (const LayerGroup& group : groups) count += group.which.size();
  std::optional<std::size_t> best;
  // What attends to everything comes first; of several the one that is named so.
  const auto rank = [](const LayerGroup& group) {
    return group.kind == "full_attention" ? 2 : is_local(group.kind) ? 0 : 1;
  };
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (groups[i].rotates && (!best || rank(groups[i]) > rank(groups[*best]))) best = i;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const LayerGroup& group = groups[i];
    LayerKind layer{group.kind, group.which};
    const RopeKeys own =
        config.of(group.kind, group.which.empty() ? std::nullopt : std::optional(group.which.front()));
    if (is_local(group.kind))
      layer.window = own.number({"sliding_window", "local_attention", "attention_chunk_size"}).value_or(0);
    if (group.rotates) {
      const Kind kind = kind_of(own, group.kind, found.claimed);
      layer.rope = kind.settings;
      if (i == best) found.settings = kind.settings;
      if (i == best) found.claimed = kind.claimed;
    } else {
      config.note(
          fmt::format("Some layers have no positions at all: {} (of {}).", numbers_of(group.which), count));
    }
    found.layers.push_back(std::move(layer));
  }
  if (!best) found.positions = Positions::none;
}

void read_layout(const RopeKeys& config, RopeConfig& found) {
  found.source = "the file";
  const std::string type =
      config.says({"position_embedding_type"}) ? config.text({"position_embedding_type"}).value_or("") : "";
  if (const auto interleaved = config.truth(
          {"rotary_emb_interleaved", "rope_interleave", "rope_interleaved", "rotary_interleaved"}))
    found.layout = *interleaved ? "interleaved" : "half_split";
  else if (type == "rope_gptj" || type == "rope_neox")
    found.layout = type == "rope_gptj" ? "interleaved" : "half_split";
  else if ((found.layout = config.text({"layout"}).value_or("")).empty())
    found.source.clear();
  else
    found.source = config.source();
}

/// What multiplies scores beside cosines and sines, and which pair is whose.
void read_scores(const RopeKeys& config, RopeConfig& found) {
  const RopeSettings& s = found.settings;
  const auto all = config.number({"mscale_all_dim"});
  if (all && *all > 0 && s.factor > 1 && s.scaling == yarn) {
    found.logits = std::pow(0.1 * *all * std::log(s.factor) + 1, 2);
    config.note(
        fmt::format("mscale_all_dim: every logit is multiplied by {:.4g} beside it, as in DeepSeek's code.",
                    found.logits));
  }
  const auto every = config.number({"floor_scale"}), slope = config.number({"attn_scale"});
  const bool is_tuned = config.has({"attn_temperature_tuning"});
  if (const auto beta = config.number({"llama_4_scaling_beta"}); beta && *beta > 0 && s.trained > 0)
    found.temperature = {*beta, config.number({"temperature_length"}).value_or(s.trained), 0, false};
  else if (every && slope && is_tuned && *every > 0)
    found.temperature = {*slope, *every, 1, true};
  const std::vector<double> sections = config.scaling_list("mrope_section");
  if (sections.empty()) return;
  if (sections.size() == 3 && std::accumulate(sections.begin(), sections.end(), 0.0) == double(s.rotated / 2))
    found.axes =
        rope_axes(sections, config.scaling_truth("mrope_interleaved").value_or(false), s.rotated / 2);
  else
    config.note(fmt::format("mrope_section is {}; of time, height and width {} pairs were expected.",
                            fmt::join(sections, ", "), s.rotated / 2));
}

void read_alibi(const RopeKeys& config, RopeConfig& found) {
  found.alibi_heads = heads_of(config);
  require(found.alibi_heads > 0, "{}: ALiBi without {}; expected a number of heads", config.file_name(),
          config.name_of("num_attention_heads"));
  found.alibi_maximum = config.number({"alibi_bias_max", "max_alibi_bias"}).value_or(8);
  if (config.truth({"alibi_divided"}).value_or(false))
    found.alibi_scale = 1 / std::sqrt(double(head_of({config, "", 0})));
  alibi_slopes(found.alibi_heads, found.alibi_maximum);  // refuses what cannot be used
}

void read_all(const RopeKeys& config, RopeConfig& found) {
  found.positions = positions_of(config);
  found.claimed = config
                      .number({"max_sequence_length", "max_position_embeddings", "n_positions", "max_seq_len",
                               "seq_length", "max_context_length", "model_max_length", "n_ctx"})
                      .value_or(0);
  if (found.positions == Positions::alibi) read_alibi(config, found);
  if (found.positions != Positions::rotary) return;
  read_layers(config, found);
  read_layout(config, found);
  if (found.positions == Positions::rotary) read_scores(config, found);
}

/// Configurations by name.
std::map<std::string, ConfigValues> built_in(const char* name, std::string_view text) {
  const ConfigValues all = read_config_values(ByteSource(name, InMemory{text, nullptr}));
  std::map<std::string, ConfigValues> configs;
  for (const auto& [key, value] : all.values)
    if (const std::size_t dot = key.find('.'); dot != key.npos)
      configs[key.substr(0, dot)].values.emplace(key.substr(dot + 1), value);
  return configs;
}

}  // namespace

RopeConfig rope_config_of(const ConfigValues& values) {
  const RopeKeys config(values);
  RopeConfig found;
  found.model = config.model();
  found.source = config.source();
  try {
    read_all(config, found);
  } catch (const Error& error) {
    const std::string what = error.what();
    throw Error(what.starts_with(values.file) ? what : fmt::format("{}: {}", values.file, what),
                error.exit());
  }
  found.notes = config.notes();
  return found;
}

const std::map<std::string, ConfigValues>& public_configs() {
  static const auto configs = built_in("rope_configs.json", rope_configs_text);
  return configs;
}

std::map<std::string, ConfigValues> reference_configs() {
  std::map<std::string, ConfigValues> configs = built_in("rope_layer_configs.json", rope_layer_configs_text);
  configs.insert(public_configs().begin(), public_configs().end());
  return configs;
}

RopeConfig read_rope_config(const std::filesystem::path& path) {
  const ByteSource source(std::filesystem::is_directory(path) ? path / "config.json" : path);
  return rope_config_of(is_gguf(source.beginning(8)) ? read_gguf_values(path, source)
                                                     : read_config_values(source));
}

}  // namespace perp::distance
