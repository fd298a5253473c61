// A study whose cells are as unequal as they can be, for tests/cli/ranks.sh: the dearest cell, handed out
// first, ends when all the others have ended. A plan made before the start would wait for ever; handing out
// while working does not. Each run of a cell leaves a file in --log.

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <thread>

#include "perp/base/error.hpp"
#include "perp/random/normal.hpp"
#include "perp/study/experiment.hpp"

namespace {

using namespace perp;
namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr std::size_t cells = 40;

std::string rank() {
  const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
  return rank ? rank : "0";
}

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator{}));
}

struct Toy {
  fs::path log;
  std::vector<std::size_t> fails;
  bool waits;        ///< whether the dearest cell does
  std::size_t hold;  ///< so many cells end, the others wait to be killed

  Records run(const Cell& cell, const Streams& streams) const {
    const auto i = static_cast<std::size_t>(to_number(at(cell.at, "i")));
    for (const std::size_t bad : fails) require(i != bad, "cannot measure this one");
    for (int wait = 0; waits && i == 0 && files_in(log) + 1 < cells; ++wait) {
      if (wait == 3000) fail("the other cells never ended");
      std::this_thread::sleep_for(milliseconds(10));
    }
    for (int wait = 0; i != 0 && files_in(log) >= hold; ++wait) {
      if (wait == 3000) fail("nobody killed this run");
      std::this_thread::sleep_for(milliseconds(10));
    }
    if (i % 7 == 3) std::this_thread::sleep_for(milliseconds(20));
    std::vector<double> draws(3);
    fill_normal(streams("draws"), std::span<double>(draws));
    std::ofstream(log / fmt::format("{}.{}.{}", i, rank(), getpid())) << "run\n";
    return {{"draw", {{"first", draws[0]}, {"second", draws[1] / 3}}}};
  }
};

Outcome summarise(const std::vector<CellRecords>& measured) {
  Table table{"draws.csv", {{"i", "1"}, {"first", "1"}, {"second", "1"}}, {}};
  double sum = 0;
  for (const auto& [cell, records] : measured) {
    const Coordinates& draw = records.front().values;
    table.add({at(cell.at, "i"), at(draw, "first"), at(draw, "second")});
    sum += to_number(at(draw, "first"));
  }
  Finding finding{"O1.sum", {}, sum, {}, {}, {}, 0.0, "1", measured.size(), Kind::sampled, "A sum."};
  return {{finding}, {table}, {{.finding = "O1.sum", .is = Is::equal, .bound = "theory", .margin = 100}}};
}

Prepared prepare(const Options& options) {
  const fs::path log = options.text("log").value_or("log");
  fs::create_directories(log);
  // As words are learned: rank 0 takes its time, the others find what it left.
  const fs::path learned = log.string() + ".learned";
  fmt::print(stderr, "toy: preparing, 0:00 left, as rank {}\n", rank());  // other ranks than 0 are not heard
  require(options.text("forget") != rank(), "cannot read the words");
  if (rank() == "0") {
    std::this_thread::sleep_for(milliseconds(300));
    std::ofstream(learned) << "words\n";
  } else {
    require(fs::exists(learned), "the words are not there yet");
  }
  const Toy toy{log, options.text("fails") ? options.sizes("fails", {}) : std::vector<std::size_t>{},
                !options.text("fails") && !options.text("forget"),
                options.sizes("hold", {1'000'000}).front()};
  Experiment experiment{"O1", "A claim.", "[t]"};
  for (std::size_t i = 0; i < cells; ++i)
    experiment.cells.push_back({{{"i", whole(i)}}, i == 0 ? 100.0 : static_cast<double>(1 + i % 7)});
  experiment.run = [toy](const Cell& cell, const Streams& streams) { return toy.run(cell, streams); };
  experiment.summarise = summarise;
  return {{experiment}, {}, {}};
}

}  // namespace

int main(int argc, char** argv) {
  const Study study{"toy",
                    "Unequal cells.",
                    {"O1"},
                    {{"log", "DIR", "Where each run of a cell leaves a file"},
                     {"fails", "I,…", "Cells that throw"},
                     {"hold", "N", "So many cells end, the others wait"},
                     {"forget", "RANK", "The rank that cannot prepare"},
                     {"ask", "TEXT", "A question that is answered at once"}},
                    prepare,
                    [](const Options& options) { return options.text("ask"); }};
  return run_study(study, argc, argv);
}
