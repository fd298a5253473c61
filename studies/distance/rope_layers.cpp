#include "studies/distance/rope_layers.hpp"

#include <algorithm>
#include <array>

#include "perp/base/error.hpp"

namespace perp::distance {
namespace {

constexpr std::size_t most_layers = 10000;
constexpr std::string_view full = "full_attention", sliding = "sliding_attention",
                           linear = "linear_attention";

/// A number for each layer: which kind 0 stands for, and which every other one does.
struct KindList {
  std::string_view key, of_zero, of_others;
};
constexpr KindList kind_lists[] = {{"hybrid_layer_pattern", full, sliding},
                                   {"compress_ratios", sliding, "compressed_attention"},
                                   {"attn_type_list", linear, full},
                                   {"sliding_window_pattern", full, sliding},
                                   {"sliding_window_layout", full, sliding}};

/// Every how many layers there is one of full attention, and whether that is the last of them or the first; needs_window:
/// of models that have one alone.
struct KindPeriod {
  std::string_view key, others;
  bool is_last, needs_window;
};
constexpr KindPeriod kind_periods[] = {{"sliding_window_pattern", sliding, true, true},
                                       {"_sliding_window_pattern", sliding, true, true},
                                       {"global_attn_every_n_layers", sliding, false, false},
                                       {"full_attention_interval", linear, true, false}};

/// Layers without attention's positions.
bool never_rotates(std::string_view kind) {
  constexpr std::string_view names[] = {linear, "mamba", "recurrent", "conv", "kda", "lightning"};
  return std::ranges::find(names, kind) != std::end(names);
}

std::size_t layers_of(const RopeKeys& config) {
  return config.whole({"num_hidden_layers", "n_layer", "n_layers", "num_layers"}, most_layers).value_or(0);
}

/// `count` names, one period where that is 0.
template <class Name>
std::vector<std::string> repeated(std::size_t count, std::size_t period, Name name) {
  std::vector<std::string> kinds;
  for (std::size_t layer = 0; layer < (count > 0 ? count : period); ++layer) kinds.emplace_back(name(layer));
  return kinds;
}

/// The kind of each layer; empty where the file tells none from another.
std::vector<std::string> kinds_of_layers(const RopeKeys& config) {
  const std::size_t count = layers_of(config);
  for (const char* key : {"layer_types", "layers_block_type", "block_types"})
    if (config.says({key})) {
      const std::vector<std::string> names = config.texts({key});
      require(!names.empty() && names.size() <= most_layers, "{}: {} names {} layers; expected 1 to {}",
              config.file_name(), key, names.size(), most_layers);
      // RecurrentGemma names a period.
      const bool is_period = std::string_view(key) == "block_types";
      return repeated(is_period ? count : names.size(), names.size(),
                      [&](std::size_t layer) { return names[layer % names.size()]; });
    }
  for (const KindList& list : kind_lists)
    if (config.says({list.key}) && config.is_list(list.key)) {
      const std::vector<double> numbers = config.list({list.key});
      return repeated(0, numbers.size(),
                      [&](std::size_t i) { return numbers[i] == 0 ? list.of_zero : list.of_others; });
    }
  const bool has_window = config.says({"sliding_window", "local_attention", "attention_chunk_size",
                                       "rope_local_base_freq", "swa_rope_theta"});
  for (const KindPeriod& every : kind_periods) {
    const bool has_none = every.needs_window &&
                          (config.is_null("sliding_window") || (!has_window && !config.says({every.key})));
    if (has_none || !config.has({every.key})) continue;
    if (config.is_text(every.key)) {  // "LLLG"
      const std::string letters = config.text({every.key}).value();
      require(!letters.empty(), "{}: {} is empty; expected letters such as LLLG", config.file_name(),
              every.key);
      return repeated(count, letters.size(),
                      [&](std::size_t i) { return letters[i % letters.size()] == 'G' ? full : sliding; });
    }
    const std::size_t period = std::size_t(config.number({every.key}).value_or(0));
    if (period == 0 || period > most_layers) continue;
    return repeated(count, period, [&](std::size_t layer) {
      return (layer + (every.is_last ? 1 : 0)) % period == 0 ? full : every.others;
    });
  }
  return {};
}

/// Whether each layer rotates, by lists and intervals of those that do not; empty where nothing says so.
std::vector<bool> rotating_layers(const RopeKeys& config, std::size_t count) {
  for (const char* key : {"no_rope_layers", "rope_layout"})
    if (const std::vector<double> list = config.has({key}) ? config.list({key}) : std::vector<double>{};
        !list.empty()) {
      std::vector<bool> rotates;
      for (const double number : list) rotates.push_back(number != 0);
      return rotates;
    }
  const auto interval =
      config.number({"no_rope_layer_interval", "nope_layer_interval", "no_rope_layer_step"});
  if (!interval || *interval < 1 || *interval > double(most_layers)) return {};
  const std::size_t period = std::size_t(*interval);
  std::vector<bool> rotates;
  for (std::size_t layer = 0; layer < (count > 0 ? count : period); ++layer)
    rotates.push_back((layer + 1) % period != 0);
  return rotates;
}

/// Base and share of each layer, as text, where the file has lists of them.
std::string own_values(const RopeKeys& config, std::size_t layer) {
  std::string text;
  for (const char* key : {"rope_theta", "partial_rotary_factors", "partial_rotary_factor", "rotary_dim"})
    if (config.is_list(key))
      if (const std::vector<double> list = config.list({key}); layer < list.size())
        text += fmt::format("{} {:.10g}, ", key, list[layer]);
  return text;
}

std::size_t length_of_lists(const RopeKeys& config) {
  for (const char* key : {"rope_theta", "partial_rotary_factors"})
    if (config.is_list(key)) return config.list({key}).size();
  return 0;
}

}  // namespace

bool is_local(std::string_view kind) {
  constexpr std::string_view words[] = {"sliding", "local", "chunked", "main", "swa", "window"};
  return std::ranges::any_of(words, [&](std::string_view word) { return kind.find(word) != kind.npos; });
}

std::vector<LayerGroup> layer_groups(const RopeKeys& config) {
  std::vector<std::string> kinds = kinds_of_layers(config);
  const std::vector<bool> rotates = rotating_layers(config, std::max(kinds.size(), layers_of(config)));
  const std::size_t count = std::max({kinds.size(), rotates.size(), length_of_lists(config)});
  const bool has_kinds = !kinds.empty();
  kinds.resize(count);
  const std::vector<std::string> unrotated =
      config.has({"unrotated"}) ? config.texts({"unrotated"}) : std::vector<std::string>{};
  const bool differ =
      has_kinds && std::ranges::any_of(kinds, [&](const std::string& kind) { return kind != kinds.front(); });
  std::vector<LayerGroup> groups;
  std::vector<std::string> keys;
  for (std::size_t layer = 0; layer < count; ++layer) {
    const std::string& kind = kinds[layer];
    const bool turns = !never_rotates(kind) && (layer >= rotates.size() || rotates[layer]) &&
                       !(differ && std::ranges::find(unrotated, kind) != unrotated.end());
    const std::string key = fmt::format("{} {} {}", kind, turns, turns ? own_values(config, layer) : "");
    const auto at = std::ranges::find(keys, key);
    if (at == keys.end()) groups.push_back({kind, turns, {}});
    (at == keys.end() ? groups.back() : groups[std::size_t(at - keys.begin())]).which.push_back(layer);
    if (at == keys.end()) keys.push_back(key);
  }
  if (!groups.empty()) return groups;
  for (const std::string& kind : config.kinds()) groups.push_back({kind, true, {}});
  if (groups.empty() && config.says({"rope_local_base_freq", "swa_rope_theta", "local_rope_theta"}))
    groups = {{std::string(full), true, {}}, {std::string(sliding), true, {}}};
  if (groups.empty()) groups.push_back({"", true, {}});
  return groups;
}

}  // namespace perp::distance
