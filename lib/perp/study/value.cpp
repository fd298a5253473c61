#include "perp/study/value.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>

#include "perp/base/error.hpp"

namespace perp {

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
