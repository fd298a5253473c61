#pragma once
// O4's tables, from the records of its cells.

#include "perp/statistics/moments.hpp"
#include "perp/study/experiment.hpp"

namespace perp::orthogonality {

/// Draws with the same ranks in the same space, from `grid` and `diagonal` cells.
struct AngleGroup {
  std::string measure;
  std::size_t d, k, r;
  MomentSums largest, mean_square;
};
std::vector<AngleGroup> angle_groups(const std::vector<CellRecords>& cells);

/// Real words' leading k directions against the positions': as they are (one draw) or after random rotations.
struct RealGroup {
  std::string measure;
  std::size_t d, k;
  MomentSums largest, mean_square;
};
std::vector<RealGroup> real_groups(const std::vector<CellRecords>& cells);

/// Draws of the `law` cells: largest cosines, and counts of cos² by bin.
struct LawGroup {
  std::size_t d, k, r;
  MomentSums largest, mean_square;
  std::vector<std::uint64_t> counts;
};
std::vector<LawGroup> law_groups(const std::vector<CellRecords>& cells);

Table angle_table(const std::vector<AngleGroup>& groups);
Table wachter_table(const std::vector<LawGroup>& groups);
/// Lines of equal largest cosine by theory, for the figure: for each level and k the r that reaches it.
Table contour_table(std::size_t d);
Table energy_table(const std::vector<CellRecords>& cells);
Table energy_density_table(const std::vector<CellRecords>& cells);
Table real_table(const std::vector<RealGroup>& groups);

/// Largest distance of the distribution of cos² from Wachter's law, at the edges of the bins.
double wachter_distance(const LawGroup& group);

}  // namespace perp::orthogonality
