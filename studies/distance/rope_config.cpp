#include "studies/distance/rope_config.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/error.hpp"
#include "perp/io/gguf.hpp"
#include "perp/io/message.hpp"
#include "perp/io/table_rows.hpp"

namespace perp::distance {

// The .json of these names, by the build.
extern const std::string_view rope_configs_text, rope_families_text;

namespace {

constexpr std::uint64_t widest = 1 << 20, most_heads = 1 << 16;
constexpr double longest = 1e9;

using Names = std::initializer_list<std::string_view>;

/// Where values stand: of a model of several parts in its text's; what belongs to RoPE within rope_scaling where
/// that says anything, or else rope_parameters, of kinds of layer the full attention's.
class Lookup {
 public:
  explicit Lookup(const ConfigValues& config) : values(config) {
    for (const char* part : {"text_config.", "llm_config."})
      for (const char* sign : {"head_dim", "hidden_size", "rope_theta", "rope_parameters", "rope_scaling"})
        if (values.has(part + std::string(sign))) model_ = part;
    for (const std::string& object : {model_ + "rope_parameters", model_ + "rope_scaling"}) {
      values.get<ConfigObject>(object);  // refuses another kind of value
      if (!keys_within(object).empty()) rope_ = object;
    }
    if (values.get<ConfigObject>(rope_ + ".full_attention")) rope_ += ".full_attention";
    for (const std::string& key : keys_within(rope_))
      for (const char* sign : {".rope_theta", ".rope_type"})
        require(key == rope_ + sign || !key.ends_with(sign),
                "{}: {} is of one kind of layer; expected full_attention among these", values.file, key);
  }

  /// The whole key under which the first of these names that is there stands; empty if none does.
  std::string key(Names names) const { return first({rope_ + ".", model_, model_ + "attn_config."}, names); }
  std::string scaling_key(Names names) const { return first({rope_ + "."}, names); }
  std::string model_key(std::string_view name) const { return model_ + std::string(name); }

  bool has(Names names) const { return !key(names).empty(); }
  std::optional<double> number(Names names) const { return values.number(key(names)); }
  std::optional<double> scaling(std::string_view name) const { return values.number(scaling_key({name})); }
  std::vector<double> list(std::string_view name) const {
    return values.get<std::vector<double>>(scaling_key({name})).value_or(std::vector<double>{});
  }
  std::optional<std::uint64_t> width(Names names) const { return values.whole(key(names), 1, widest); }
  bool has_rope() const { return !rope_.empty(); }

  const ConfigValues& values;

 private:
  std::string first(std::initializer_list<std::string> scopes, Names names) const {
    for (const std::string& scope : scopes)
      for (const std::string_view name : names)
        if (values.has(scope + std::string(name))) return scope + std::string(name);
    return {};
  }
  /// What stands in an object: '/' follows '.'.
  std::vector<std::string> keys_within(const std::string& object) const {
    std::vector<std::string> keys;
    const auto end = values.values.lower_bound(object + "/");
    for (auto at = values.values.lower_bound(object + "."); at != end; ++at) keys.push_back(at->first);
    return keys;
  }

