// A9: what a linear reader finds.

#include <cmath>

#include "studies/learning/a9_apart.hpp"

namespace perp::learning {
namespace {

/// Of one place in the model, by seed.
struct Probe {
  BySeed word, word_chance, position, position_chance;
};

Probe probe_of(const Group& group, std::string_view where) {
  Probe out;
  for (const auto& [seed, records] : group)
    for (const Coordinates* values : all_called(*records, "probe")) {
      if (text_at(*values, "where") != where) continue;
      out.word[seed] = number_at(*values, "word");
      out.word_chance[seed] = number_at(*values, "word_chance");
      out.position[seed] = number_at(*values, "position");
      out.position_chance[seed] = number_at(*values, "position_chance");
    }
  return out;
}

double mean(const BySeed& values) { return over_seeds(values).value; }

}  // namespace

BySeed probed(const Group& group, std::string_view where, std::string_view what) {
  const Probe probe = probe_of(group, where);
  return what == "word" ? probe.word : probe.position;
}

Table probe_table(const std::map<Setting, Group>& groups) {
  Table table{
      "a9_probes.csv",
      {{"task", "", Kind::exact, "as in a9_terms.csv"},
       {"arm", "", Kind::exact,
        "add_fixed, add_learned: positions added; concat, concat_learned: beside the word; rotary: in "
        "the attention; none"},
       {"p", "1", Kind::exact, "dimensions of the position beside the word; 0: none of their own"},
       {"width", "1", Kind::exact, "d"},
       {"read_from", "", Kind::exact, "input: what enters the first block; output: what leaves the last"}},
      {}};
  add_columns(table.columns, "word", "share", "tokens whose word is read right");
  add_columns(table.columns, "word_chance", "share", "the same by who knows the token's position alone");
  add_columns(table.columns, "position", "share", "tokens whose position is read right");
  add_columns(table.columns, "position_chance", "share", "the same by who knows the token's word alone");
  table.columns.push_back(
      {"seeds", "1", Kind::exact, "runs; 4,096 tokens to learn from and to test on each"});
  for (const auto& [setting, group] : groups) {
    if (setting.start != 1) continue;
    for (const char* where : {"input", "output"}) {
      const Probe probe = probe_of(group, where);
      std::vector<Value> row{setting.task, setting.arm, whole(setting.position_width), whole(setting.width),
                             std::string(where)};
      for (const BySeed* values : {&probe.word, &probe.word_chance, &probe.position, &probe.position_chance})
        add_entries(row, *values);
      row.push_back(whole(group.size()));
      table.add(std::move(row));
    }
  }
  return table;
}

Table probe_seed_table(const std::map<Setting, Group>& groups) {
  Table table{"a9_seeds.csv",
              {{"task", "", Kind::exact, "as in a9_terms.csv"},
               {"arm", "", Kind::exact, "as in a9_probes.csv"},
               {"p", "1", Kind::exact, "dimensions of the position beside the word; 0: none of their own"},
               {"width", "1", Kind::exact, "d"},
               {"read_from", "", Kind::exact, "as in a9_probes.csv"},
               {"seed", "1", Kind::exact, "of words, weights and data; other data in another task"},
               {"word", "share", Kind::sampled, "tokens whose word is read right"},
               {"position", "share", Kind::sampled, "tokens whose position is read right"}},
              {}};
  for (const auto& [setting, group] : groups) {
    if (setting.start != 1) continue;
    for (const char* where : {"input", "output"}) {
      const Probe probe = probe_of(group, where);
      for (const auto& [seed, word] : probe.word)
        table.add({setting.task, setting.arm, whole(setting.position_width), whole(setting.width),
                   std::string(where), whole(seed), word, probe.position.at(seed)});
    }
  }
  return table;
}

void add_probe_findings(const std::map<Setting, Group>& groups, std::vector<Finding>& findings) {
  for (const auto& [setting, group] : groups) {
    if (setting.start != 1) continue;
    for (const char* where : {"input", "output"}) {
      const Probe probe = probe_of(group, where);
      Coordinates at = place(setting);
      at.emplace_back("where", std::string(where));
      add_a9(findings, "word", at, probe.word, mean(probe.word_chance),
             "Share of tokens whose word is read linearly after training, mean over seeds; chance: by who "
             "knows the position alone.");
      add_a9(
          findings, "position", at, probe.position, mean(probe.position_chance),
          "Share of tokens whose position is read linearly after training, mean over seeds; chance: by who "
          "knows the word alone.");
    }
  }
}

}  // namespace perp::learning
