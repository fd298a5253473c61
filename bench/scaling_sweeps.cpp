// The work that is timed: each sweep lets one size grow and holds the others.

#include <chrono>
#include <functional>

#include "bench/scaling.hpp"
#include "perp/base/work.hpp"
#include "perp/measures/angles.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/measures/stream_table.hpp"
#include "perp/random/normal.hpp"
#include "perp/study/experiment.hpp"
#include "perp/vectors/positions.hpp"

namespace perp::bench {
namespace {

Matrix<float> normals(std::size_t rows, std::size_t cols) {
  return normal_matrix<float>(rows, cols, stream(1, "scaling", "", 0, "words"));
}

class Clock {
 public:
  Clock(std::vector<Timed>& rows, std::size_t round) : rows_(rows), round_(round) {}

  /// Runs `work` and notes its seconds: the thread's own, which other programs disturb less, or all that pass
  /// where it waits for the disk; and the operations of BLAS and LAPACK as they were called.
  void time(const std::string& sweep, std::size_t size, const std::function<void()>& work,
            bool waits = false) {
    const WorkCounters before = thread_work();
    const auto start = std::chrono::steady_clock::now();
    work();
    const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const WorkCounters spent = thread_work() - before;
    rows_.push_back({sweep, static_cast<double>(size), round_, waits ? passed : spent.cpu_s, spent.flops});
  }

 private:
  std::vector<Timed>& rows_;
  std::size_t round_;
};

/// A study of `count` equal cells: the angles of two random subspaces.
Study subspaces(std::size_t count) {
  Experiment e{"L1", "Cells.", "[t]"};
  for (std::size_t i = 0; i < count; ++i) e.cells.push_back({{{"i", whole(i)}}, 1});
  e.run = [](const Cell&, const Streams& streams) -> Records {
    const auto subspace = [&](std::string_view purpose) {
      return normal_matrix<double>(32, 256, streams(purpose));
    };
    return {{"angle", {{"cosine", principal_cosines(subspace("first"), subspace("second")).front()}}}};
  };
  e.summarise = [](const std::vector<CellRecords>& cells) {
    const double measured = static_cast<double>(cells.size());
    return Outcome{{finding("L1", "measured", {}, {measured}, {.kind = Kind::exact, .meaning = "Cells."})},
                   {},
                   {{"L1.measured", Is::above, 0.0}}};
  };
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

}  // namespace

std::vector<Timed> time_sweeps(std::size_t round, const std::string& scratch) {
  std::vector<Timed> rows;
  Clock clock(rows, round);
  time_cells(clock, scratch);
  time_tables(clock);
  return rows;
}

}  // namespace perp::bench
