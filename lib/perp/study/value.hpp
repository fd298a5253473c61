#pragma once
// The plain values that travel from cells to tables, findings and files.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace perp {

/// An integer, a real number (NaN: absent) or a text.
class Value : public std::variant<std::int64_t, double, std::string> {
 public:
  Value() = default;
  Value(int integer);
  Value(std::int64_t integer);
  Value(double real);
  Value(const char* text);
  Value(const std::string& text);
  Value(std::string&& text);
};

struct Coordinate {
  std::string name;
  Value value;

  Coordinate(std::string_view name, int integer);
  Coordinate(std::string_view name, std::int64_t integer);
  Coordinate(std::string_view name, double real);
  Coordinate(std::string_view name, const char* text);
  Coordinate(std::string_view name, const std::string& text);
  Coordinate(std::string_view name, const Value& value);
  bool operator==(const Coordinate&) const;
};

/// Named values in a fixed order: a cell's coordinates, a finding's place.
using Coordinates = std::vector<Coordinate>;

/// A size or count as a value.
inline Value whole(std::size_t count) { return static_cast<std::int64_t>(count); }

/// Shortest text that reads back as the same value; '.' is the decimal point in every locale; NaN is "".
std::string to_text(const Value& value);

/// Back from text: an integer or a real number if it is written so, "" absent, anything else a text.
Value value_from(const std::string& text);

/// The value as a real number. Throws Error for a text.
double to_number(const Value& value);

/// The coordinate called `name`. Throws Error naming those there are.
const Value& at(const Coordinates& coordinates, std::string_view name);

/// "d=512 family=gaussian": a cell's name in messages, in the stream's key and in the cell store. Different
/// coordinates have different names; a '=' or '\\' in a value gets a '\\' before it.
std::string to_text(const Coordinates& coordinates);

}  // namespace perp
