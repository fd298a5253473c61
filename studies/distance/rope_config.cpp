#include "studies/distance/rope_config.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perp/base/error.hpp"
#include "perp/io/gguf.hpp"
#include "perp/io/message.hpp"
#include "studies/distance/rope_keys.hpp"

namespace perp::distance {

extern const std::string_view rope_configs_text,
    rope_layer_configs_text;  // the .json of these names, by the build

namespace {

using enum RopeScaling;
using enum Where;

constexpr std::uint64_t widest = 1 << 20, most_heads = 1 << 16;
constexpr double longest = 1e9;

Positions positions_of(const RopeKeys& config) {
  const bool in_blocks = config.get<bool>("rope") == true;  // MPT's attn_config
  if (config.get<bool>("alibi") == true) return Positions::alibi;
  if (config.get<bool>("mla_use_nope") == true || config.get<bool>("use_mem_rope") == false)
    return Positions::none;
  const auto type = config.get<std::string>("position_embedding_type");
  if (!type || in_blocks) return Positions::rotary;
  std::vector<std::string> known;
  for (const Positions positions : all_positions) {
    const auto names =
        rope_data().get<std::vector<std::string>>(fmt::format("positions.{}", name_of(positions))).value();
    // ModernBERT's files say absolute as BERT's do, and name bases.
    if (std::ranges::find(names, *type) != names.end())
      return positions == Positions::learned && config.says("rope_theta") ? Positions::rotary : positions;
    known.insert(known.end(), names.begin(), names.end());
  }
  refuse("{}: position_embedding_type is {}; there are {}", config.file_name(), in_quotes(*type),
         fmt::join(known, ", "));
}

// ---- one kind of layer -----------------------------------------------------------------------------------

/// A kind of layer while it is read, and what the whole model claims.
struct Kind {
  RopeKeys config;
  std::string name;
  double claimed;
  RopeSettings settings = {};

