// Which of a model's layers rotate, and as which kind.

#include <fmt/format.h>

#include <algorithm>

#include "perp/base/error.hpp"
#include "studies/distance/rope_config.hpp"
#include "studies/distance/rope_keys.hpp"

namespace perp::distance {
namespace {

using Texts = std::vector<std::string>;
using Numbers = std::vector<double>;

constexpr std::size_t most_layers = 10000;

bool is_in(const Texts& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

/// Something that says of which kind each layer is: a row of "layers" in rope_architectures.js.
struct Rule {
  std::string key, as, listed, others;
  bool needs_window;  ///< of models with a window alone
};

std::vector<Rule> rules() {
  const ConfigValues& data = rope_data();
  std::vector<Rule> found;
  for (auto at = data.values.lower_bound("layers.");
       at != data.values.end() && at->first.starts_with("layers."); ++at) {
    if (!at->first.ends_with(".key")) continue;
    const std::string row = at->first.substr(0, at->first.size() - 3);
    const auto text = [&](const char* name) { return data.text(row + name).value_or(""); };
    found.push_back({text("key"), text("as"), text("listed"), text("others"), data.has(row + "windowed")});
  }
  return found;
}

/// The kind of each layer by one rule; empty where the file, or its family, says nothing of the sort. Of a model without a
/// number of layers, one period.
Texts kinds_by(const Rule& rule, const RopeKeys& config, std::size_t count) {
  Texts kinds;
  const auto fill = [&](std::size_t layers, std::size_t period, auto kind) {
    const std::size_t all = layers > 0 ? layers : period;
    require(all >= 1 && all <= most_layers, "{}: {} names {} layers; expected 1 to {}", config.file_name(),
            rule.key, all, most_layers);
    for (std::size_t layer = 0; layer < all; ++layer) kinds.emplace_back(kind(layer));
  };
  const auto pick = [&](bool is_listed) { return is_listed ? rule.listed : rule.others; };
  if (rule.as.starts_with("names")) {
    if (!config.says(rule.key)) return {};
    const Texts names = config.get<Texts>(rule.key).value();
    fill(rule.as == "names" ? 0 : count, names.size(),
         [&](std::size_t i) { return names[i % names.size()]; });
  } else if (rule.as == "numbers" || rule.as == "indices") {
    const Numbers list = config.is<Numbers>(rule.key) ? config.list(rule.key) : Numbers{};
    if (list.empty()) return {};
    if (rule.as == "numbers")
      fill(0, list.size(), [&](std::size_t i) { return pick(list[i] != 0); });
    else
      fill(count, std::size_t(std::clamp(std::ranges::max(list), 0.0, 1.0 * most_layers)) + 1,
           [&](std::size_t i) { return pick(std::ranges::find(list, double(i)) != list.end()); });
  } else if (config.has(rule.key)) {
    const bool has_window = config.says("sliding_window") || config.says("rope_local_base_freq");
    if (rule.needs_window && (config.is_null("sliding_window") || (!has_window && !config.says(rule.key))))
      return {};
    if (config.is<std::string>(rule.key)) {  // "LLLG"
      const std::string letters = config.get<std::string>(rule.key).value();
      fill(letters.empty() ? 0 : count, letters.size(),
           [&](std::size_t i) { return pick(letters[i % letters.size()] == 'G'); });
    } else if (const double every = config.number(rule.key).value_or(0); every >= 1 && every <= most_layers) {
      const std::size_t period = std::size_t(every), first = rule.as == "every" ? period - 1 : 0;
      fill(count, period, [&](std::size_t i) { return pick(i % period == first); });
    }
  }
  return kinds;
}

/// Whether each layer rotates, by lists and intervals of those that do not; empty where nothing says so.
std::vector<bool> rotating_layers(const RopeKeys& config, std::size_t count) {
  std::vector<bool> rotates;
  const Numbers list = config.list("no_rope_layers");
  for (const double number : list) rotates.push_back(number != 0);
  if (!list.empty()) return config.says("no_rope_layer_interval"), rotates;  // which says the same again
  const double interval = config.number("no_rope_layer_interval").value_or(0);
  if (interval < 1 || interval > double(most_layers)) return {};
  const std::size_t period = std::size_t(interval);
  for (std::size_t layer = 0; layer < (count > 0 ? count : period); ++layer)
    rotates.push_back((layer + 1) % period != 0);
  return rotates;
}

/// Lists with a number for each layer that make layers differ.
std::vector<Numbers> own_lists(const RopeKeys& config) {
  std::vector<Numbers> lists;
  for (const char* key : {"rope_theta", "partial_rotary_factor", "rotary_dim", "head_dim"})
    if (config.is<Numbers>(key)) lists.push_back(config.list(key));
  if (!config.has("head_dim") && config.is<Numbers>("num_attention_heads"))
    lists.push_back(config.list("num_attention_heads"));
  return lists;
}

}  // namespace

bool is_local(std::string_view kind) {
  const Texts words = rope_data().get<Texts>("words_of_a_window").value();
  return std::ranges::any_of(words, [&](const std::string& word) { return kind.find(word) != kind.npos; });
}

std::vector<LayerKind> layer_kinds(const RopeKeys& config) {
  std::size_t count = config.whole("num_hidden_layers", most_layers).value_or(0);
  Texts kinds;
  for (const Rule& rule : rules())
    if (kinds.empty()) kinds = kinds_by(rule, config, count);
  const std::vector<bool> rotates = rotating_layers(config, std::max(kinds.size(), count));
  const std::vector<Numbers> lists = own_lists(config);
  count = std::max(kinds.size(), rotates.size());
  for (const Numbers& list : lists) count = std::max(count, list.size());
  const Texts never = rope_data().get<Texts>("kinds_that_never_rotate").value();
  const bool differ = std::ranges::any_of(kinds, [&](const std::string& kind) { return kind != kinds[0]; });
  const Texts unrotated = differ ? config.get<Texts>("unrotated").value_or(Texts{}) : Texts{};
  kinds.resize(count);
  std::vector<LayerKind> found;
  Texts keys;  // of those found: kind, whether it rotates, and its own values
  for (std::size_t layer = 0; layer < count; ++layer) {
    const std::string& kind = kinds[layer];
    const bool turns =
        !is_in(never, kind) && !is_in(unrotated, kind) && (layer >= rotates.size() || rotates[layer]);
    std::string key = fmt::format("{} {}", kind, turns);
    for (const Numbers& list : lists)
      key += turns && layer < list.size() ? fmt::format(" {:.10g}", list[layer]) : " -";
    const auto at = std::ranges::find(keys, key);
    const std::size_t index = std::size_t(at - keys.begin());
    if (at == keys.end()) {
      keys.push_back(key);
      found.push_back({kind, {}, 0, turns ? std::optional(RopeSettings{}) : std::nullopt});
    }
    found[index].which.push_back(layer);
  }
  if (!found.empty()) return found;
  Texts names = config.kinds();
  if (names.empty() && config.says("rope_local_base_freq")) names = {"full_attention", "sliding_attention"};
  if (names.empty()) names = {""};
  for (const std::string& name : names) found.push_back({name, {}, 0, RopeSettings{}});
  return found;
}

}  // namespace perp::distance
