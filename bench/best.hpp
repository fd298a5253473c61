#pragma once
// The fastest of each operation with its equals: what the test of verdict.hpp does not tell apart from it.

#include <string>
#include <string_view>
#include <vector>

#include "bench/answer.hpp"
#include "bench/lines.hpp"

namespace perp::bench {

/// "blis (+3 equal)"; the name alone without equals.
std::string with_equals(const std::string& name, std::size_t equals);

/// Lines of one operation at one number of threads, as far as they were timed.
struct Group {
  std::string_view operation;
  Through through;
  std::size_t threads;
  std::vector<const Line*> lines;
};
std::vector<Group> groups(const std::vector<Line>& lines);
/// The fastest configuration, geometric mean over shapes and types, and the others against it, ascending. Only those
/// that ran every shape: a mean over the cheap ones says something else.
std::vector<Held> ranking(const Group& group);

/// best.csv: for each operation the fastest, its equals and the next, with the fewest and the most threads.
Table best_table(const std::vector<Line>& lines);

}  // namespace perp::bench
