#pragma once
// What the programs of the bench have in common as they read their options.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "perp/base/error.hpp"
#include "perp/io/program.hpp"
#include "perp/io/text.hpp"

namespace perp::bench {

inline constexpr std::uint64_t most_threads = 4096;  ///< more than any machine has; each takes memory

/// A check for options that take a whole number: CLI11 alone takes -1 for 2^64 - 1, and 0x10 for 16.
inline CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  return CLI::Validator(
      [least, most](const std::string& text) -> std::string {
        const std::optional<std::uint64_t> value = parse_whole(text);
        if (value && *value >= least && *value <= most) return {};
        return fmt::format("'{}' is no whole number from {} to {}", text, least, most);
      },
      "");
}

/// Throws Error{Exit::unusable} for what does not fit; after --help the program ends.
inline void parse_options(CLI::App& app, int argc, char** argv) {
  for (CLI::Option* option : app.get_options())  // --check=no would mean yes
    if (option->get_items_expected_max() == 0) option->disable_flag_override();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() != 0)
      refuse("{}; {} --help explains", e.what(), std::filesystem::path(argv[0]).filename().string());
    print_data(app.help());
    end_program(0);
  }
}

}  // namespace perp::bench
