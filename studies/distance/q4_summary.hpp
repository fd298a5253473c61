#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "perp/study/experiment.hpp"
#include "studies/distance/q4_portrait.hpp"

namespace perp::distance {

/// One number of a portrait, as the tables and findings of Q4 call it.
struct PortraitMeasure {
  const char* name;     ///< in a finding's id
  const char* label;    ///< in the table
  const char* meaning;  ///< the definition
  const char* unit;
  double (*read)(const Portrait&);
};
std::span<const PortraitMeasure> portrait_measures();

/// Two dimensions, or two sizes, are alike if they are within this factor of one another.
inline constexpr double alike_factor = 2;
/// Two kernels are alike if they nowhere differ by more than this share of lag 0; rows have one length if
/// their lengths' standard deviation is below this share of the mean.
inline constexpr double alike_share = 0.1;
/// "Mostly": this share.
inline constexpr double most = 0.5;

/// Tables, findings and rule of Q4 from its cells' records; `missing`: why there are none; `model`: whose
/// positions they are.
Outcome summarise_learned(const std::vector<CellRecords>& cells, const std::string& missing,
                          const std::string& model);

}  // namespace perp::distance
