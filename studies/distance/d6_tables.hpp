#pragma once

#include <vector>

#include "perp/study/experiment.hpp"

namespace perp::distance {

Table r2_table(const std::vector<CellRecords>& cells);       ///< d6_r2.csv
Table nullity_table(const std::vector<CellRecords>& cells);  ///< d6_nullity.csv
Table panel_table(const std::vector<CellRecords>& cells);    ///< d6_panels.csv

}  // namespace perp::distance
