#pragma once
// The two tables of a run beside those of the same seed's other runs and steps.

#include <map>

#include "studies/learning/geometry.hpp"
#include "studies/learning/seeds.hpp"

namespace perp::learning {

class Looks {
 public:
  explicit Looks(const std::vector<Geometry>& rows) {
    for (const Geometry& row : rows) known_.emplace(Key(setting(row), row.seed, row.step), row);
  }
  /// NaN throughout where there is none.
  Geometry at(const Run& run, std::size_t step) const {
    const auto found = known_.find(Key(setting(run), run.seed, step));
    return found == known_.end() ? Geometry{} : found->second;
  }

 private:
  using Key = std::tuple<decltype(setting({})), std::size_t, std::size_t>;
  std::map<Key, Geometry> known_;
};

/// The same seed's run whose words have no positions beside them: of a model without any, or of RoPE.
inline Run without_positions(Run run, const char* arm = "none") {
  run.arm = arm;
  run.positions = "none";
  run.position_width = 0;
  return run;
}

/// Overlap of a look's words with the positions that this run starts from.
inline double first_overlap(const Run& run, const Geometry& look) {
  return run.positions == "learned" ? look.overlap_learned : look.overlap_centred;
}

}  // namespace perp::learning
