#pragma once
// What A8's tables and findings are made of: the path of one setting, seed by seed.

#include <set>

#include "perp/study/table.hpp"
#include "studies/learning/a8_paths.hpp"

namespace perp::learning {

using Groups = std::map<Setting, Group>;

/// One setting's looks at its tables. Lengths are root mean squares over words. Refers to its arguments.
class Paths {
 public:
  Paths(const Setting& setting, const Group& group);

  BySeed norm(std::int64_t step) const;
  BySeed growth(std::int64_t step) const;  ///< length over that before training
  BySeed ratio(std::int64_t step) const;   ///< of positions to words; empty where they are not added
  /// Energy per direction of the positions over energy per direction of the space; empty where words have
  /// dimensions of their own.
  BySeed inside(std::int64_t step) const;
  BySeed chance(std::int64_t step) const;  ///< r/d; empty likewise
  const std::set<std::int64_t>& steps() const { return steps_; }
  std::int64_t end() const { return *steps_.rbegin(); }

 private:
  const Setting& setting_;
  const Group& group_;
  bool has_inside_, has_ratio_;
  std::set<std::int64_t> steps_;
};

/// Growth over that of the same seed without positions; empty for that arm itself.
BySeed excess(const Setting& setting, const Groups& groups, std::int64_t step);
/// The ratio above which added positions hide words from whoever knows nothing of positions; NaN where they
/// are not added.
double knee(const Setting& setting, const Groups& groups);

Table path_table(const Groups& groups);
Table end_table(const Groups& groups);
/// Seed by seed at the end of training: the numbers behind the means.
Table seed_table(const Groups& groups);

}  // namespace perp::learning
