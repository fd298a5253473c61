// What llama.cpp's metadata says of positions, under the names of Hugging Face's configurations.

#include <algorithm>

#include "perp/io/gguf.hpp"
#include "perp/io/message.hpp"
#include "perp/io/table_rows.hpp"
#include "studies/distance/rope_config.hpp"

namespace perp::distance {
namespace {

/// What llama.cpp calls it, and what Hugging Face does.
constexpr std::pair<std::string_view, std::string_view> names[] = {
    {"rope.freq_base", "rope_theta"},
    {"rope.freq_base_swa", "rope_local_base_freq"},
    {"context_length", "max_position_embeddings"},
    {"embedding_length", "hidden_size"},
    {"block_count", "num_hidden_layers"},
    {"attention.head_count", "num_attention_heads"},
    {"attention.key_length", "head_dim"},
    {"attention.key_length_swa", "swa_head_dim"},
    {"attention.sliding_window", "sliding_window"},
    {"attention.sliding_window_pattern", "sliding_window_pattern"},
    {"attention.temperature_scale", "llama_4_scaling_beta"},
    {"attention.temperature_length", "temperature_length"},
    {"rope.dimension_count", "rotary_dim"},
    {"rope.dimension_count_swa", "swa_rotary_dim"},
    {"rope.scale_linear", "rope_scaling.factor"},
    {"attention.max_alibi_bias", "max_alibi_bias"},
    {"rope.scaling.attn_factor", "rope_scaling.attn_factor"},
    {"rope.scaling.yarn_attn_factor", "rope_scaling.attn_factor"},
    {"rope.scaling.yarn_beta_fast", "rope_scaling.beta_fast"},
    {"rope.scaling.yarn_beta_slow", "rope_scaling.beta_slow"},
    {"rope.scaling.yarn_log_multiplier", "rope_scaling.mscale_all_dim"},
    {"rope.scaling.type", "rope_scaling.type"},
    {"rope.scaling.factor", "rope_scaling.factor"},
    {"rope.scaling.alpha", "rope_scaling.alpha"},
    {"rope.scaling.original_context_length", "rope_scaling.original_max_position_embeddings"}};

ConfigValue value_of(const GgufValue& value) {
  return std::visit(
      []<class T>(const T& held) -> ConfigValue {
        if constexpr (std::is_same_v<T, bool>) return held;
        if constexpr (std::is_arithmetic_v<T>) return double(held);
        if constexpr (std::is_same_v<T, std::string>) return held;
        return OtherList{};
      },
      value);
}

ConfigValues values_of(const GgufHeader& header, const std::string& file) {
  ConfigValues config{file, {}};
  auto& values = config.values;
  const std::string family = header.text("general.architecture").value_or("");
  values["general.architecture"] = family;
  // Under its own name first, so that what nobody reads can be told.
  for (const auto& [key, value] : header.metadata)
    if (key.starts_with(family + ".")) values[key] = value_of(value);
  for (const auto& [theirs, ours] : names) {
    const std::string key = fmt::format("{}.{}", family, theirs);
    config.names.try_emplace(std::string(ours), on_one_line(key));
    const auto found = values.find(key);
    // Lists are not kept: one value for each layer cannot be read.
    if (found == values.end() || std::holds_alternative<OtherList>(found->second)) continue;
    config.names[std::string(ours)] = on_one_line(key);
    values[std::string(ours)] = found->second;
    values.erase(key);
  }
  if (config.number("max_alibi_bias").value_or(0) > 0) values["alibi"] = true;
  if (config.has("rope_scaling.factor")) values.try_emplace("rope_scaling.type", std::string("linear"));
  // DeepSeek's files have a tenth of it. llama.cpp leaves cosines and sines as they are, as where both are the same.
  if (const auto slope = config.number("rope_scaling.mscale_all_dim"))
    values["rope_scaling.mscale"] = values["rope_scaling.mscale_all_dim"] =
        family.starts_with("deepseek") ? 10 * *slope : *slope;
  return config;
}

}  // namespace

ConfigValues read_gguf_values(const std::filesystem::path& path, const ByteSource& source) {
  const GgufHeader header = read_gguf_header(source);
  ConfigValues config = values_of(header, in_quotes(path));
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

}  // namespace perp::distance
