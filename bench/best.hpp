#pragma once
// The fastest of each operation with its equals: what the test of verdict.hpp does not tell apart from it.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/compare.hpp"
#include "perp/study/table.hpp"

namespace perp::bench {

/// An operation as pages name it.
std::string called(std::string_view operation);
/// "blis (+3 equal)"; the name alone without equals.
std::string with_equals(const std::string& name, std::size_t equals);
/// With commas between them.
std::string joined(const std::vector<std::string>& names);

/// Rows of one operation at one number of threads.
struct Group {
  std::string_view operation;
  Through through;
  std::size_t threads;
  std::vector<const ComparisonRow*> rows;
};
/// Of all lines with a time.
std::vector<Group> groups(const std::vector<ComparisonRow>& lines);
/// Geometric mean over shapes and types of a configuration's time over that of the fastest of each, ascending. Only
/// those that ran every shape: a mean over the cheap ones says something else.
std::vector<std::pair<double, const Configuration*>> ranking(const Group& group);

/// best.csv: for each operation the fastest, its equals and the next.
Table best_table(const std::vector<ComparisonRow>& lines);
/// best_wide.csv: the same with the fewest and the most threads side by side.
Table best_wide_table(const Table& best);

}  // namespace perp::bench
