#pragma once
// Numbers as text, the same whatever the locale: '.' before the fraction, no grouping, and as few digits as
// give the same number back.

#include <fmt/format.h>

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace perp {

/// The shortest text that parses back to exactly this number: 0.1, 1e+22, -0, nan, inf, -inf.
std::string shortest(double value);

template <std::integral Integer>
requires(!std::same_as<Integer, bool> && !std::same_as<Integer, char>) std::string shortest(Integer value) {
  return fmt::format("{:d}", value);
}

/// The number that the whole of `text` spells; nothing when it is no number or too large. A value too small
/// for the type becomes the zero of its sign. No blanks, no leading '+', no hexadecimal; "nan" and "inf" are
/// numbers.
std::optional<double> parse_double(std::string_view text);
std::optional<float> parse_float(std::string_view text);

/// The whole number from 0 that all of `text` writes in plain decimal digits; nothing for another text or from
/// 2^64 on.
std::optional<std::uint64_t> parse_whole(std::string_view text);

}  // namespace perp
