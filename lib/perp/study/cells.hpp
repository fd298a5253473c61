#pragma once
// The cells of a study: which are kept, which are missing, and those measured by whichever thread is free.

#include <utility>
#include <vector>

#include "perp/study/experiment.hpp"

namespace perp {

/// Where one cell of one experiment stands.
struct Task {
  std::size_t experiment, cell;
};

struct Measured {
  std::vector<std::vector<CellRecords>> records;  ///< by experiment, then by cell; of a part its own alone
  std::vector<std::pair<Task, Task>> shared;      ///< a cell, and the earlier one that is the same work
  RunRecord run;
};

/// Reads what is kept, measures the rest, merges in cell order; of one part of the cells, if `options` ask for one.
Measured measure_cells(const Study& study, const std::vector<Experiment>& experiments,
                       const Options& options);

}  // namespace perp
