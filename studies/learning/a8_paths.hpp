#pragma once
// Runs that differ by their seed alone, side by side, for the claims that compare them seed by seed (A8, A9).

#include <compare>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "perp/study/experiment.hpp"
#include "studies/learning/arms.hpp"
#include "studies/learning/seeds.hpp"

namespace perp::learning {

/// All that is told of a run but its seed; models of one block only.
struct Setting {
  std::string task, arm;
  std::size_t position_width = 0, width = 0;
  double start = 1;
  auto operator<=>(const Setting&) const = default;
};
/// A finding's place: p only where there is a split, start only where it is not 1, and of the text no width,
/// which the preset decides.
Coordinates place(const Setting& setting);
/// The same task, width and start in another arm without a split.
Setting in_arm(const Setting& setting, std::string_view arm);

/// One number per seed.
using BySeed = std::map<std::size_t, double>;
/// Records of a setting, by seed.
using Group = std::map<std::size_t, const Records*>;
/// Every setting of models of one block. Holds pointers into `cells`.
std::map<Setting, Group> groups_of(const std::vector<CellRecords>& cells);

/// The values of every record called `name`, in order.
std::vector<const Coordinates*> all_called(const Records& records, std::string_view name);
/// `value` of a run's first or last record called `name`; runs without such a record or value are left out.
BySeed first_of(const Group& group, std::string_view name, std::string_view value);
BySeed last_of(const Group& group, std::string_view name, std::string_view value);
/// f(a, b) for every seed that both have.
template <class F>
BySeed paired(const BySeed& a, const BySeed& b, F f) {
  BySeed out;
  for (const auto& [seed, x] : a)
    if (const auto other = b.find(seed); other != b.end()) out[seed] = f(x, other->second);
  return out;
}
BySeed difference(const BySeed& a, const BySeed& b);
BySeed quotient(const BySeed& a, const BySeed& b);

Estimate over_seeds(const BySeed& values);
Moments moments_of(const BySeed& values);

/// One seed's value, or empty where it has none.
Value of_seed(const BySeed& values, std::size_t seed);

/// Columns `name`, `name`_low and `name`_high: a mean over seeds with its interval.
void add_columns(std::vector<Column>& columns, const std::string& name, const std::string& unit,
                 const std::string& meaning);
/// Their entries at the level that is shown; empty for no seeds.
void add_entries(std::vector<Value>& row, const BySeed& values);

}  // namespace perp::learning
