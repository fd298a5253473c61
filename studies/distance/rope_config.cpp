#include "studies/distance/rope_config.hpp"

#include <algorithm>
#include <cmath>

#include "perp/base/error.hpp"
#include "perp/io/gguf.hpp"
#include "perp/io/message.hpp"
#include "perp/io/table_rows.hpp"

namespace perp::distance {

extern const std::string_view rope_configs_text;  // rope_configs.json, by the build

namespace {

constexpr std::uint64_t widest = 1 << 20, most_heads = 1 << 16;

/// The first of several names that is there: of a model of several parts in its text's, what belongs to RoPE within
/// rope_scaling where that says anything, or else rope_parameters, of kinds of layer the full attention's.
class Lookup {
 public:
  explicit Lookup(const ConfigValues& values) : values_(values) {
    for (const char* part : {"text_config.", "llm_config."})
      for (const char* sign : {"head_dim", "hidden_size", "rope_theta", "rope_parameters", "rope_scaling"})
        if (values.has(part + std::string(sign))) model_ = part;
    for (const char* object : {"rope_parameters", "rope_scaling"})
      if (values.has(model_ + object)) rope_ = model_ + object + ".";
    if (!rope_.empty()) {
      if (values.has(rope_ + "full_attention")) rope_ += "full_attention.";
      const std::string object = rope_.substr(0, rope_.size() - 1);
      const ConfigValue& value = values.values.find(object)->second;
      require(std::holds_alternative<ConfigObject>(value), "{}: {} is {}; expected an object", values.file,
              object, kind_of(value));
    }
  }
  const ConfigValues& values() const { return values_; }

  /// The whole key under which one of these names stands; empty if none does. `scaling`: within RoPE's object alone.
  std::string key(std::initializer_list<std::string_view> names, bool scaling = false) const {
    std::vector<std::string> scopes;
    if (has_rope()) scopes.push_back(rope_);
    if (!scaling) scopes.insert(scopes.end(), {model_, model_ + "attn_config."});
    for (const std::string& scope : scopes)
      for (const std::string_view name : names)
        if (values_.has(scope + std::string(name))) return scope + std::string(name);
    return {};
  }
  std::optional<double> number(std::initializer_list<std::string_view> names) const {
    return values_.number(key(names));
  }
  std::optional<double> scaling(std::initializer_list<std::string_view> names) const {
    return values_.number(key(names, true));
  }
  std::optional<std::string> text(std::initializer_list<std::string_view> names, bool scaling = false) const {
    return values_.text(key(names, scaling));
  }
  std::vector<double> numbers(std::initializer_list<std::string_view> names) const {
    return values_.numbers(key(names, true)).value_or(std::vector<double>{});
  }
  std::optional<std::uint64_t> whole(std::initializer_list<std::string_view> names,
                                     std::uint64_t most) const {
    return values_.whole(key(names), 1, most);
  }
  bool has_rope() const { return !rope_.empty(); }

