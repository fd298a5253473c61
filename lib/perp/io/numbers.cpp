#include "perp/io/numbers.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <system_error>

namespace perp {
namespace {

template <class T>
std::string shortest_text(T value) {
  if (std::isnan(value)) return "nan";  // whatever its sign bit
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() ? std::string(text.data(), end) : fmt::format("{}", value);
}

// std::from_chars says that a number is out of range, but not on which side.
bool too_small(std::string_view number) {
  if (number.find_first_of("eE") != number.npos)
    return number.find("e-") != number.npos || number.find("E-") != number.npos;
  const std::size_t first = number.find_first_not_of("-0");
  return first != number.npos && number[first] == '.';
}

template <class T>
std::optional<T> parse(std::string_view text) {
  T value = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (end != last || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    if (!too_small(text)) return std::nullopt;
    return text.starts_with('-') ? -T{0} : T{0};
  }
  return value;
}

}  // namespace

std::string shortest(double value) { return shortest_text(value); }
std::string shortest(float value) { return shortest_text(value); }
std::optional<double> parse_double(std::string_view text) { return parse<double>(text); }
std::optional<float> parse_float(std::string_view text) { return parse<float>(text); }

}  // namespace perp
