#pragma once
// A check for options that take a whole number: CLI11 alone takes -1 for 2^64 - 1, and 0x10 for 16.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <string>

namespace perp::bench {

inline constexpr std::uint64_t most_threads = 4096;  ///< more than any machine has; each takes memory

inline CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  return CLI::Validator(
      [least, most](const std::string& text) -> std::string {
        std::uint64_t value = 0;
        const char* const last = text.data() + text.size();
        const auto [end, error] = std::from_chars(text.data(), last, value);
        if (error == std::errc() && end == last && value >= least && value <= most) return {};
        return fmt::format("'{}' is no whole number from {} to {}", text, least, most);
      },
      "");
}

}  // namespace perp::bench
