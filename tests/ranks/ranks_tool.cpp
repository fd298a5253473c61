// Any program as several ranks, for tests/cli/ranks.sh: ranks <number> <program> [argument]…

#include <charconv>
#include <filesystem>
#include <string_view>

#include "perp/base/error.hpp"
#include "perp/study/mpirun.hpp"
#include "perp/study/start.hpp"

int main(int argc, char** argv) {
  const std::string name = argc > 2 ? std::filesystem::path(argv[2]).filename().string() : "ranks";
  return perp::start(name, argv, [&] {
    perp::require(argc > 2, "expected <number> <program> [argument]…");
    std::size_t count = 0;
    const std::string_view number = argv[1];
    std::from_chars(number.data(), number.data() + number.size(), count);
    perp::require(count > 0, "{}: expected a number from 1", number);
    return perp::run_ranks(name, count, {argv + 2, argv + argc});
  });
}
