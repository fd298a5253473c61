#include "perp/io/model_config.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "perp/base/error.hpp"
#include "perp/io/json_fault.hpp"
#include "perp/io/message.hpp"

namespace perp {
namespace {

ConfigValue value_of(const nlohmann::json& json) {
  if (json.is_null()) return {};
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  if (json.is_object()) return ConfigObject{};
  const auto all = [&](auto fits) { return std::ranges::all_of(json, fits); };
  if (all([](const auto& item) { return item.is_number() || item.is_boolean(); })) {
    std::vector<double> numbers;
    for (const auto& item : json)
      numbers.push_back(item.is_boolean() ? double(item.template get<bool>()) : item.template get<double>());
    return numbers;
  }
  if (all([](const auto& item) { return item.is_string(); })) return json.get<std::vector<std::string>>();
  return OtherList{};
}

void take(const nlohmann::json& object, const std::string& prefix, ConfigValues& into) {
  for (const auto& [name, value] : object.items()) {
    // No name that is asked for; as a part of a key it could pass for one.
    if (name.empty() || name.find('.') != name.npos) continue;
    into.values[prefix + name] = value_of(value);
    if (value.is_object()) take(value, prefix + name + ".", into);
  }
}

}  // namespace

std::string_view kind_of(const ConfigValue& value) {
  constexpr std::array<std::string_view, 8> kinds{"null",   "true or false", "a number", "a text",
                                                  "a list", "a list",        "a list",   "an object"};
  return kinds[value.index()];
}

bool ConfigValues::has(std::string_view key) const {
  const auto found = values.find(key);
  return found != values.end() && !std::holds_alternative<std::monostate>(found->second);
}

std::string_view ConfigValues::name_of(std::string_view key) const {
  const auto found = names.find(key);
  return found == names.end() ? key : std::string_view(found->second);
}

std::optional<std::uint64_t> ConfigValues::whole(std::string_view key, std::uint64_t least,
                                                 std::uint64_t most) const {
  const std::optional<double> number = this->number(key);
  if (!number) return std::nullopt;
  require(*number >= double(least) && *number <= double(most) && *number == std::floor(*number),
          "{}: {} is {}; expected a whole number from {} to {}", file, name_of(key), *number, least, most);
  return static_cast<std::uint64_t>(*number);
}

ConfigValues read_config_values(const ByteSource& source) {
  ConfigValues config{in_quotes(source.path()), {}};
  const nlohmann::json json =
      read_json(source, "a configuration", 4'000'000, "a model's configuration", Twice::last_counts);
  require(json.is_object(), "{}: is {}; expected an object, a model's configuration", config.file,
          kind_of(value_of(json)));
  take(json, "", config);
  return config;
}

ModelConfig read_model_config(const ByteSource& source) {
  constexpr std::uint64_t most = 1'000'000'000;
  const ConfigValues values = read_config_values(source);
  const std::string part = values.has("decoder.model_type") ? "decoder." : "";
  ModelConfig config;
  config.type = values.text(part + "model_type").value_or("");
  for (const char* name : {"num_attention_heads", "n_head", "n_heads", "num_heads"})
    if (const auto heads = values.whole(part + name, 1, most)) config.heads = heads;
  config.positions = values.text(part + "position_embedding_type").value_or("");
  config.most = values.whole(part + "max_position_embeddings", 1, most);
  // Some say -1 for no padding.
  if (values.number(part + "pad_token_id") != -1)
    config.padding = values.whole(part + "pad_token_id", 0, most);
  return config;
}

}  // namespace perp
