#pragma once
// The cells of a study: which are kept, which are missing, and those measured by whichever rank is free.

#include <utility>
#include <vector>

#include "perp/study/experiment.hpp"
#include "perp/study/ranks.hpp"

namespace perp {

/// Where one cell of one experiment stands.
struct Task {
  std::size_t experiment, cell;
};

struct Measured {
  std::vector<std::vector<CellRecords>> records;  ///< by experiment, then by cell
  std::vector<std::pair<Task, Task>> shared;      ///< a cell, and the earlier one that is the same work
  RunRecord run;
};

/// On rank 0: reads what is kept, has the rest measured, merges in cell order.
Measured measure_cells(const Study& study, const std::vector<Experiment>& experiments, const Options& options,
                       Ranks& ranks);

/// What a rank that does not lead needs: the same cells as rank 0, which has read the inputs (and learned the
/// words) by now.
Ranks::Part part_of(const Study& study, std::vector<Experiment> experiments, const Options& options);

}  // namespace perp