  std::string model_, rope_;
};

ConfigValues built_in(const char* name, std::string_view text) {
  return read_config_values(ByteSource(name, InMemory{text, nullptr}));
}

/// What the file says under one of these names; else what Hugging Face's library takes for this model_type, with a
/// note.
std::optional<double> or_family(const Lookup& config, Names names, RopeConfig& found) {
  static const ConfigValues families = built_in("rope_families.json", rope_families_text);
  if (const auto said = config.number(names)) return said;
  const std::string model = config.values.text(config.key({"model_type"})).value_or("");
  const auto taken = families.number(fmt::format("{}.{}", model, *names.begin()));
  if (taken)
    found.notes.push_back(fmt::format("The file names no {}; Hugging Face's library takes {:.10g} for {}.",
                                      *names.begin(), *taken, model));
  return taken;
}

std::size_t head_of(const Lookup& config, std::uint64_t heads) {
  if (const auto head = config.width({"qk_rope_head_dim", "global_head_dim", "head_dim", "kv_channels"}))
    return *head;
  const auto width = config.width({"hidden_size", "n_embd", "d_model"});
  const auto called = [&](const char* key) { return config.values.name_of(key); };
  require(width && heads > 0, "{}: neither {} nor {} with {}; expected a head's size", config.values.file,
          called("head_dim"), called("hidden_size"), called("num_attention_heads"));
  return *width / heads;
}

std::size_t rotated_of(const Lookup& config, RopeConfig& found) {
  if (const auto rotated = config.width({"rotary_dim"})) return *rotated;
  if (config.has({"qk_rope_head_dim"})) return found.settings.head;  // is the rotated part already
  const double share =
      or_family(config, {"partial_rotary_factor", "rotary_pct", "rope_pct"}, found).value_or(1);
  require(share > 0 && share <= 1, "{}: {} of a head is rotated; expected a share above 0, at most 1",
          config.values.file, share);
  return static_cast<std::size_t>(share * double(found.settings.head));
}

double base_of(const Lookup& config, RopeConfig& found) {
  const auto base =
      or_family(config, {"rope_theta", "rotary_emb_base", "rope_base", "global_rope_theta"}, found);
  if (!base && !config.has_rope() && !config.has({"rotary_dim", "partial_rotary_factor", "rotary_pct"}))
    found.notes.emplace_back(
        "The file says nothing of RoPE; if the model uses it: base 10,000, as most code takes.");
  else if (!base)
    found.notes.push_back(
        fmt::format("The file names no base ({}): 10,000, as most code takes; some families have another.",
                    config.values.name_of("rope_theta")));
  return base.value_or(10000);
}

void read_scaling(const Lookup& config, RopeConfig& found) {
  using enum RopeScaling;
  RopeSettings& s = found.settings;
  s.scaling =
      rope_scaling_from(config.values.text(config.scaling_key({"rope_type", "type"})).value_or("default"));
  s.near = config.list("short_factor");
  s.far = config.list("long_factor");
  const std::optional<double> alpha = config.scaling("alpha"),
                              most = config.number({"max_position_embeddings"});
  // Phi-3's first files say yarn for their lists; HunYuan's dynamic with an alpha is NTK-aware.
  if (s.scaling == yarn && !s.near.empty()) s.scaling = longrope;
  if (s.scaling == dynamic && alpha) s.scaling = ntk;
  const bool by_contexts = s.scaling == longrope || s.scaling == yarn, is_llama3 = s.scaling == llama3;

  // The library that most use takes the outer one where both stand.
  std::optional<double> original = config.values.number(config.model_key("original_max_position_embeddings"));
  if (!original) original = config.scaling("original_max_position_embeddings");
  s.trained = s.scaling == dynamic ? most.value_or(found.claimed) : original.value_or(found.claimed);
  // Its max_position_embeddings may be the context before the scaling (Vicuna) or behind it (Gemma 3).
  if (s.scaling == linear && !original) s.trained = found.claimed > most.value_or(0) ? most.value_or(0) : 0;

  std::optional<double> factor = s.scaling == ntk && alpha ? alpha : config.scaling("factor");
  if (s.scaling == none) factor = 1;
  if (by_contexts && !factor) {
    require(s.trained > 0, "{} without a factor needs the context before and after", to_text(s.scaling));
    factor = found.claimed / s.trained;
  }
  if (!factor && s.scaling != proportional) found.notes.emplace_back("The scaling names no factor: 1.");
  s.factor = factor.value_or(1);
  if (s.scaling == yarn) found.claimed = std::max(found.claimed, s.factor * s.trained);
  if (s.scaling == dynamic) found.claimed = s.factor * s.trained;

  s.slow = config.scaling(is_llama3 ? "low_freq_factor" : "beta_slow").value_or(1);
  s.fast = config.scaling(is_llama3 ? "high_freq_factor" : "beta_fast").value_or(is_llama3 ? 4 : 32);
  if (config.values.get<bool>(config.scaling_key({"truncate"})) == false) s.ramp = Ramp::unrounded;
  if (by_contexts) s.amplitude = config.scaling("attention_factor");
  s.log_slope = config.scaling("mscale").value_or(0);
  s.log_slope_all = s.log_slope > 0 ? config.scaling("mscale_all_dim").value_or(0) : 0;
  if (found.model.starts_with("deepseek") && s.log_slope_all > 0)
    found.notes.emplace_back(fmt::format("DeepSeek's code multiplies every logit by {:.4g} beside it.",
                                         std::pow(0.1 * s.log_slope_all * std::log(s.factor) + 1, 2)));
  // Pairs, not dimensions, are counted by the share.
  if (s.scaling == proportional) s.rotated -= s.rotated % 2;
}

/// What llama.cpp calls it, and what Hugging Face does.
constexpr std::pair<std::string_view, std::string_view> gguf_names[] = {
    {"rope.freq_base", "rope_theta"},
    {"rope.freq_base_swa", "rope_local_base_freq"},
    {"context_length", "max_position_embeddings"},
    {"embedding_length", "hidden_size"},
    {"attention.head_count", "num_attention_heads"},
    {"attention.key_length", "head_dim"},
    {"rope.dimension_count", "rotary_dim"},
    {"rope.scale_linear", "rope_scaling.factor"},
    {"attention.max_alibi_bias", "max_alibi_bias"},
    {"rope.scaling.yarn_beta_fast", "rope_scaling.beta_fast"},
    {"rope.scaling.yarn_beta_slow", "rope_scaling.beta_slow"},
    {"rope.scaling.yarn_log_multiplier", "rope_scaling.mscale_all_dim"},
    {"rope.scaling.type", "rope_scaling.type"},
    {"rope.scaling.factor", "rope_scaling.factor"},
    {"rope.scaling.original_context_length", "rope_scaling.original_max_position_embeddings"}};

ConfigValues gguf_values(const GgufHeader& header, const std::string& file) {
  ConfigValues config{file, {}};
  auto& values = config.values;
  const std::string family = header.text("general.architecture").value_or("");
  values["general.architecture"] = family;
  for (const auto& [theirs, ours] : gguf_names) {
    const std::string key = fmt::format("{}.{}", on_one_line(family), theirs);
    config.names.try_emplace(std::string(ours), key);
    if (const auto found = header.metadata.find(fmt::format("{}.{}", family, theirs));
        found != header.metadata.end()) {
      config.names[std::string(ours)] = key;
      values[std::string(ours)] = std::visit(
          []<class T>(const T& value) -> ConfigValue {
            if constexpr (std::is_arithmetic_v<T>) return double(value);
            if constexpr (std::is_same_v<T, std::string>) return value;
            return {};
          },
          found->second);
    }
  }
  if (config.number("max_alibi_bias").value_or(0) > 0) values["alibi"] = true;
  if (config.has("rope_scaling.factor")) values.try_emplace("rope_scaling.type", std::string("linear"));
  // DeepSeek's files have a tenth of it. llama.cpp leaves cosines and sines as they are, as where both are the same.
  if (const auto slope = config.number("rope_scaling.mscale_all_dim"))
    values["rope_scaling.mscale"] = values["rope_scaling.mscale_all_dim"] =
        family.starts_with("deepseek") ? 10 * *slope : *slope;
  return config;
}

/// Divisors of frequencies, as Llama 3.1's files hold their scaling.
constexpr auto gguf_divisors = "rope_freqs.weight";

ConfigValues read_gguf_values(const std::filesystem::path& path, const ByteSource& source) {
  const GgufHeader header = read_gguf_header(source);
  ConfigValues config = gguf_values(header, in_quotes(path));
  // Lists lie as tensors.
  for (const auto& [tensor, key] : {std::pair{"rope_factors_short.weight", "rope_scaling.short_factor"},
                                    {"rope_factors_long.weight", "rope_scaling.long_factor"},
                                    {gguf_divisors, gguf_divisors}})
    if (std::ranges::find(header.tensors, tensor, &TensorInfo::name) != header.tensors.end()) {
      const Matrix<double> row = open_table({path, tensor}).all<double>();
      config.values[key] = std::vector<double>(row.data(), row.data() + row.size());
    }
  if (config.has("rope_scaling.short_factor") || config.has("rope_scaling.long_factor"))
    config.values["rope_scaling.type"] = std::string("longrope");
  return config;
}

}  // namespace

RopeConfig rope_config_of(const ConfigValues& values) {
  const Lookup config(values);
  RopeConfig found;
  found.model = values.text(config.key({"model_type", "general.architecture"})).value_or("");
  const std::string positions =
      values.text(config.key({"position_embedding_type", "position_embeddings_type"})).value_or("rope");
  require(positions == "rope" || positions == "rotary" || positions == "alibi",
          "{}: position_embedding_type is {}; RoPE or ALiBi was expected", values.file, in_quotes(positions));
  const std::uint64_t heads =
      values.whole(config.key({"num_attention_heads", "n_head", "n_heads", "num_heads"}), 1, most_heads)
          .value_or(0);
  const bool says_alibi = values.get<bool>(config.key({"alibi"})).value_or(false);
  if (says_alibi || positions == "alibi" || found.model == "bloom") {
    require(heads > 0, "{}: ALiBi without {}; expected a number of heads", values.file,
            values.name_of("num_attention_heads"));
    found.alibi_heads = heads;
    return found;
  }
  try {
    found.claimed =
        config.number({"max_sequence_length", "max_position_embeddings", "n_positions", "max_seq_len"})
            .value_or(0);
    found.settings.head = head_of(config, heads);
    found.settings.rotated = rotated_of(config, found);
    found.settings.base = base_of(config, found);
    read_scaling(config, found);
    if (const auto divisors = values.get<std::vector<double>>(gguf_divisors)) {
      found.settings.divisors = *divisors;
      found.notes.push_back(
          fmt::format("Frequencies are divided by the file's {}, as Llama 3.1's files hold their scaling.",
                      gguf_divisors));
    }
    for (const double context : {found.claimed, found.settings.trained})
      require(context >= 0 && context <= longest, "a context of {} positions; expected at most 10^9",
              context);
    inverse_frequencies(found.settings, found.claimed);  // these refuse what cannot be used
    rope_amplitude(found.settings);
  } catch (const Error& error) {
    const std::string what = error.what();
    throw Error(what.starts_with(values.file) ? what : fmt::format("{}: {}", values.file, what),
                error.exit());
  }
  if (config.has({"no_rope_layers", "no_rope_layer_interval", "nope_layer_interval"}))
    found.notes.emplace_back("Some layers have no positions at all.");
  if (config.has({"rope_local_base_freq", "local_rope_theta"}) ||
      values.has(config.model_key("rope_parameters.sliding_attention")))
    found.notes.emplace_back(
        "Layers of a sliding window have a RoPE of their own, which is not looked at here.");
  return found;
}

const std::map<std::string, ConfigValues>& public_configs() {
  static const auto configs = [] {
    const ConfigValues all = built_in("rope_configs.json", rope_configs_text);
    std::map<std::string, ConfigValues> configs;
    for (const auto& [key, value] : all.values)
      if (const std::size_t dot = key.find('.'); dot != key.npos)
        configs[key.substr(0, dot)].values.emplace(key.substr(dot + 1), value);
    return configs;
  }();
  return configs;
}

RopeConfig read_rope_config(const std::filesystem::path& path) {
  const ByteSource source(std::filesystem::is_directory(path) ? path / "config.json" : path);
  return rope_config_of(is_gguf(source.beginning(8)) ? read_gguf_values(path, source)
                                                     : read_config_values(source));
}

}  // namespace perp::distance
