#include "studies/learning/a8_paths.hpp"

#include <cmath>

namespace perp::learning {
namespace {

const Value* find_value(const Coordinates& at, std::string_view name) {
  for (const auto& [key, value] : at)
    if (key == name) return &value;
  return nullptr;
}

/// The value of every run's record that `choose` takes from those of one name.
template <class Choose>
BySeed chosen(const Group& group, std::string_view name, std::string_view value, Choose choose) {
  BySeed out;
  for (const auto& [seed, records] : group) {
    const std::vector<const Coordinates*> all = all_called(*records, name);
    if (all.empty()) continue;
    if (const Value* found = find_value(*choose(all), value)) out[seed] = to_number(*found);
  }
  return out;
}

std::vector<double> alone(const BySeed& values) {
  std::vector<double> out;
  for (const auto& [seed, value] : values) out.push_back(value);
  return out;
}

}  // namespace

Coordinates place(const Setting& setting) {
  Coordinates at{{"task", setting.task}, {"arm", setting.arm}};
  if (setting.position_width > 0) at.emplace_back("p", whole(setting.position_width));
  if (setting.task != "text") at.emplace_back("width", whole(setting.width));
  if (setting.start != 1) at.emplace_back("start", setting.start);
  return at;
}

Setting in_arm(const Setting& setting, std::string_view arm) {
  Setting other = setting;
  other.arm = arm;
  other.position_width = 0;
  return other;
}

std::map<Setting, Group> groups_of(const std::vector<CellRecords>& cells) {
  std::map<Setting, Group> groups;
  for (const CellRecords& cell : cells) {
    const Run run = run_of(cell.cell.at);
    if (run.depth == 1)
      groups[{run.task, run.arm, run.position_width, run.width, run.start}][run.seed] = &cell.records;
  }
  return groups;
}

std::vector<const Coordinates*> all_called(const Records& records, std::string_view name) {
  std::vector<const Coordinates*> out;
  for (const Record& record : records)
    if (record.name == name) out.push_back(&record.values);
  return out;
}

BySeed first_of(const Group& group, std::string_view name, std::string_view value) {
  return chosen(group, name, value, [](const auto& all) { return all.front(); });
}
BySeed last_of(const Group& group, std::string_view name, std::string_view value) {
  return chosen(group, name, value, [](const auto& all) { return all.back(); });
}

BySeed difference(const BySeed& a, const BySeed& b) {
  return paired(a, b, [](double x, double y) { return x - y; });
}
BySeed quotient(const BySeed& a, const BySeed& b) {
  return paired(a, b, [](double x, double y) { return x / y; });
}

Estimate over_seeds(const BySeed& values) { return over_seeds(alone(values)); }
Moments moments_of(const BySeed& values) { return moments_of(alone(values)); }

Value of_seed(const BySeed& values, std::size_t seed) {
  const auto found = values.find(seed);
  return found == values.end() ? std::nan("") : found->second;
}

void add_columns(std::vector<Column>& columns, const std::string& name, const std::string& unit,
                 const std::string& meaning) {
  columns.push_back(
      {name, unit, Kind::sampled, meaning + ", mean over seeds", name + "_low", name + "_high"});
  for (const char* end : {"_low", "_high"})
    columns.push_back({name + end, unit, Kind::sampled, "Student's t over seeds, 99 %"});
}

void add_entries(std::vector<Value>& row, const BySeed& values) {
  const double none = std::nan("");
  const Estimate estimate = values.empty() ? Estimate{none} : over_seeds(values);
  row.insert(row.end(), {estimate.value, estimate.low.value_or(none), estimate.high.value_or(none)});
}

}  // namespace perp::learning
