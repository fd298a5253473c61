#include "studies/distance/rope_keys.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <tuple>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"

namespace perp::distance {

extern const std::string_view rope_architectures_text;  // the .json of that name, by the build

namespace {

const ConfigValues& architectures() {
  static const ConfigValues all =
      read_config_values(ByteSource("rope_architectures.json", InMemory{rope_architectures_text, nullptr}));
  return all;
}

/// What stands in an object: '/' follows '.'.
std::vector<std::string> keys_within(const ConfigValues& values, const std::string& object) {
  std::vector<std::string> keys;
  const auto end = values.values.lower_bound(object + "/");
  for (auto at = values.values.lower_bound(object + "."); at != end; ++at) keys.push_back(at->first);
  return keys;
}

/// The text's part of a model of several ("thinker_config.text_config."), the outermost; empty for one of one part.
std::string text_part(const ConfigValues& values) {
  constexpr std::string_view parts[] = {"text_config", "llm_config", "language_config", "decoder"};
  constexpr std::string_view signs[] = {"head_dim",           "hidden_size",     "d_model",
                                        "rope_theta",         "rope_parameters", "rope_scaling",
                                        "num_attention_heads"};
  std::vector<std::tuple<bool, std::size_t, std::string>> found;  // what speaks comes after what reads
  for (const auto& [key, value] : values.values) {
    const std::size_t dot = key.rfind('.');
    if (dot == key.npos || !values.has(key)) continue;
    const std::string object = key.substr(0, dot);
    const std::string_view part = std::string_view(object).substr(object.rfind('.') + 1);
    if (std::ranges::find(parts, part) != std::end(parts) &&
        std::ranges::find(signs, std::string_view(key).substr(dot + 1)) != std::end(signs))
      found.emplace_back(object.find("talker") != object.npos, std::ranges::count(object, '.'), object + ".");
  }
  return found.empty() ? "" : std::get<2>(std::ranges::min(found));
}

/// Of a key's path; "property" speaks of no rope.
bool speaks_of_rotation(std::string path) {
  std::ranges::transform(path, path.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  constexpr std::string_view words[] = {"rope", "rotary", "alibi", "yarn", "nope", "mscale", "position"};
  return path.find("propert") == path.npos &&
         std::ranges::any_of(words, [&](std::string_view word) { return path.find(word) != path.npos; });
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

/// What changes no frequency: a note of who trained, and sizes of what is not rotated.
bool is_harmless(std::string_view key) {
  constexpr std::string_view names[] = {"finetuned", "qk_nope_head_dim"};
  return std::ranges::any_of(names, [&](std::string_view name) { return key.ends_with(name); });
}

}  // namespace

RopeKeys::RopeKeys(const ConfigValues& values) : file_(&values), model_(text_part(values)) {
  for (const std::string& object : {model_ + "rope_parameters", model_ + "rope_scaling"}) {
    values.get<ConfigObject>(object);  // refuses another kind of value
    if (!keys_within(values, object).empty()) rope_ = object;
  }
  if (!rope_.empty()) values.get<ConfigObject>(rope_ + ".full_attention");
  all_ = {{file_, model_, false}, {file_, "", false}};
  model_type_ = text({"model_type", "general.architecture"}).value_or("");
  const std::string rows = values.has("general.architecture") ? "gguf." : "models.";
  const auto width = values.number(find({"hidden_size"}, all_).key);
  for (const std::string& row :
       {rows + model_type_, rows + fmt::format("{}/{:.0f}", model_type_, width.value_or(0))})
    if (architectures().has(row)) family_ = row;
  set_places("");
}

void RopeKeys::set_places(std::string_view kind) {
  kind_ = kind;
  own_.clear();
  all_.clear();
  if (!kind.empty()) {
    // DeepSeek-V4 has two objects for three kinds.
    const std::string of_two = rope_ + (kind.find("compress") != kind.npos ? ".compress" : ".main");
    for (const std::string& object : {rope_ + "." + kind_, model_ + kind_, of_two})
      if (const auto at = file_->values.find(object);
          own_.empty() && at != file_->values.end() && std::holds_alternative<ConfigObject>(at->second))
        own_ = object;
    if (!own_.empty()) all_.push_back({file_, own_ + ".", false});
    if (!family_.empty())
      all_.push_back({&architectures(), fmt::format("{}.rope_parameters.{}.", family_, kind), true});
  }
  if (!rope_.empty()) all_.push_back({file_, rope_ + ".", false});
  of_rope_ = all_;
  of_model_ = {{file_, model_, false}};
  all_.push_back(of_model_.front());
  all_.push_back({file_, model_ + "attn_config.", false});
  if (!family_.empty())
    for (auto* places : {&all_, &of_rope_}) places->push_back({&architectures(), family_ + ".", true});
}

RopeKeys RopeKeys::of(std::string_view kind, std::optional<std::size_t> layer) const {
  RopeKeys other = *this;
  other.layer_ = layer;
  other.set_places(kind);
  return other;
}

RopeKeys::Found RopeKeys::find(Names names, const std::vector<Place>& places) const {
  Found found;
  for (const Place& place : places)
    for (const std::string_view name : names) {
      const std::string key = place.prefix + std::string(name);
      if (!place.values->has(key)) continue;
      if (!found.values) found = {place.values, key, name, place.is_family};
      // What says the same again is not passed over in silence.
      const bool is_same =
          same(found.values->values.find(found.key)->second, place.values->values.find(key)->second);
      if (!place.is_family && is_same) record_->read.insert(key);
    }
  return found;
}

std::optional<double> RopeKeys::number_of(const Found& found) const {
  if (!found.values) return std::nullopt;
  if (const auto* list = std::get_if<std::vector<double>>(&found.values->values.find(found.key)->second);
      list && layer_ && *layer_ < list->size())
    return (*list)[*layer_];
  const std::optional<double> number = found.values->number(found.key);
  if (found.is_family) note_family(found, fmt::format("{:.10g}", *number));
  return number;
}

void RopeKeys::note_family(const Found& found, std::string_view value) const {
  // A kind's own row says more than the file does of all layers.
  const bool of_kind = found.key.find(".rope_parameters.") != found.key.npos;
  note(fmt::format("The file names no {}{}; {} takes {} for {}.", found.name, of_kind ? " of " + kind_ : "",
                   source(), value, model_type_));
}

std::optional<std::uint64_t> RopeKeys::whole(Names names, std::uint64_t most) const {
  const Found found = find(names, all_);
  if (!found.values) return std::nullopt;
  if (std::holds_alternative<std::vector<double>>(found.values->values.find(found.key)->second))
    return number_of(found) ? std::optional(std::uint64_t(std::max(*number_of(found), 0.0))) : std::nullopt;
  if (found.is_family) number_of(found);  // notes it
  return found.values->whole(found.key, 1, most);
}

std::optional<bool> RopeKeys::truth(Names names) const {
  const Found found = find(names, all_);
  return found.values ? found.values->get<bool>(found.key) : std::nullopt;
}

std::optional<std::string> RopeKeys::text(Names names) const {
  const Found found = find(names, all_);
  return found.values ? found.values->text(found.key) : std::nullopt;
}

std::vector<double> RopeKeys::list(Names names) const {
  const Found found = find(names, all_);
  if (!found.values) return {};
  return found.values->get<std::vector<double>>(found.key).value_or(std::vector<double>{});
}

std::vector<std::string> RopeKeys::texts(Names names) const {
  const Found found = find(names, all_);
  if (!found.values) return {};
  return found.values->get<std::vector<std::string>>(found.key).value_or(std::vector<std::string>{});
}

std::string RopeKeys::scaling_type() const {
  const Found found = find({"rope_type", "type"}, of_rope_);
  if (!found.values) return "default";
  if (found.is_family && has_rope())
    note(fmt::format("Layers of {} are not scaled ({} for {}).", kind_, source(), model_type_));
  return found.values->text(found.key).value_or("default");
}

std::optional<bool> RopeKeys::scaling_truth(std::string_view name) const {
  const Found found = find({name}, of_rope_);
  return found.values ? found.values->get<bool>(found.key) : std::nullopt;
}

std::vector<double> RopeKeys::scaling_list(std::string_view name) const {
  const Found found = find({name}, of_rope_);
  if (!found.values) return {};
  return found.values->get<std::vector<double>>(found.key).value_or(std::vector<double>{});
}

std::vector<std::string> RopeKeys::kinds() const {
  std::vector<std::string> found;
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

bool RopeKeys::says(Names names) const {
  const Found found = find(names, all_);
  return found.values && !found.is_family;
}

bool RopeKeys::is_null(std::string_view name) const {
  const std::string key = model_ + std::string(name);
  return file_->values.contains(key) && !file_->has(key);
}

template <class Kind>
bool RopeKeys::is(std::string_view name) const {
  const Found found = find({name}, all_);
  return found.values && std::holds_alternative<Kind>(found.values->values.find(found.key)->second);
}
bool RopeKeys::is_list(std::string_view name) const { return is<std::vector<double>>(name); }
bool RopeKeys::is_text(std::string_view name) const { return is<std::string>(name); }

bool RopeKeys::has_own_base() const { return !own_.empty() && file_->has(own_ + ".rope_theta"); }

std::string RopeKeys::source() const {
  return family_.empty() ? "" : architectures().text(family_ + ".source").value_or("");
}

void RopeKeys::note(std::string text) const {
  if (std::ranges::find(record_->notes, text) == record_->notes.end())
    record_->notes.push_back(std::move(text));
}

std::vector<std::string> RopeKeys::unread() const {
  std::vector<std::string> keys;
  for (const auto& [key, value] : file_->values)
    if (file_->has(key) && !std::holds_alternative<ConfigObject>(value) && speaks_of_rotation(key) &&
        !record_->read.contains(key) && !is_harmless(key))
      keys.push_back(on_one_line(file_->name_of(key)));
  return keys;
}

std::vector<std::string> RopeKeys::notes() const {
  std::vector<std::string> notes = record_->notes;
  if (const std::vector<std::string> keys = unread(); !keys.empty())
    notes.push_back(fmt::format("not read: {}", fmt::join(keys, ", ")));
  return notes;
}

}  // namespace perp::distance
