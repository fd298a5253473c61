#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "perp/base/error.hpp"
#include "perp/io/json_fault.hpp"
#include "perp/io/message.hpp"
#include "perp/study/options.hpp"
#include "perp/study/results.hpp"

namespace perp {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t largest_file = std::size_t{64} << 20;
constexpr int deepest = 32;
constexpr std::size_t most_keys = 1000;  // of one object: looking a key up is linear

/// A place in the document: every complaint names the file and the way to the field.
class Node {
 public:
  Node(const Json& json, std::string where) : json_(&json), where_(std::move(where)) {}

  Node operator[](const char* key) const {
    if (!json_->is_object()) complain("an object");
    const auto it = json_->find(key);
    if (it == json_->end()) refuse("{}: has no \"{}\"", where_, key);
    return {*it, where_ + "." + key};
  }

  bool has(const char* key) const { return json_->is_object() && json_->contains(key); }
  bool is_null() const { return json_->is_null(); }

  bool boolean() const {
    if (!json_->is_boolean()) complain("true or false");
    return json_->get<bool>();
  }

  std::string text() const { return json_->is_string() ? json_->get<std::string>() : complain("a text"); }
  std::string text_or_empty() const { return json_->is_null() ? "" : text(); }

  double real() const {
    if (!json_->is_number()) complain("a number");
    return json_->get<double>();
  }
  /// Of an interval.
  std::optional<double> level() const {
    const std::optional<double> value = optional_real();
    if (value && !(*value > 0 && *value < 1)) complain("a level between 0 and 1");
    return value;
  }
  double real_or_nan() const { return json_->is_null() ? std::nan("") : real(); }
  std::optional<double> optional_real() const {
    return json_->is_null() ? std::nullopt : std::optional(real());
  }

  std::uint64_t count() const {
    if (!json_->is_number_unsigned()) complain("an integer from 0");
    return json_->get<std::uint64_t>();
  }

  Value value() const {
    if (json_->is_string()) return json_->get<std::string>();
    if (json_->is_number_float() || json_->is_null()) return real_or_nan();
    const bool fits = json_->is_number_integer() &&
                      (!json_->is_number_unsigned() || json_->get<std::uint64_t>() <= INT64_MAX);
    if (!fits) complain("an integer of 64 bits, a real number or a text");
    return json_->get<std::int64_t>();
  }

  Bound bound() const { return json_->is_string() ? Bound(text()) : Bound(real()); }

  Coordinates coordinates() const {
    if (!json_->is_object()) complain("an object");
    Coordinates result;
    for (const auto& [key, item] : json_->items())
      result.emplace_back(key, Node(item, where_ + "." + key).value());
    return result;
  }

  /// What `read` makes of each item.
  template <class Read>
  auto list(const Read& read) const {
    if (!json_->is_array()) complain("a list");
    std::vector<decltype(read(*this))> result;
    for (std::size_t i = 0; i < json_->size(); ++i)
      result.push_back(read(Node((*json_)[i], fmt::format("{}[{}]", where_, i))));
    return result;
  }

  /// `make(text)`, its complaint with the place in front.
  template <class Make>
  auto named(const Make& make) const {
    try {
      return make(text());
    } catch (const Error& error) {
      refuse("{}: {}", where_, error.what());
    }
  }

 private:
  [[noreturn]] std::string complain(const char* expected) const {
    refuse("{}: expected {}", where_, expected);
  }

