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

/// The first of several names that is there, innermost scope first.
class Lookup {
 public:
  explicit Lookup(const ConfigValues& values) : values_(values) {
    const std::string_view model =
        !values.has("max_position_embeddings") && values.has("text_config") ? "text_config." : "";
    for (const char* inner : {"rope_parameters.full_attention.", "rope_parameters.",
                              "rope_scaling.full_attention.", "rope_scaling.", "attn_config.", ""})
      scopes_.push_back(std::string(model) + inner);
  }
  const ConfigValues& values() const { return values_; }

  /// The whole key under which one of these names stands; empty if none does.
  std::string key(std::initializer_list<std::string_view> names) const {
    for (const std::string& scope : scopes_)
      for (const std::string_view name : names)
        if (values_.has(scope + std::string(name))) return scope + std::string(name);
    return {};
  }
  std::optional<double> number(std::initializer_list<std::string_view> names) const {
    return values_.number(key(names));
  }
  std::optional<std::string> text(std::initializer_list<std::string_view> names) const {
    return values_.text(key(names));
  }
  std::vector<double> numbers(std::initializer_list<std::string_view> names) const {
    return values_.numbers(key(names)).value_or(std::vector<double>{});
  }
  std::optional<std::uint64_t> whole(std::initializer_list<std::string_view> names,
                                     std::uint64_t most) const {
    return values_.whole(key(names), 1, most);
  }

 private:
  const ConfigValues& values_;
  std::vector<std::string> scopes_;
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
  const double share = config.number({"partial_rotary_factor", "rotary_pct", "rope_pct"}).value_or(1);
  require(share > 0 && share <= 1, "{}: {} of a head is rotated; expected a share above 0, at most 1",
          config.values().file, share);
  return static_cast<std::size_t>(share * double(head));
}

void read_scaling(const Lookup& config, RopeConfig& found) {
  RopeSettings& s = found.settings;
  const std::string type = config.text({"rope_type", "type"}).value_or("default");
  // Qwen's sections of pairs for time, height and width: of text, where all three are the same, the usual frequencies.
  s.scaling = type == "mrope" ? RopeScaling::none : rope_scaling_from(type);
  const std::optional<double> original = config.number({"original_max_position_embeddings"}),
                              factor = config.number({"factor", "alpha"});
  s.trained = original.value_or(found.claimed);
  // Some have no factor but the two contexts.
  s.factor = factor.value_or(
      s.scaling == RopeScaling::longrope || s.scaling == RopeScaling::yarn ? found.claimed / s.trained : 1);
  const bool is_llama3 = s.scaling == RopeScaling::llama3;
  s.slow = config.number({is_llama3 ? "low_freq_factor" : "beta_slow"}).value_or(1);
  s.fast = config.number({is_llama3 ? "high_freq_factor" : "beta_fast"}).value_or(is_llama3 ? 4 : 32);
  if (config.values().flag(config.key({"truncate"})) == false) s.ramp = Ramp::unrounded;
  s.near = config.numbers({"short_factor"});
  s.far = config.numbers({"long_factor"});
  s.amplitude = config.number({"attention_factor"});
  s.log_slope = config.number({"mscale"}).value_or(0);
  s.log_slope_all = s.log_slope > 0 ? config.number({"mscale_all_dim"}).value_or(0) : 0;
  if (s.scaling == RopeScaling::yarn) found.claimed = std::max(found.claimed, s.factor * s.trained);
  if (s.scaling == RopeScaling::dynamic) found.claimed = s.factor * s.trained;
}

/// What llama.cpp calls it, and what Hugging Face does.
constexpr std::pair<std::string_view, std::string_view> gguf_names[] = {
    {"rope.freq_base", "rope_theta"},
    {"context_length", "max_position_embeddings"},
    {"embedding_length", "hidden_size"},
    {"attention.head_count", "num_attention_heads"},
    {"attention.key_length", "head_dim"},
    {"rope.dimension_count", "rotary_dim"},
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
        [&]<class T>(const T& value) {
          if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
            values.values[std::string(ours)] = double(value);
          if constexpr (std::is_same_v<T, std::string>) values.values[std::string(ours)] = value;
        },
        found->second);
  }
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
  const std::uint64_t heads =
      config.whole({"num_attention_heads", "n_head", "n_heads", "num_heads"}, most_heads).value_or(0);
  const bool says_alibi = values.flag(config.key({"alibi"})).value_or(false) ||
                          config.text({"position_embedding_type"}) == "alibi" || found.model == "bloom";
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
    if (!base)
      found.notes.emplace_back("The file names no base (rope_theta): 10,000, which most code then takes.");
    read_scaling(config, found);
    require(found.claimed >= 0 && found.claimed <= 1e9, "a context of {} positions; expected at most 10^9",
            found.claimed);
    inverse_frequencies(found.settings, found.claimed);  // refuses what cannot be used
  } catch (const Error& error) {
    const std::string what = error.what();
    throw Error(what.starts_with(values.file) ? what : fmt::format("{}: {}", values.file, what),
                error.exit());
  }
  if (config.number({"rope_local_base_freq"}) || config.key({"sliding_attention"}) != "")
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
