#pragma once
// What to install and set, and whether anybody would notice: configurations held against the default.

#include <string>
#include <string_view>
#include <vector>

#include "bench/runs.hpp"
#include "bench/verdict.hpp"
#include "perp/study/table.hpp"

namespace perp::bench {

inline constexpr double noticed = 1.5;  ///< a difference in time that a user notices

/// One configuration against another over some rows: geometric mean over operations, each that over its rows.
struct Held {
  const Configuration* configuration = nullptr;
  std::string_view operation = {};  ///< empty: all of them
  /// Its time over the other's; interval (Bonferroni) and p (Holm) hold for the whole family at once.
  Contrast cost = {};
  bool told() const { return cost.told(); }
  std::string shown() const { return configuration->backend.shown(); }
};
/// Every configuration of `all` that ran the rows, but `base` itself; a family of tests. `by_operation`: each
/// operation is a test of its own.
std::vector<Held> held_against(const Configuration& base, const std::vector<const Configuration*>& all,
                               const std::vector<Row>& rows, bool by_operation);
/// "atlas, mkl".
std::string names_of(const std::vector<Held>& list);

/// What the default costs at one number of threads.
struct Answer {
  const Configuration *usual = nullptr, *best = nullptr;  ///< `best` may be the default itself
  Contrast cost = {1, 1, 1, 0, 1, 0};                     ///< the default's time over the best's
  std::vector<Held> overall = {};                         ///< every configuration over the default
  std::vector<Held> equals = {};                          ///< not told apart from the best
  std::vector<Held> noticed =
      {};  ///< by operation what a user would notice, the faster first, then the furthest

  /// Not told apart, and yet the default may cost what a user notices.
  bool is_unclear() const { return !cost.told() && cost.high >= bench::noticed; }
};
/// One for the fewest threads and one for the most; none where the default was not timed. A configuration with a
/// wrong result is no candidate.
std::vector<Answer> answers_of(const std::vector<Configuration>& all, const std::vector<Row>& rows,
                               const std::string& baseline);

/// answer.csv: what the default costs, what the core type costs that this library's programs take (`own`, empty: the
/// library's own pick), and where a difference is noticed, of which at most eight rows are shown.
Table answer_table(const std::vector<Answer>& answers, const std::string& own);

}  // namespace perp::bench