  const Json* json_;
  std::string where_;
};

Spread spread_from(const Node& node) {
  Spread spread;
  if (node.has("error"))
    spread.mean = {node["error"].real(),
                   node["freedom"].optional_real().value_or(std::numeric_limits<double>::infinity())};
  if (node.has("trials")) spread.share = {node["successes"].count(), node["trials"].count()};
  spread.replicates = node["replicates"].count();
  return spread;
}

Finding finding_from(const Node& node) {
  Finding finding;
  finding.id = node["id"].text();
  finding.at = node["at"].coordinates();
  finding.value = node["value"].real_or_nan();
  finding.low = node["low"].optional_real();
  finding.high = node["high"].optional_real();
  finding.level = node["level"].level();
  finding.theory = node["theory"].optional_real();
  finding.unit = node["unit"].text();
  finding.n = node["n"].count();
  finding.kind = node["kind"].named(kind_from);
  finding.meaning = node["meaning"].text();
  if (const Node spread = node["spread"]; !spread.is_null()) finding.spread = spread_from(spread);
  return finding;
}

Condition condition_from(const Node& node) {
  Condition condition;
  condition.finding = node["finding"].text_or_empty();
  condition.is = node["is"].named(is_from);
  condition.bound = node["bound"].bound();
  condition.margin = node["margin"].optional_real().value_or(0);
  condition.role = node["role"].named(role_from);
  condition.evidence = node["evidence"].named(evidence_from);
  for (const Coordinate& level : node["factor"].coordinates())
    condition.levels.emplace_back(level.name, to_text(level.value));
  condition.says = node["says"].text();
  condition.needs = node["needs"].text();
  return condition;
}

Reading reading_from(const Node& node) {
  Reading reading;
  reading.answer = node["outcome"].named(answer_from);
  if (const std::optional<double> level = node["level"].level())
    reading.interval = Interval{node["low"].real(), node["high"].real(), *level};
  return reading;
}

Claim claim_from(const Node& node) {
  Claim claim;
  claim.id = node["id"].text();
  claim.statement = node["statement"].text();
  claim.source = node["source"].text();
  claim.of = node["of"].text_or_empty();
  claim.judgement.verdict = node["verdict"].named(verdict_from);
  claim.judgement.limited = node["with_limits"].boolean();
  claim.judgement.factor = node["factor"].text_or_empty();
  claim.judgement.strict_level = node["level"].real();
  claim.judgement.readings = node["rule"].list(reading_from);
  claim.rule = node["rule"].list(condition_from);
  claim.findings = node["findings"].list([](const Node& item) { return item.text(); });
  return claim;
}

Table table_from(const Node& node) {
  Table table;
  table.file = node["file"].text();
  if (node.has("sha256")) table.sha256 = node["sha256"].text();
  table.columns = node["columns"].list([](const Node& item) {
    return Column{item["name"].text(),    item["unit"].text(),         item["kind"].named(kind_from),
                  item["meaning"].text(), item["low"].text_or_empty(), item["high"].text_or_empty()};
  });
  return table;
}

/// Parses with the guards the library does not have: depth, keys of one object, and keys given twice.
Json parse(std::string_view text, std::string_view name) {
  require(text.size() <= largest_file, "{}: holds {} bytes; results may have {}", name, text.size(),
          largest_file);
  std::vector<std::set<std::string>> keys;
  const auto guard = [&](int depth, Json::parse_event_t event, Json& parsed) {
    require(depth <= deepest, "{}: nested deeper than {} levels", name, deepest);
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key) {
      const std::string key = parsed.get<std::string>();
      require(keys.back().insert(key).second, "{}: the key \"{}\" is given twice in one object", name, key);
      require(keys.back().size() <= most_keys, "{}: an object has more than {} keys", name, most_keys);
    }
    return true;
  };
  try {
    return Json::parse(text, guard);
  } catch (const Json::exception& error) {
    refuse("{}: not JSON: {}", name, json_fault(error));
  }
}

}  // namespace

Results results_from_json(std::string_view text, std::string_view name) {
  const Json json = parse(text, name);
  const Node node(json, std::string(name));
  const std::uint64_t version = node["schema"].count();
  // The second had sentences, which nobody reads any more.
  require(version == 2 || version == results_schema, "{}: has schema {}; this program reads 2 and {}", name,
          version, results_schema);
  Results results;
  results.study = node["study"].text();
  results.preset = node["preset"].text();
  require(std::ranges::any_of(std::array{Preset::quick, Preset::full, Preset::long_},
                              [&](Preset preset) { return results.preset == to_text(preset); }),
          "{}: preset {}; expected quick, full or long", name, in_quotes(results.preset));
  results.seed = node["seed"].count();
  results.parameters = node["parameters"].coordinates();
  results.inputs = node["inputs"].list([](const Node& item) {
    return Input{item["name"].text(), item["sha256"].text()};
  });
  results.findings = node["findings"].list(finding_from);
  results.claims = node["claims"].list(claim_from);
  results.tables = node["tables"].list(table_from);
  return results;
}

}  // namespace perp
