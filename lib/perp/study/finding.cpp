#include "perp/study/finding.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "perp/base/error.hpp"

namespace perp {
namespace {

constexpr std::array<std::pair<Kind, std::string_view>, 4> kinds{
    {{Kind::exact, "exact"}, {Kind::count, "count"}, {Kind::rounded, "rounded"}, {Kind::sampled, "sampled"}}};

std::string id_part(const std::string& given) {
  std::string text = given;
  for (char& c : text) {
    if (c == '.') c = 'p';
    if (c == '-') c = 'm';
    require((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_',
            "finding id part '{}' holds '{}'; expected a-z, 0-9 and _", given, c);
  }
  return text;
}

}  // namespace

Finding::Finding(std::string id_, Coordinates at_, double value_, std::optional<double> low_,
                 std::optional<double> high_, std::optional<double> level_, std::optional<double> theory_,
                 std::string_view unit_, std::uint64_t n_, Kind kind_, std::string_view meaning_)
    : id(std::move(id_)),
      at(std::move(at_)),
      value(value_),
      low(low_),
      high(high_),
      level(level_),
      theory(theory_),
      unit(unit_),
      n(n_),
      kind(kind_),
      meaning(meaning_) {}

std::string_view to_text(Kind kind) {
  return std::ranges::find(kinds, kind, &decltype(kinds)::value_type::first)->second;
}

Kind kind_from(std::string_view text) {
  const auto entry = std::ranges::find(kinds, text, &decltype(kinds)::value_type::second);
  require(entry != kinds.end(), "kind '{}' is none of exact, count, rounded, sampled", text);
  return entry->first;
}

std::string finding_id(std::string_view claim, std::string_view measure, const Coordinates& at) {
  std::string id = fmt::format("{}.{}", claim, id_part(std::string(measure)));
  for (const auto& [key, value] : at) {
    const bool is_text = std::holds_alternative<std::string>(value);
    id += fmt::format(".{}{}", is_text ? "" : id_part(key), id_part(to_text(value)));
  }
  return id;
}

Finding finding(std::string_view claim, std::string_view measure, const Coordinates& at,
                const Estimate& estimate, const About& about) {
  std::string id = finding_id(claim, measure, at);
  require(about.n || about.kind != Kind::sampled, "finding {} is sampled and does not say of how many (n)",
          id);
  Finding made{std::move(id),
               at,
               estimate.value,
               estimate.low,
               estimate.high,
               estimate.level,
               about.theory && std::isnan(*about.theory) ? std::nullopt : about.theory,
               about.unit,
               about.n.value_or(1),
               about.kind,
               about.meaning};
  made.spread = estimate.spread;
  return made;
}

Estimate estimated(double value, const Spread& spread) {
  const Interval interval = interval_at(value, spread, shown_level);
  return {value, interval.low, interval.high, interval.level, spread};
}

Estimate estimated(const Moments& moments) { return estimated(moments.mean, spread_of(moments)); }

Estimate mean_estimate(const Moments& moments) {
  return moments.count < 2 ? Estimate{moments.mean} : estimated(moments);
}

Estimate estimated(std::span<const double> values) {
  MomentSums sums;
  for (const double value : values) sums.add(value);
  return mean_estimate(sums.moments());
}

std::string sentence(std::string words) {
  if (words.empty()) return words;
  const std::string_view first = std::string_view(words).substr(0, words.find(' '));
  if (std::ranges::all_of(first, [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }))
    words[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[0])));
  if (words.back() != '.') words += '.';
  return words;
}

const Finding* find(const std::vector<Finding>& findings, std::string_view id) {
  const auto it = std::ranges::find(findings, id, &Finding::id);
  return it == findings.end() ? nullptr : &*it;
}

using AnyValue = std::variant<std::int64_t, double, std::string>;
Value::Value(int integer) : AnyValue(std::int64_t{integer}) {}
Value::Value(std::int64_t integer) : AnyValue(integer) {}
Value::Value(double real) : AnyValue(real) {}
Value::Value(const char* text) : AnyValue(std::string(text)) {}
Value::Value(const std::string& text) : AnyValue(text) {}
Value::Value(std::string&& text) : AnyValue(std::move(text)) {}

Coordinate::Coordinate(std::string_view name_, int integer) : name(name_), value(integer) {}
Coordinate::Coordinate(std::string_view name_, std::int64_t integer) : name(name_), value(integer) {}
Coordinate::Coordinate(std::string_view name_, double real) : name(name_), value(real) {}
Coordinate::Coordinate(std::string_view name_, const char* text) : name(name_), value(text) {}
Coordinate::Coordinate(std::string_view name_, const std::string& text) : name(name_), value(text) {}
Coordinate::Coordinate(std::string_view name_, const Value& value_) : name(name_), value(value_) {}
bool Coordinate::operator==(const Coordinate&) const = default;

std::string to_text(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *integer);
  if (const auto* real = std::get_if<double>(&value))
    return std::isnan(*real) ? "" : fmt::format("{}", *real);
  return std::get<std::string>(value);
}

Value value_from(const std::string& text) {
  if (text.empty()) return std::numeric_limits<double>::quiet_NaN();
  char* end = nullptr;
  const Value integer = std::int64_t{std::strtoll(text.c_str(), &end, 10)};
  if (to_text(integer) == text) return integer;
  const Value real = std::strtod(text.c_str(), &end);
  return to_text(real) == text ? real : Value(text);
}

double to_number(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  refuse("'{}' is a text where a number was expected", std::get<std::string>(value));
}

const Value& at(const Coordinates& coordinates, std::string_view name) {
  for (const auto& [key, value] : coordinates)
    if (key == name) return value;
  refuse("no coordinate '{}' among {}", name, to_text(coordinates));
}

std::string to_text(const Coordinates& coordinates) {
  std::string text;
  for (const auto& [key, value] : coordinates) {
    text += fmt::format("{}{}=", text.empty() ? "" : " ", key);
    for (const char c : to_text(value)) {
      // A '=' in a value would begin another coordinate: {a: "1 b=2"} is not {a: "1", b: 2}.
      if (c == '=' || c == '\\') text += '\\';
      text += c;
    }
  }
  return text;
}

}  // namespace perp