  /// Whether it has the base of layers of a window, which are not scaled.
  bool has_local_base() const {
    return is_local(name) && !config.has_own_base() && config.says("rope_local_base_freq");
  }
  /// DeepSeek-V4 scales compressed layers alone, Step those that it lists.
  bool is_unscaled() const {
    const auto scaled = config.get<std::vector<std::string>>("yarn_only_types").value_or(std::vector{name});
    return has_local_base() || std::ranges::find(scaled, name) == scaled.end() ||
           (is_local(name) && !config.has_own_base() && config.says("compress_rope_theta"));
  }
};

std::uint64_t heads_of(const RopeKeys& config) {
  return config.whole("num_attention_heads", most_heads).value_or(0);
}

std::size_t head_of(const Kind& kind) {
  const RopeKeys& config = kind.config;
  // What is wrong is said, needed or not.
  if (config.says("num_attention_heads") && config.is<double>("num_attention_heads")) heads_of(config);
  for (const char* name :
       {"qk_rope_head_dim", is_local(kind.name) ? "swa_head_dim" : "global_head_dim", "head_dim"})
    if (const auto head = config.whole(name, widest)) return *head;
  const auto width = config.whole("hidden_size", widest),
             heads = config.whole("num_attention_heads", most_heads);
  require(width && heads, "{}: neither {} nor {} with {}; expected a head's size", config.file_name(),
          config.name_of("head_dim"), config.name_of("hidden_size"), config.name_of("num_attention_heads"));
  return *width / *heads;
}

std::size_t rotated_of(const Kind& kind) {
  const RopeKeys& config = kind.config;
  if (is_local(kind.name))
    if (const auto rotated = config.whole("swa_rotary_dim", widest)) return *rotated;
  if (config.says("rotary_dim") || !config.has("partial_rotary_factor"))
    if (const auto rotated = config.whole("rotary_dim", widest)) return *rotated;
  if (config.has("qk_rope_head_dim")) return kind.settings.head;  // is the rotated part already
  const double share = config.number("partial_rotary_factor").value_or(1);
  require(share > 0 && share <= 1, "{}: {} of a head is rotated; expected a share above 0, at most 1",
          config.file_name(), share);
  return static_cast<std::size_t>(share * double(kind.settings.head));
}

double base_of(const Kind& kind) {
  const RopeKeys& config = kind.config;
  if (kind.has_local_base()) return config.number("rope_local_base_freq").value();
  if (!is_local(kind.name) && kind.name.find("compress") != kind.name.npos && !config.has_own_base())
    if (const auto base = config.number("compress_rope_theta")) return *base;
  const auto base = config.number("rope_theta"), ratio = config.number("rope_ratio");
  const bool says_something = config.has_rope() || config.has("rotary_dim") ||
                              config.has("partial_rotary_factor") || config.says("position_embedding_type");
  if (!base && !ratio && !says_something)
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
  const auto alpha = config.number("alpha", in_rope), most = config.number("max_position_embeddings");
  // HunYuan's dynamic with an alpha is NTK-aware; ntk with a factor is not ExLlama's.
  if (s.scaling == dynamic && alpha) s.scaling = ntk;
  if (s.scaling == ntk && !alpha) s.scaling = ntk_mixed;
  // The library that most use takes the outer one where both stand.
  const auto inner = config.number("original_max_position_embeddings", in_rope);
  const auto outer = config.number("original_max_position_embeddings", beside_rope),
             original = outer ? outer : inner;
  s.trained = s.scaling == dynamic ? most.value_or(kind.claimed) : original.value_or(kind.claimed);
  // Its max_position_embeddings may be the context before the scaling (Vicuna) or behind it (Gemma 3).
  if (s.scaling == linear && !original) s.trained = kind.claimed > most.value_or(0) ? most.value_or(0) : 0;

  std::optional<double> factor = s.scaling == ntk ? alpha : config.number("factor", in_rope);
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
  s.log_slope = config.number("mscale", in_rope).value_or(0);
  s.log_slope_all = s.log_slope > 0 ? config.number("mscale_all_dim").value_or(0) : 0;
  s.amplitude = config.number("attention_factor", in_rope);
  if (const auto factor = config.number("attn_factor", in_rope))  // ggml's, on top of the scaling's own
    s.amplitude = *factor * rope_amplitude(s, kind.claimed);
  s.amplitude_near = config.number("short_mscale", in_rope);
  if (const auto far = config.number("long_mscale", in_rope)) s.amplitude = far;
}

void read_scaling(Kind& kind) {
  const RopeKeys& config = kind.config;
  RopeSettings& s = kind.settings;
  if (kind.is_unscaled()) return;
  s.scaling = rope_scaling_from(config.scaling_type());
  s.near = config.list("short_factor", in_rope);
  s.far = config.list("long_factor", in_rope);
  // Phi-3's first files say yarn for their lists.
  if (s.scaling == yarn && !s.near.empty()) s.scaling = longrope;
  read_contexts(kind);
  const bool is_llama3 = s.scaling == llama3;
  s.slow = config.number(is_llama3 ? "low_freq_factor" : "beta_slow", in_rope).value_or(1);
  s.fast = config.number(is_llama3 ? "high_freq_factor" : "beta_fast", in_rope).value_or(is_llama3 ? 4 : 32);
  if (config.get<bool>("truncate", in_rope) == false) s.ramp = Ramp::unrounded;
  read_amplitude(kind);
  // Pairs, not dimensions, are counted by the share.
  if (s.scaling == proportional) s.rotated -= s.rotated % 2;
}

/// nomic-embed: beyond the trained positions the base grows with the sequence.
void read_nomic(Kind& kind) {
  const auto trained = kind.config.number("max_trained_positions");
  const auto factor = trained ? kind.config.number("rotary_scaling_factor") : std::nullopt;
  if (!factor) return;
  kind.settings.scaling = dynamic;
  kind.settings.factor = *factor;
  kind.settings.trained = *trained;
}

/// Divisors that a GGUF file holds as a tensor, for layers that are scaled.
void read_divisors(Kind& kind) {
  RopeSettings& s = kind.settings;
  if (!kind.config.has(gguf_divisors) || kind.is_unscaled()) return;
  s.divisors = kind.config.list(gguf_divisors);
  // Gemma 4's files let pairs stand still by a divisor of 1e30.
  const auto still = std::ranges::find_if(s.divisors, [](double divisor) { return divisor >= 1e29; });
  if (still != s.divisors.end() && s.rotated == s.head && s.divisors.size() == s.rotated / 2) {
    s.divisors.erase(still, s.divisors.end());
    s.rotated = 2 * s.divisors.size();
    s.scaling = proportional;
  }
  kind.config.note(fmt::format(
      "Frequencies are divided by the file's {}, as Llama 3.1's files hold their scaling.", gguf_divisors));
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
  read_divisors(kind);
  for (const double context : {kind.claimed, s.trained})
    require(context >= 0 && context <= longest, "a context of {} positions; expected at most 10^9", context);
  inverse_frequencies(s, kind.claimed);  // these refuse what cannot be used
  rope_amplitude(s, kind.claimed);
  return kind;
}

// ---- the whole model -------------------------------------------------------------------------------------

void note_unrotated(const RopeKeys& config, const std::vector<std::size_t>& which, std::size_t count) {
  constexpr std::size_t most = 12;
  config.note(fmt::format(
      "Some layers have no positions at all: {}{} (of {}).",
      fmt::join(which.begin(), which.begin() + std::ptrdiff_t(std::min(most, which.size())), ", "),
      which.size() > most ? fmt::format(", … {}", which.back()) : "", count));
}

void read_layers(const RopeKeys& config, RopeConfig& found) {
  found.layers = layer_kinds(config);
  std::size_t count = 0;
  for (const LayerKind& layer : found.layers) count += layer.which.size();
  // What attends to everything comes first; of several the one that is named so.
  const auto rank = [](const LayerKind& layer) {
    return !layer.rope ? 0 : layer.kind == "full_attention" ? 3 : is_local(layer.kind) ? 1 : 2;
  };
  const auto best = std::ranges::max_element(found.layers, {}, rank);
  if (!best->rope) found.positions = Positions::none;
  const double claimed = found.claimed;
  for (auto layer = found.layers.begin(); layer != found.layers.end(); ++layer) {
    const RopeKeys own =
        config.of(layer->kind, layer->which.empty() ? std::nullopt : std::optional(layer->which[0]));
    if (is_local(layer->kind)) layer->window = own.number("sliding_window").value_or(0);
    if (!layer->rope) {
      note_unrotated(config, layer->which, count);
      continue;
    }
    const Kind kind = kind_of(own, layer->kind, claimed);
    layer->rope = kind.settings;
    if (layer == best) found.settings = kind.settings, found.claimed = kind.claimed;
  }
}

void read_layout(const RopeKeys& config, RopeConfig& found) {
  const std::string type = config.says("position_embedding_type")
                               ? config.get<std::string>("position_embedding_type").value()
                               : "";
  if (const auto interleaved = config.get<bool>("rotary_interleaved"))
    found.layout = *interleaved ? "interleaved" : "half_split";
  else if (type == "rope_gptj" || type == "rope_neox")
    found.layout = type == "rope_gptj" ? "interleaved" : "half_split";
  if (!found.layout.empty()) {
    found.source = "the file";
    return;
  }
  found.layout = config.get<std::string>("layout").value_or("");
  found.source = found.layout.empty() ? "" : config.source();
}

/// By which axis each pair turns, of a model of pictures.
void read_axes(const RopeKeys& config, RopeConfig& found) {
  const std::size_t pairs = found.settings.rotated / 2;
  std::vector<double> sections = config.list("mrope_section", in_rope);
  if (sections.size() == 4 && sections[3] == 0) sections.pop_back();  // GGUF has room for four
  if (sections.empty()) return;
  if (sections.size() != 3 || std::accumulate(sections.begin(), sections.end(), 0.0) != double(pairs)) {
    config.note(fmt::format("mrope_section is {}; of time, height and width {} pairs were expected.",
                            fmt::join(sections, ", "), pairs));
    return;
  }
  found.axes = rope_axes(sections, config.get<bool>("mrope_interleaved", in_rope).value_or(false), pairs);
  if (!config.has("axes")) return;  // ERNIE: height and width by turns, then time
  for (std::size_t i = 0; i < pairs; ++i)
    found.axes[i] = double(i) >= sections[0] + sections[1] ? 'T' : "HW"[i % 2];
}

/// What multiplies scores beside cosines and sines.
void read_scores(const RopeKeys& config, RopeConfig& found) {
  const RopeSettings& s = found.settings;
  // Code that comes from DeepSeek's, whose keys have a part of their own for RoPE, does; others have the key alone.
  const bool is_scaled = config.has("qk_rope_head_dim") || config.has("scaled_logits");
  const double all = is_scaled ? config.number("mscale_all_dim").value_or(0) : 0;
  if (all > 0 && s.factor > 1 && s.scaling == yarn) {
    found.logits = std::pow(0.1 * all * std::log(s.factor) + 1, 2);
    config.note(
        fmt::format("mscale_all_dim: every logit is multiplied by {:.4g} beside it, as in DeepSeek's code.",
                    found.logits));
  }
  const auto every = config.number("floor_scale"), slope = config.number("attn_scale");
  if (const auto beta = config.number("llama_4_scaling_beta"); beta && *beta > 0 && s.trained > 0)
    found.temperature = {*beta, config.number("temperature_length").value_or(s.trained), 0, false};
  else if (every && slope && config.has("attn_temperature_tuning") && *every > 0)
    found.temperature = {*slope, *every, 1, true};
}

void read_alibi(const RopeKeys& config, RopeConfig& found) {
  found.alibi_heads = heads_of(config);
  require(found.alibi_heads > 0, "{}: ALiBi without {}; expected a number of heads", config.file_name(),
          config.name_of("num_attention_heads"));
  found.alibi_maximum = config.number("alibi_bias_max").value_or(8);
  if (config.get<bool>("alibi_divided").value_or(false))
    found.alibi_scale = 1 / std::sqrt(double(head_of({config, "", 0})));
  alibi_slopes(found.alibi_heads, found.alibi_maximum);  // refuses what cannot be used
}

void read_all(const RopeKeys& config, RopeConfig& found) {
  require(!config.says("cos") || !config.says("sin"),
          "{}: reference vectors, which scripts/check-rope reads; expected a config.json",
          config.file_name());
  found.positions = positions_of(config);
  found.claimed = config.number("max_sequence_length").value_or(0);
  if (found.positions == Positions::alibi) read_alibi(config, found);
  if (found.positions != Positions::rotary) return;
  read_layers(config, found);
  read_layout(config, found);
  if (found.positions != Positions::rotary) return;
  read_axes(config, found);
  read_scores(config, found);
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

std::string_view name_of(Positions positions) {
  constexpr std::string_view names[] = {"rope", "alibi", "learned", "sinusoidal", "relative", "none"};
  return names[std::size_t(positions)];
}

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
