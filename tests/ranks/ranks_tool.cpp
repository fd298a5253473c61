// Any program as several ranks, for tests/cli/ranks.sh: ranks <number> <program> [argument]…

#include <filesystem>
#include <string>

#include "perp/base/error.hpp"
#include "perp/io/numbers.hpp"
#include "perp/study/mpirun.hpp"
#include "perp/study/start.hpp"

int main(int argc, char** argv) {
  const std::string name = argc > 2 ? std::filesystem::path(argv[2]).filename().string() : "ranks";
  return perp::start(name, argv, [&] {
    perp::require(argc > 2, "expected <number> <program> [argument]…");
    const std::size_t count = perp::parse_whole(argv[1]).value_or(0);
    perp::require(count > 0, "{}: expected a number from 1", argv[1]);
    return perp::run_ranks(name, count, {argv + 2, argv + argc});
  });
}
