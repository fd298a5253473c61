#include "perp/study/nearest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace perp {
namespace {

/// Single characters to put in, to take out, to replace or to swap with their neighbour until one text is the other
/// (optimal string alignment; Damerau 1964, CACM 7:171).
std::size_t edits(std::string_view from, std::string_view to) {
  std::vector<std::size_t> before(to.size() + 1), last(to.size() + 1), row(to.size() + 1);
  std::iota(last.begin(), last.end(), 0);
  for (std::size_t i = 1; i <= from.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const bool same = from[i - 1] == to[j - 1];
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::exchange(last, row);
  }
  return last.back();
}

}  // namespace

std::string nearest(std::string_view wrong, const std::vector<std::string>& among) {
  const auto far = [&](const std::string& name) { return edits(wrong, name); };
  const auto best = std::ranges::min_element(among, {}, far);
  // As many edits as half of its letters make any name of any other.
  return best == among.end() || 2 * far(*best) > best->size() ? "" : *best;
}

std::string instead_of(std::string_view wrong, const std::vector<std::string>& among) {
  const std::string meant = nearest(wrong, among);
  return meant.empty() ? fmt::format("; there is {}", fmt::join(among, ", "))
                       : fmt::format("; did you mean '{}'?", meant);
}

}  // namespace perp
