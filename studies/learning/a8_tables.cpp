// A8: paths and tables.

#include "studies/learning/a8_tables.hpp"

#include <cmath>

#include "perp/theory/recovery.hpp"

namespace perp::learning {
namespace {

/// Words of a task; of a text, the rows of the table in a model without positions, NaN if there is none.
double words_of(const Setting& setting, const Groups& groups) {
  if (setting.task != "text") return static_cast<double>(task_of(setting.task).words);
  const auto alone = groups.find(in_arm(setting, "none"));
  if (alone == groups.end()) return std::nan("");
  const Coordinates& run = *all_called(*alone->second.begin()->second, "run").front();
  return number_at(run, "embedding_parameters") / static_cast<double>(setting.width);
}

/// A record's values at one step, by seed: f of them.
template <class F>
BySeed at_step(const Group& group, std::int64_t step, F f) {
  BySeed out;
  for (const auto& [seed, records] : group)
    for (const Coordinates* values : all_called(*records, "geometry"))
      if (integer_at(*values, "step") == step) out[seed] = f(*values);
  return out;
}

/// Reads one value.
auto named(std::string_view name) {
  return [name](const Coordinates& values) { return number_at(values, name); };
}

bool has(const Coordinates& values, std::string_view name) {
  for (const auto& [key, value] : values)
    if (key == name) return true;
  return false;
}

std::vector<Column> place_columns() {
  return {{"task", "", Kind::exact,
           "copy2: the word two places before; named: the word at a named place; bite: who bit whom; count: "
           "how often a word occurs; text: the next word"},
          {"arm", "", Kind::exact,
           "add_fixed, add_learned: positions added; concat, concat_learned: beside the word; rotary: in the "
           "attention; none"},
          {"p", "1", Kind::exact, "dimensions of the position beside the word; 0: none of their own"},
          {"width", "1", Kind::exact, "d"},
          {"start", "1", Kind::exact, "standard deviation of a word's entries before training"}};
}

std::vector<Value> place_entries(const Setting& setting) {
  return {setting.task, setting.arm, whole(setting.position_width), whole(setting.width), setting.start};
}

void add_measured_columns(std::vector<Column>& columns) {
  add_columns(columns, "growth", "1", "length of the words over that before training");
  add_columns(columns, "excess", "1", "growth over that of the same seed's words without positions");
  add_columns(columns, "ratio", "1", "length of positions over length of words, where they are added");
  columns.push_back(
      {"knee", "1", Kind::exact, "√(d/(2 ln V)), V the words of the task; where positions are added"});
  add_columns(columns, "inside", "1",
              "energy of words per direction that positions (without them: sinusoids) fill, over energy per "
              "direction of the space; chance 1");
}

void add_measured(std::vector<Value>& row, const Setting& setting, const Paths& paths, const Groups& groups,
                  std::int64_t step) {
  add_entries(row, paths.growth(step));
  add_entries(row, excess(setting, groups, step));
  add_entries(row, paths.ratio(step));
  row.push_back(knee(setting, groups));
  add_entries(row, paths.inside(step));
}

}  // namespace

Paths::Paths(const Setting& setting, const Group& group) : setting_(setting), group_(group) {
  const std::vector<const Coordinates*> all = all_called(*group.begin()->second, "geometry");
  has_inside_ = has(*all.front(), "inside");
  has_ratio_ = setting.arm.starts_with("add_");
  for (const Coordinates* values : all) steps_.insert(integer_at(*values, "step"));
}

BySeed Paths::norm(std::int64_t step) const { return at_step(group_, step, named("word_norm")); }

BySeed Paths::growth(std::int64_t step) const { return quotient(norm(step), norm(0)); }

BySeed Paths::ratio(std::int64_t step) const {
  return has_ratio_ ? at_step(group_, step, named("ratio")) : BySeed{};
}

BySeed Paths::inside(std::int64_t step) const {
  return has_inside_ ? quotient(at_step(group_, step, named("inside")), chance(step)) : BySeed{};
}

BySeed Paths::chance(std::int64_t step) const {
  const double d = static_cast<double>(setting_.width);
  return has_inside_ ? at_step(group_, step, [d](const Coordinates& v) { return number_at(v, "rank") / d; })
                     : BySeed{};
}

BySeed excess(const Setting& setting, const Groups& groups, std::int64_t step) {
  const auto alone = groups.find(in_arm(setting, "none"));
  if (alone == groups.end() || alone->first == setting) return {};
  return quotient(Paths(setting, groups.at(setting)).growth(step),
                  Paths(alone->first, alone->second).growth(step));
}

double knee(const Setting& setting, const Groups& groups) {
  const double words = words_of(setting, groups);
  if (!setting.arm.starts_with("add_") || std::isnan(words)) return std::nan("");
  return theory::recovery_knee(setting.width, words);
}

Table path_table(const Groups& groups) {
  Table table{"a8_paths.csv", place_columns(), {}};
  table.columns.push_back({"step", "steps", Kind::exact, "steps of training"});
  add_columns(table.columns, "norm", "1", "length of the words, root mean square");
  add_measured_columns(table.columns);
  for (const auto& [setting, group] : groups) {
    const Paths paths(setting, group);
    for (const std::int64_t step : paths.steps()) {
      std::vector<Value> row = place_entries(setting);
      row.emplace_back(step);
      add_entries(row, paths.norm(step));
      add_measured(row, setting, paths, groups, step);
      table.add(std::move(row));
    }
  }
  return table;
}

Table end_table(const Groups& groups) {
  Table table{"a8_end.csv", place_columns(), {}};
  add_measured_columns(table.columns);
  add_columns(table.columns, "chance", "share",
              "r/d: share of a random word's energy that lies in the directions of positions");
  table.columns.push_back({"seeds", "1", Kind::exact, "runs, each with words and data of its own"});
  for (const auto& [setting, group] : groups) {
    const Paths paths(setting, group);
    std::vector<Value> row = place_entries(setting);
    add_measured(row, setting, paths, groups, paths.end());
    add_entries(row, paths.chance(paths.end()));
    row.push_back(whole(group.size()));
    table.add(std::move(row));
  }
  return table;
}

Table seed_table(const Groups& groups) {
  Table table{"a8_seeds.csv", place_columns(), {}};
  std::vector<Column>& columns = table.columns;
  columns.push_back({"seed", "1", Kind::exact, "of words, weights and data; other data in another task"});
  for (const auto& [name, meaning] :
       {std::pair{"growth", "length of the words over that before training"},
        std::pair{"excess", "growth over that of the same seed's words without positions"},
        std::pair{"ratio", "length of positions over length of words, where they are added"},
        std::pair{"inside", "energy of words per direction that positions fill, over energy per direction"}})
    columns.push_back({name, "1", Kind::sampled, meaning});
  for (const auto& [setting, group] : groups) {
    const Paths paths(setting, group);
    const BySeed beside = excess(setting, groups, paths.end());
    for (const auto& [seed, records] : group) {
      std::vector<Value> row = place_entries(setting);
      row.insert(row.end(),
                 {whole(seed), of_seed(paths.growth(paths.end()), seed), of_seed(beside, seed),
                  of_seed(paths.ratio(paths.end()), seed), of_seed(paths.inside(paths.end()), seed)});
      table.add(std::move(row));
    }
  }
  return table;
}

}  // namespace perp::learning
