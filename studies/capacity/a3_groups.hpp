#pragma once
// Records of all replicates of one place (claims A3 and A4).

#include <cmath>
#include <string>
#include <vector>

#include "studies/capacity/a3_tables.hpp"
#include "studies/capacity/claims.hpp"

namespace perp::capacity {

struct Group {
  std::string key;
  std::vector<Coordinates> rows;

  const Coordinates& first() const { return rows.front(); }
  std::vector<double> values(std::string_view name) const;
  double mean(std::string_view name) const;
};

/// Records called `record` of cells whose "what" is `what`, grouped by the coordinates named, in cell order.
std::vector<Group> groups_of(const std::vector<CellRecords>& cells, std::string_view what,
                             std::string_view record, const std::vector<std::string>& by);

/// The end of an interval as a table's value; NaN where there is none.
inline double number_or_nan(const std::optional<double>& x) { return x.value_or(std::nan("")); }

}  // namespace perp::capacity