 private:
  const ConfigValues& values_;
  std::string model_, rope_;
};

std::size_t head_of(const Lookup& config, std::uint64_t heads) {
  if (const auto head =
          config.whole({"qk_rope_head_dim", "global_head_dim", "head_dim", "kv_channels"}, widest))
    return *head;
  const auto width = config.whole({"hidden_size", "n_embd", "d_model"}, widest);
  require(width && heads > 0,
          "{}: neither head_dim nor hidden_size with num_attention_heads; expected a head's size",
          config.values().file);
  return *width / heads;
}

std::size_t rotated_of(const Lookup& config, std::size_t head) {
  if (const auto rotated = config.whole({"rotary_dim"}, widest)) return *rotated;
  if (config.key({"qk_rope_head_dim"}) != "") return head;  // is the rotated part already
  const double share = config.number({"partial_rotary_factor", "rotary_pct", "rope_pct"}).value_or(1);
  require(share > 0 && share <= 1, "{}: {} of a head is rotated; expected a share above 0, at most 1",
          config.values().file, share);
  return static_cast<std::size_t>(share * double(head));
}

void read_scaling(const Lookup& config, RopeConfig& found) {
  RopeSettings& s = found.settings;
  const std::string type = config.text({"rope_type", "type"}, true).value_or("default");
  // Qwen's sections of pairs for time, height and width: of text, where all three are the same, the usual frequencies.
  s.scaling = type == "mrope" ? RopeScaling::none : rope_scaling_from(type);
  s.near = config.numbers({"short_factor"});
  s.far = config.numbers({"long_factor"});
  const std::optional<double> factor = config.scaling({"factor"}), alpha = config.scaling({"alpha"}),
                              most = config.number({"max_position_embeddings"});
  // Phi-3's first files say yarn for their lists; HunYuan's dynamic with an alpha is NTK-aware.
  if (s.scaling == RopeScaling::yarn && !s.near.empty()) s.scaling = RopeScaling::longrope;
  if (s.scaling == RopeScaling::dynamic && alpha) s.scaling = RopeScaling::ntk;
  const bool by_contexts = s.scaling == RopeScaling::longrope || s.scaling == RopeScaling::yarn;
  // The library that most use takes the outer one where both stand.
  std::optional<double> original = config.values().number("original_max_position_embeddings");
  if (!original) original = config.number({"original_max_position_embeddings"});
  s.trained =
      s.scaling == RopeScaling::dynamic ? most.value_or(found.claimed) : original.value_or(found.claimed);
  s.factor = s.scaling == RopeScaling::none
                 ? 1
                 : (s.scaling == RopeScaling::ntk && alpha ? alpha : factor).value_or(1);
  // Its max_position_embeddings may be the context before the scaling (Vicuna) or behind it (Gemma 3).
  if (s.scaling == RopeScaling::linear && !original)
    s.trained = found.claimed > most.value_or(0) ? most.value_or(0) : 0;
  if (by_contexts && !factor) {
    require(s.trained > 0, "{} without a factor needs the context before and after", to_text(s.scaling));
    s.factor = found.claimed / s.trained;
  }
  if (!factor && !alpha && !by_contexts && s.scaling != RopeScaling::none &&
      s.scaling != RopeScaling::proportional)
    found.notes.emplace_back("The scaling names no factor: 1.");
  const bool is_llama3 = s.scaling == RopeScaling::llama3;
  s.slow = config.scaling({is_llama3 ? "low_freq_factor" : "beta_slow"}).value_or(1);
  s.fast = config.scaling({is_llama3 ? "high_freq_factor" : "beta_fast"}).value_or(is_llama3 ? 4 : 32);
  if (config.values().flag(config.key({"truncate"}, true)) == false) s.ramp = Ramp::unrounded;
  s.amplitude = config.scaling({"attention_factor"});
  s.log_slope = config.scaling({"mscale"}).value_or(0);
  s.log_slope_all = s.log_slope > 0 ? config.scaling({"mscale_all_dim"}).value_or(0) : 0;
  if (s.scaling == RopeScaling::yarn) found.claimed = std::max(found.claimed, s.factor * s.trained);
  if (s.scaling == RopeScaling::dynamic) found.claimed = s.factor * s.trained;
  if (found.model.starts_with("deepseek") && s.log_slope_all > 0)
    found.notes.emplace_back(fmt::format("DeepSeek's code multiplies every logit by {:.4g} beside it.",
                                         std::pow(0.1 * s.log_slope_all * std::log(s.factor) + 1, 2)));
}

/// What llama.cpp calls it, and what Hugging Face does.
constexpr std::pair<std::string_view, std::string_view> gguf_names[] = {
    {"rope.freq_base", "rope_theta"},
    {"context_length", "max_position_embeddings"},
    {"embedding_length", "hidden_size"},
    {"attention.head_count", "num_attention_heads"},
    {"attention.key_length", "head_dim"},
    {"rope.dimension_count", "rotary_dim"},
    {"rope.scale_linear", "rope_scaling.factor"},
    {"attention.max_alibi_bias", "max_alibi_bias"},
    {"rope.scaling.yarn_beta_fast", "rope_scaling.beta_fast"},
    {"rope.scaling.yarn_beta_slow", "rope_scaling.beta_slow"},
    {"rope.scaling.type", "rope_scaling.type"},
    {"rope.scaling.factor", "rope_scaling.factor"},
    {"rope.scaling.original_context_length", "rope_scaling.original_max_position_embeddings"}};

ConfigValues gguf_values(const GgufHeader& header, const std::string& file) {
  ConfigValues values{file, {}};
  const std::string family = header.text("general.architecture").value_or("");
  values.values["model_type"] = family;
  for (const auto& [theirs, ours] : gguf_names) {
    const auto found = header.metadata.find(fmt::format("{}.{}", family, theirs));
    if (found == header.metadata.end()) continue;
    std::visit(
        [&, ours = std::string(ours)]<class T>(const T& value) {
          if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
            values.values[ours] = double(value);
          if constexpr (std::is_same_v<T, std::string>) values.values[ours] = value;
        },
        found->second);
  }
  if (const auto bias = values.number("max_alibi_bias"); bias && *bias > 0) values.values["alibi"] = true;
  bool scales = false;
  for (const auto& [key, value] : values.values) scales = scales || key.starts_with("rope_scaling.");
  if (scales) values.values["rope_scaling"] = ConfigObject{};
  if (values.has("rope_scaling.factor") && !values.has("rope_scaling.type"))
    values.values["rope_scaling.type"] = std::string("linear");
  return values;
}

/// A list that lies as a tensor; empty if it does not.
std::vector<double> factors_in(const GgufHeader& header, const std::filesystem::path& path,
                               const char* tensor) {
  if (std::ranges::find(header.tensors, tensor, &TensorInfo::name) == header.tensors.end()) return {};
  const Matrix<double> row = open_table({path, tensor}).all<double>();
  return {row.data(), row.data() + row.size()};
}

RopeConfig read_gguf_config(const std::filesystem::path& path, const ByteSource& source) {
  const GgufHeader header = read_gguf_header(source);
  ConfigValues values = gguf_values(header, in_quotes(path));
  for (const auto& [tensor, key] : {std::pair{"rope_factors_short.weight", "rope_scaling.short_factor"},
                                    {"rope_factors_long.weight", "rope_scaling.long_factor"}})
    if (auto factors = factors_in(header, path, tensor); !factors.empty()) {
      values.values[key] = std::move(factors);
      values.values["rope_scaling"] = ConfigObject{};
      values.values["rope_scaling.type"] = std::string("longrope");
    }
  RopeConfig config = rope_config_of(values);
  config.settings.divisors = factors_in(header, path, "rope_freqs.weight");
  if (!config.settings.divisors.empty())
    config.notes.emplace_back(
        "Frequencies are divided by the file's rope_freqs.weight, as Llama 3.1's files hold their scaling.");
  return config;
}

}  // namespace

RopeConfig rope_config_of(const ConfigValues& values) {
  const Lookup config(values);
  RopeConfig found;
  found.name = values.text("name").value_or("");
  found.model = config.text({"model_type"}).value_or("");
  const std::string positions =
      config.text({"position_embedding_type", "position_embeddings_type"}).value_or("rope");
  require(positions == "rope" || positions == "rotary" || positions == "alibi",
          "{}: position_embedding_type is {}; RoPE or ALiBi was expected", values.file, in_quotes(positions));
  const std::uint64_t heads =
      config.whole({"num_attention_heads", "n_head", "n_heads", "num_heads"}, most_heads).value_or(0);
  const bool says_alibi =
      values.flag(config.key({"alibi"})).value_or(false) || positions == "alibi" || found.model == "bloom";
  if (says_alibi) {
    require(heads > 0, "{}: ALiBi without num_attention_heads; expected a number of heads", values.file);
    found.alibi_heads = heads;
    return found;
  }
  try {
    found.claimed =
        config.number({"max_sequence_length", "max_position_embeddings", "n_positions", "max_seq_len"})
            .value_or(0);
    found.settings.head = head_of(config, heads);
    found.settings.rotated = rotated_of(config, found.settings.head);
    const std::optional<double> base = config.number({"rope_theta", "rotary_emb_base", "rope_base"});
    found.settings.base = base.value_or(10000);
    if (!base && !config.has_rope() &&
        config.key({"rotary_dim", "partial_rotary_factor", "rotary_pct"}) == "")
      found.notes.emplace_back(
          "The file says nothing of RoPE; if the model uses it: base 10,000, as most code takes.");
    else if (!base)
      found.notes.emplace_back(
          "The file names no base (rope_theta): 10,000, as most code takes; some families have another.");
    read_scaling(config, found);
    require(found.claimed >= 0 && found.claimed <= 1e9, "a context of {} positions; expected at most 10^9",
            found.claimed);
    inverse_frequencies(found.settings, found.claimed);  // these refuse what cannot be used
    rope_amplitude(found.settings);
  } catch (const Error& error) {
    const std::string what = error.what();
    throw Error(what.starts_with(values.file) ? what : fmt::format("{}: {}", values.file, what),
                error.exit());
  }
  if (config.key({"no_rope_layers", "no_rope_layer_interval", "nope_layer_interval"}) != "")
    found.notes.emplace_back("Some layers have no positions at all.");
  if (config.number({"rope_local_base_freq"}) || values.has("rope_parameters.sliding_attention") ||
      values.has("text_config.rope_parameters.sliding_attention"))
    found.notes.emplace_back(
        "Layers of a sliding window have a RoPE of their own, which is not looked at here.");
  return found;
}

const std::vector<std::pair<std::string, ConfigValues>>& public_configs() {
  static const auto configs = [] {
    const ConfigValues all =
        read_config_values(ByteSource("rope_configs.json", InMemory{rope_configs_text, nullptr}));
    std::vector<std::pair<std::string, ConfigValues>> configs;
    for (const auto& [key, value] : all.values) {
      // In the order of names: a model's object stands before what is in it.
      if (std::holds_alternative<ConfigObject>(value) && all.values.contains(key + ".model_type"))
        configs.push_back({key, {key, {}}});
      else if (!configs.empty())
        configs.back().second.values.emplace(key.substr(configs.back().first.size() + 1), value);
    }
    return configs;
  }();
  return configs;
}

RopeConfig read_rope_config(const std::filesystem::path& path) {
  const ByteSource source(std::filesystem::is_directory(path) ? path / "config.json" : path);
  return is_gguf(source.beginning(8)) ? read_gguf_config(path, source)
                                      : rope_config_of(read_config_values(source));
}

}  // namespace perp::distance
