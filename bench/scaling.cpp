// build/bench/scaling: `time` appends rows of seconds, `conclude` turns them and the studies' runs into the
// tables that the renderer makes SCALING.md of. scripts/scaling calls both.

#include "bench/scaling.hpp"

#include <filesystem>

#include "bench/options.hpp"
#include "perp/base/blas.hpp"
#include "perp/base/error.hpp"
#include "perp/io/file.hpp"
#include "perp/io/program.hpp"

namespace perp::bench {
namespace {

namespace fs = std::filesystem;

void time(const std::string& out, const std::string& scratch, std::size_t rounds) {
  std::vector<Timed> rows;
  for (std::size_t round = 1; round <= rounds; ++round) {
    print_message("scaling: growing work, round {} of {}\n", round, rounds);
    for (Timed& row : time_sweeps(round, scratch)) rows.push_back(std::move(row));
  }
  write_together({{out, to_csv(rows)}});
}

void conclude(const std::string& rows, const std::string& runs, const std::string& out) {
  const Results results = scaling_results(timed_from(read_csv(rows)), runs_from(read_csv(runs)));
  write_results(fs::path(out) / results.study, results);
}

int run(int argc, char** argv) {
  std::string out, scratch, rows, runs;
  std::size_t rounds = 5;
  CLI::App app("How time grows with the work and shrinks with threads; make scaling runs it.", "scaling");
  app.require_subcommand(1);
  CLI::App* timing = app.add_subcommand("time", "times growing work on one thread");
  timing->add_option("--out", out, "CSV file for the rows")->required();
  timing->add_option("--scratch", scratch, "folder for cells that are kept")->required();
  timing->add_option("--rounds", rounds, "rounds (default 5)")->check(CLI::Range(2, 1000));
  CLI::App* concluding = app.add_subcommand("conclude", "fits, and writes tables and results.json");
  concluding->add_option("--rows", rows, "what `time` wrote")->required();
  concluding->add_option("--runs", runs, "CSV of study, round, threads, seconds")->required();
  concluding->add_option("--out", out, "folder that receives scaling/")->required();
  parse_options(app, argc, argv);
  if (timing->parsed())
    time(out, scratch, rounds);
  else
    conclude(rows, runs, out);
  return 0;
}

}  // namespace
}  // namespace perp::bench

int main(int argc, char** argv) {
  return perp::run_program("scaling", [&] {
    perp::settle_blas(argv);
    if (const std::string& warning = perp::kernel_settlement().warning; !warning.empty())
      perp::print_message("scaling: {}\n", warning);
    return perp::bench::run(argc, argv);
  });
}
