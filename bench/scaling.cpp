// build/bench/scaling: `time` appends rows of seconds, `conclude` turns them and the studies' runs into the
// tables that the renderer makes SCALING.md of. scripts/scaling calls both.

#include "bench/scaling.hpp"

#include <filesystem>
#include <functional>

#include "bench/options.hpp"
#include "bench/workload.hpp"
#include "perp/base/blas.hpp"
#include "perp/base/work.hpp"
#include "perp/io/file.hpp"
#include "perp/io/program.hpp"
#include "perp/measures/angles.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/measures/stream_table.hpp"
#include "perp/random/normal.hpp"
#include "perp/study/start.hpp"
#include "perp/vectors/positions.hpp"

namespace perp::bench {
namespace {

namespace fs = std::filesystem;

Matrix<float> normals(std::size_t rows, std::size_t cols) {
  return normal_matrix<float>(rows, cols, stream(1, "scaling", "", 0, "words"));
}

struct Clock {
  std::vector<Timed>& rows;
  std::size_t round;

  /// Runs `work` and notes its seconds: the thread's own, which other programs disturb less, or all that pass
  /// where it waits for the disk; and the operations of BLAS and LAPACK as they were called.
  void time(const std::string& sweep, std::size_t size, const std::function<void()>& work,
            bool waits = false) {
    const WorkCounters before = thread_work();
    const double passed = seconds_of(work);
    const WorkCounters spent = thread_work() - before;
    rows.push_back({sweep, static_cast<double>(size), round, waits ? passed : spent.cpu_s, spent.flops});
  }
};

struct Place {
  std::size_t i;
};
PERP_ROW(Place, i)
struct Cosine {
  double cosine;
};
PERP_ROW(Cosine, cosine)

/// A study of `count` equal cells: the angles of two random subspaces.
Study subspaces(std::size_t count) {
  Experiment e{"L1", "Cells.", "[t]"};
  e.measure(grid<Place>(first(count)), 1, [](const Place&, const Streams& streams, Rows& rows) {
    const auto subspace = [&](const char* purpose) {
      return normal_matrix<double>(32, 256, streams(purpose));
    };
    rows.add(Cosine{principal_cosines(subspace("first"), subspace("second")).front()});
  });
  e.conclude([](const Cells& cells, Summary& summary) {
    summary.number("measured", {}, {static_cast<double>(cells.size())}, {.meaning = "Cells."});
    summary.rule = {{.finding = "measured", .is = Is::above, .bound = 0.0}};
  });
  return {"scaling", "", {"L1"}, {}, [e](const Options&) { return Prepared{{e}, {}, {}}; }};
}

void time_cells(Clock& clock, const std::string& scratch) {
  Options options;
  options.build = scratch;
  options.fresh = true;
  for (std::size_t count = 32; count <= 512; count *= 2)
    clock.time(
        "cells", count, [&] { measure(subspaces(count), options); }, true);
}

void time_tables(Clock& clock) {
  constexpr std::size_t length = 512, most_words = 32768, d = 256, words = 8192;
  {
    const Matrix<float> table = normals(most_words, d);
    const Matrix<float> positions = unit_rows(sinusoidal<float>(length, d)).rows;
    for (std::size_t v = 2048; v <= most_words; v *= 2)
      clock.time("words", v, [&] {
        stream_table(stream_of(block(table, 0, v), "words"), {1, positions, 0});
      });
  }
  for (std::size_t width = 64; width <= 1024; width *= 2) {
    const Matrix<float> table = normals(words, width);
    const Matrix<float> positions = unit_rows(sinusoidal<float>(length, width)).rows;
    clock.time("width", width, [&] { stream_table(stream_of(table, "words"), {1, positions, 0}); });
  }
  for (std::size_t l = 512; l <= 8192; l *= 2) {
    const Matrix<float> positions = sinusoidal<float>(l, d);
    clock.time("length", l, [&] { lag_statistics(positions, 1); });
  }
}

/// Each sweep lets one size grow and holds the others.
void time(const std::string& out, const std::string& scratch, std::size_t rounds) {
  std::vector<Timed> rows;
  for (std::size_t round = 1; round <= rounds; ++round) {
    print_message("scaling: growing work, round {} of {}\n", round, rounds);
    Clock clock{rows, round};
    time_cells(clock, scratch);
    time_tables(clock);
  }
  write_together({{out, to_csv(rows)}});
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
    write_results(fs::path(out) / "scaling",
                  scaling_results(timed_from(read_csv(rows)), runs_from(read_csv(runs))));
  return 0;
}

}  // namespace
}  // namespace perp::bench

int main(int argc, char** argv) {
  return perp::run_program("scaling", [&] {
    perp::settle_blas(argv);
    perp::warn_of_kernels("scaling");
    return perp::bench::run(argc, argv);
  });
}
