#include "perp/io/numbers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <system_error>

namespace perp {
namespace {

/// std::from_chars says that a number is out of range, but not on which side: below 1, by the place of its
/// first digit that is not 0.
bool below_one(std::string_view number) {
  const std::size_t e = std::min(number.find_first_of("eE"), number.size());
  const std::string_view digits = number.substr(0, e);
  const std::size_t point = std::min(digits.find('.'), digits.size()),
                    first = digits.find_first_of("123456789");
  const auto place =
      static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first) - (first < point ? 1 : 0);
  std::int64_t exponent = 0;
  if (e < number.size()) {
    std::string_view power = number.substr(e + 1);
    if (power.starts_with('+')) power.remove_prefix(1);
    const auto [end, error] = std::from_chars(power.data(), power.data() + power.size(), exponent);
    if (error == std::errc::result_out_of_range) return power.starts_with('-');
  }
  return exponent < -place;
}

template <class T>
std::optional<T> parse(std::string_view text) {
  T value = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (end != last || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    if (!below_one(text)) return std::nullopt;
    return text.starts_with('-') ? -T{0} : T{0};
  }
  return value;
}

}  // namespace

std::string shortest(double value) {
  if (std::isnan(value)) return "nan";  // whatever its sign bit
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() ? std::string(text.data(), end) : fmt::format("{}", value);
}
std::optional<double> parse_double(std::string_view text) { return parse<double>(text); }
std::optional<float> parse_float(std::string_view text) { return parse<float>(text); }

std::optional<std::uint64_t> parse_whole(std::string_view text) {
  std::uint64_t value = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  return error == std::errc() && end == last ? std::optional(value) : std::nullopt;
}

}  // namespace perp
