// A9: angles of words and positions during training.

#include <cmath>
#include <set>

#include "studies/learning/a9_apart.hpp"

namespace perp::learning {
namespace {

/// Of one step, by seed.
struct Angles {
  BySeed square, square_sd, z, centred, centred_sd, centred_z, cosine, cosine_sd, inside;
};

Angles angles_at(const Setting& setting, const Group& group, std::int64_t step) {
  Angles out;
  for (const auto& [seed, records] : group)
    for (const Coordinates* values : all_called(*records, "geometry")) {
      if (integer_at(*values, "step") != step) continue;
      const auto number = [&](const char* name) { return number_at(*values, name); };
      out.square[seed] = number("square");
      out.square_sd[seed] = number("square_sd");
      out.z[seed] = (number("square") - 1) / number("square_sd");
      out.centred[seed] = number("square_centred");
      out.centred_sd[seed] = number("square_centred_sd");
      out.centred_z[seed] = (number("square_centred") - 1) / number("square_centred_sd");
      out.cosine[seed] = number("cosine");
      out.cosine_sd[seed] = number("cosine_sd");
      out.inside[seed] = number("inside") * static_cast<double>(setting.width) / number("rank");
    }
  return out;
}

double mean(const BySeed& values) { return over_seeds(values).value; }

bool is_added(const Setting& setting) { return setting.arm.starts_with("add_") && setting.start == 1; }

std::int64_t last_step(const Group& group) {
  return integer_at(*all_called(*group.begin()->second, "geometry").back(), "step");
}

}  // namespace

Table angle_table(const std::map<Setting, Group>& groups) {
  Table table{"a9_angles.csv",
              {{"task", "", Kind::exact, "as in a9_terms.csv"},
               {"arm", "", Kind::exact, "positions added: fixed or learned"},
               {"width", "1", Kind::exact, "d"},
               {"step", "steps", Kind::exact, "steps of training"},
               {"moment", "", Kind::exact, "before, during or after training"}},
              {}};
  add_columns(table.columns, "square", "1", "mean square cosine of words and positions, times d; chance 1");
  table.columns.push_back(
      {"square_sd", "1", Kind::sampled,
       "its standard deviation if one table were turned at random, of one seed, mean over seeds"});
  add_columns(table.columns, "z", "standard deviations", "square less 1 over square_sd, seed by seed");
  add_columns(table.columns, "centred", "1",
              "mean square cosine of words and positions less their mean, times d; chance 1");
  table.columns.push_back(
      {"centred_sd", "1", Kind::sampled,
       "its standard deviation if one table were turned at random, of one seed, mean over seeds"});
  add_columns(table.columns, "centred_z", "standard deviations",
              "centred less 1 over centred_sd, seed by seed");
  add_columns(table.columns, "cosine", "1", "mean cosine of words and positions; chance 0");
  table.columns.push_back(
      {"cosine_sd", "1", Kind::sampled,
       "its standard deviation if one table were turned at random, of one seed, mean over seeds"});
  add_columns(table.columns, "inside", "1",
              "energy of words per direction that positions fill, over energy per direction of the space; "
              "chance 1");
  table.columns.push_back({"seeds", "1", Kind::exact, "runs"});
  for (const auto& [setting, group] : groups) {
    if (!is_added(setting)) continue;
    std::set<std::int64_t> steps;
    for (const Coordinates* values : all_called(*group.begin()->second, "geometry"))
      steps.insert(integer_at(*values, "step"));
    for (const std::int64_t step : steps) {
      const Angles angles = angles_at(setting, group, step);
      std::vector<Value> row{setting.task, setting.arm, whole(setting.width), step,
                             std::string(step == 0                 ? "before"
                                         : step == *steps.rbegin() ? "after"
                                                                   : "during")};
      add_entries(row, angles.square);
      row.emplace_back(mean(angles.square_sd));
      add_entries(row, angles.z);
      add_entries(row, angles.centred);
      row.emplace_back(mean(angles.centred_sd));
      add_entries(row, angles.centred_z);
      add_entries(row, angles.cosine);
      row.emplace_back(mean(angles.cosine_sd));
      add_entries(row, angles.inside);
      row.push_back(whole(group.size()));
      table.add(std::move(row));
    }
  }
  return table;
}

void add_angle_findings(const std::map<Setting, Group>& groups, std::vector<Finding>& findings) {
  for (const auto& [setting, group] : groups) {
    if (!is_added(setting)) continue;
    const Coordinates at = place(setting);
    const Angles before = angles_at(setting, group, 0), after = angles_at(setting, group, last_step(group));
    add_a9(findings, "square_before", at, before.square, 1,
           "Mean square cosine of words and positions, times d, before training, mean over seeds; chance: no "
           "relation, as is so by construction.");
    add_a9(findings, "square", at, after.square, 1,
           "Mean square cosine of words and positions, times d, after training, mean over seeds; chance: no "
           "relation.");
    add_a9(findings, "turned", at, difference(after.square, before.square), 0,
           "Mean square cosine of words and positions, times d, after training less before, mean over seeds; "
           "below chance: they turned away from each other.");
    add_a9(findings, "centred_before", at, before.centred, 1,
           "Mean square cosine of words and positions less their mean, times d, before training, mean over "
           "seeds; chance: no relation, as is so by construction.");
    add_a9(findings, "centred", at, after.centred, 1, "The same after training; chance: no relation.");
    add_a9(
        findings, "turned_centred", at, difference(after.centred, before.centred), 0,
        "The same after training less before; below chance: words turned away from what tells one position "
        "from another.");
    add_a9(findings, "cosine", at, after.cosine, 0,
           "Mean cosine of words and positions after training, mean over seeds; chance: no relation.");
    add_a9(findings, "inside", at, after.inside, 1,
           "Energy of words per direction that positions fill over energy per direction of the space, after "
           "training, mean over seeds; chance: no relation.");
  }
}

}  // namespace perp::learning
