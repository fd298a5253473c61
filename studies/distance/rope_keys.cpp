#include "studies/distance/rope_keys.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <tuple>

#include "perp/base/error.hpp"
#include "perp/io/gguf.hpp"
#include "perp/io/message.hpp"
#include "perp/io/table_rows.hpp"
#include "studies/distance/rope_config.hpp"

namespace perp::distance {

extern const std::string_view rope_architectures_text;  // the .js of that name, by the build

namespace {

using enum Where;
using Texts = std::vector<std::string>;

/// A list of that name in the data; empty where there is none.
Texts data_list(const std::string& key) { return rope_data().get<Texts>(key).value_or(Texts{}); }

bool contains(const Texts& list, std::string_view text) {
  return std::ranges::find(list, text) != list.end();
}

bool has_members(const ConfigValues& values, const std::string& object) {
  const auto at = values.values.lower_bound(object + ".");
  return at != values.values.end() && at->first.starts_with(object + ".");
}

/// The text's part of a model of several ("thinker_config.text_config."), the outermost; empty for one of one part.
std::string text_part(const ConfigValues& values) {
  const Texts parts = data_list("text_parts"), signs = data_list("signs_of_text");
  std::vector<std::tuple<bool, std::size_t, std::string>> found;  // what speaks comes after what reads
  for (const auto& [key, value] : values.values) {
    const std::size_t dot = key.rfind('.');
    if (dot == key.npos || !values.has(key)) continue;
    const std::string object = key.substr(0, dot);
    if (contains(parts, std::string_view(object).substr(object.rfind('.') + 1)) &&
        contains(signs, std::string_view(key).substr(dot + 1)))
      found.emplace_back(object.find("talker") != object.npos, std::ranges::count(object, '.'), object + ".");
  }
  return found.empty() ? "" : std::get<2>(std::ranges::min(found));
}

/// The row of "models" or "gguf" that names the family; empty where none does.
std::string row_of(const std::string& part, const std::string& family) {
  const auto end = rope_data().values.lower_bound(part + "/");
  for (auto at = rope_data().values.lower_bound(part + "."); at != end; ++at)
    if (at->first.ends_with(".families") && contains(std::get<Texts>(at->second), family))
      return at->first.substr(0, at->first.rfind('.'));
  return "";
}

/// Lists and objects count as different unless they are one and the same.
bool same(const ConfigValue& a, const ConfigValue& b) {
  const auto equal = [&]<class Kind>() {
    const Kind *left = std::get_if<Kind>(&a), *right = std::get_if<Kind>(&b);
    return left && right && *left == *right;
  };
  return &a == &b || equal.operator()<double>() || equal.operator()<std::string>() ||
         equal.operator()<bool>();
}

/// Whether a key's path has a word of rotation in it, and changes more than who trained or what is not rotated.
bool speaks_of_rotation(std::string path) {
  std::ranges::transform(path, path.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  const auto has = [&](const std::string& word) { return path.find(word) != path.npos; };
  return std::ranges::any_of(data_list("words_of_rotation"), has) &&
         std::ranges::none_of(data_list("words_of_something_else"), has);
}

}  // namespace

const ConfigValues& rope_data() {
  static const ConfigValues all = read_config_values(
      ByteSource("rope_architectures.js",
                 InMemory{rope_architectures_text.substr(rope_architectures_text.find('{')), nullptr}));
  return all;
}

RopeKeys::RopeKeys(const ConfigValues& values) : file_(&values), model_(text_part(values)) {
  for (const std::string& object : {model_ + "rope_parameters", model_ + "rope_scaling"}) {
    values.get<ConfigObject>(object);  // refuses another kind of value
    if (has_members(values, object)) rope_ = object;
  }
  if (!rope_.empty()) values.get<ConfigObject>(rope_ + ".full_attention");
  places_ = {{file_, model_, beside_rope, false}, {file_, "", beside_rope, false}};
  model_type_ = get<std::string>("model_type").value_or("");
  const std::string part = values.has("general.architecture") ? "gguf" : "models";
  const Found width = find("hidden_size", anywhere);
  family_ = row_of(
      part, fmt::format("{}/{:.0f}", model_type_, width.values ? values.number(width.key).value() : 0));
  if (family_.empty()) family_ = row_of(part, model_type_);
  set_places("");
}

void RopeKeys::set_places(std::string_view kind) {
  kind_ = kind;
  own_.clear();
  places_.clear();
  if (!kind.empty()) {
    // DeepSeek-V4 has two objects for three kinds.
    const std::string of_two = rope_ + (kind.find("compress") != kind.npos ? ".compress" : ".main");
    for (const std::string& object : {rope_ + "." + kind_, model_ + kind_, of_two})
      if (const auto at = file_->values.find(object);
          own_.empty() && at != file_->values.end() && std::holds_alternative<ConfigObject>(at->second))
        own_ = object;
    if (!own_.empty()) places_.push_back({file_, own_ + ".", in_rope, false});
    if (!family_.empty())
      places_.push_back({&rope_data(), fmt::format("{}.rope_parameters.{}.", family_, kind), in_rope, true});
  }
  if (!rope_.empty()) places_.push_back({file_, rope_ + ".", in_rope, false});
  places_.push_back({file_, model_, beside_rope, false});
  places_.push_back({file_, model_ + "attn_config.", anywhere, false});
  if (!family_.empty()) places_.push_back({&rope_data(), family_ + ".", in_rope, true});
}

RopeKeys RopeKeys::of(std::string_view kind, std::optional<std::size_t> layer) const {
  RopeKeys other = *this;
  other.layer_ = layer;
  other.set_places(kind);
  return other;
}

RopeKeys::Found RopeKeys::find(std::string_view name, Where where) const {
  Texts names = data_list(fmt::format("names.{}", name));
  names.insert(names.begin(), std::string(name));
  Found found;
  for (const Place& place : places_) {
    if (where != anywhere && where != place.where) continue;
    for (const std::string& other : names) {
      const std::string key = place.prefix + other;
      if (!place.values->has(key)) continue;
      if (!found.values) found = {place.values, key, other, place.is_family};
      // What says the same again is not passed over in silence.
      const bool is_same =
          same(found.values->values.find(found.key)->second, place.values->values.find(key)->second);
      if (!place.is_family && is_same) record_->read.insert(key);
    }
  }
  return found;
}

std::optional<double> RopeKeys::number_of(const Found& found) const {
  if (!found.values) return std::nullopt;
  if (const auto* list = std::get_if<std::vector<double>>(&found.values->values.find(found.key)->second);
      list && layer_ && *layer_ < list->size())
    return (*list)[*layer_];
  const std::optional<double> number = found.values->number(found.key);
  // A kind's own row says more than the file does of all layers.
  const bool of_kind = found.key.find(".rope_parameters.") != found.key.npos;
  if (found.is_family)
    note(fmt::format("The file names no {}{}; {} takes {:.10g} for {}.", found.name,
                     of_kind ? " of " + kind_ : "", source(), *number, model_type_));
  return number;
}

std::optional<double> RopeKeys::number(std::string_view name, Where where) const {
  return number_of(find(name, where));
}

std::optional<std::uint64_t> RopeKeys::whole(std::string_view name, std::uint64_t most) const {
  const Found found = find(name, anywhere);
  const std::optional<double> number = number_of(found);
  if (!number) return std::nullopt;
  require(*number >= 1 && *number <= double(most) && *number == std::floor(*number),
          "{}: {} is {}; expected a whole number from 1 to {}", file_name(), name_of(found.key), *number,
          most);
  return static_cast<std::uint64_t>(*number);
}

std::string RopeKeys::scaling_type() const {
  const Found found = find("rope_type", in_rope);
  if (!found.values) return "default";
  if (found.is_family && has_rope())
    note(fmt::format("Layers of {} are not scaled ({} for {}).", kind_, source(), model_type_));
  return found.values->text(found.key).value();
}

std::vector<std::string> RopeKeys::kinds() const {
  Texts found;
  for (const auto& [key, value] : file_->values) {
    if (!std::holds_alternative<ConfigObject>(value) || key == rope_ || key == model_ + "rope_scaling" ||
        key == model_ + "rope_parameters")
      continue;
    const std::size_t dot = key.rfind('.');
    const std::string above = dot == key.npos ? "" : key.substr(0, dot + 1);
    const bool is_rope = file_->has(key + ".rope_theta") || file_->has(key + ".rope_type");
    // Outside of rope_parameters a part of the model has such keys, too: its name ends so.
    if (is_rope && (above == rope_ + "." || (above == model_ && !key.ends_with("_config"))))
      found.push_back(key.substr(above.size()));
  }
  return found;
}

bool RopeKeys::says(std::string_view name) const {
  const Found found = find(name, anywhere);
  return found.values && !found.is_family;
}

bool RopeKeys::is_null(std::string_view name) const {
  const std::string key = model_ + std::string(name);
  return file_->values.contains(key) && !file_->has(key);
}

std::string RopeKeys::source() const {
  return family_.empty() ? "" : rope_data().text(family_ + ".source").value_or("");
}

void RopeKeys::note(std::string text) const {
  if (!contains(record_->notes, text)) record_->notes.push_back(std::move(text));
}

std::vector<std::string> RopeKeys::notes() const {
  Texts notes = record_->notes, unread;
  for (const auto& [key, value] : file_->values)
    if (file_->has(key) && !std::holds_alternative<ConfigObject>(value) && speaks_of_rotation(key) &&
        !record_->read.contains(key))
      unread.push_back(on_one_line(file_->name_of(key)));
  if (!unread.empty()) notes.push_back(fmt::format("not read: {}", fmt::join(unread, ", ")));
  return notes;
}

// ---- What llama.cpp's metadata says of positions, under the names of Hugging Face's configurations.

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
