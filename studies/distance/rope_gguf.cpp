// What llama.cpp's metadata says of positions, under the names of Hugging Face's configurations.

#include <algorithm>

#include "perp/io/gguf.hpp"
#include "perp/io/message.hpp"
#include "perp/io/table_rows.hpp"
#include "studies/distance/rope_config.hpp"
#include "studies/distance/rope_keys.hpp"

namespace perp::distance {
namespace {

ConfigValue value_of(const GgufValue& value) {
  return std::visit(
      []<class T>(const T& held) -> ConfigValue {
        if constexpr (std::is_same_v<T, bool>) return held;
        if constexpr (std::is_arithmetic_v<T>) return double(held);
        if constexpr (std::is_same_v<T, std::string>) return held;
        if constexpr (std::is_same_v<T, GgufArray>)
          if (!held.numbers.empty()) return held.numbers;
        return OtherList{};
      },
      value);
}

/// Under its own name first, so that what nobody reads can be told; then by "gguf_names" of rope_architectures.js.
ConfigValues values_of(const GgufHeader& header, const std::string& file) {
  ConfigValues config{file, {}};
  auto& values = config.values;
  const std::string family = header.text("general.architecture").value_or("");
  values["general.architecture"] = family;
  for (const auto& [key, value] : header.metadata)
    if (key.starts_with(family + ".")) values[key] = value_of(value);
  constexpr std::string_view part = "gguf_names.";
  const auto& data = rope_data().values;
  for (auto at = data.lower_bound(part); at != data.end() && at->first.starts_with(part); ++at) {
    const std::string name = at->first.substr(part.size());
    const auto* theirs = std::get_if<std::vector<std::string>>(&at->second);
    for (std::size_t i = 0; theirs && i < theirs->size(); ++i) {
      const std::string key = fmt::format("{}.{}", family, (*theirs)[i]);
      config.names.try_emplace(name, on_one_line(key));
      const auto found = values.find(key);
      if (found == values.end() || values.contains(name)) continue;
      config.names[name] = on_one_line(key);
      values[name] = found->second;
      values.erase(found);
    }
  }
  if (config.has("alibi_bias_max") && config.number("alibi_bias_max").value() > 0) values["alibi"] = true;
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
