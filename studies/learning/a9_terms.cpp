// A9: the scores of the first block, taken apart.

#include <array>
#include <cmath>

#include "studies/learning/a9_apart.hpp"
#include "studies/learning/geometry.hpp"

namespace perp::learning {
namespace {

/// Of one moment, by seed; shares of the sum of the four terms over all heads, the others means over heads.
struct Terms {
  BySeed word_word, word_position, position_word, position_position, mixed, distance, r2, two_before;
};

Terms terms_of(const Group& group, std::string_view name) {
  Terms out;
  for (const auto& [seed, records] : group) {
    const std::vector<const Coordinates*> heads = all_called(*records, name);
    if (heads.empty()) continue;
    double ww = 0, wp = 0, pw = 0, pp = 0, distance = 0, r2 = 0, two = 0;
    for (const Coordinates* head : heads) {
      ww += number_at(*head, "word_word");
      wp += number_at(*head, "word_position");
      pw += number_at(*head, "position_word");
      pp += number_at(*head, "position_position");
      distance += number_at(*head, "distance_only");
      r2 += number_at(*head, "r2");
      two += integer_at(*head, "lag") == -2 ? 1 : 0;
    }
    const double sum = ww + wp + pw + pp, n = static_cast<double>(heads.size());
    out.word_word[seed] = ww / sum;
    out.word_position[seed] = wp / sum;
    out.position_word[seed] = pw / sum;
    out.mixed[seed] = (wp + pw) / sum;
    out.position_position[seed] = pp / sum;
    out.distance[seed] = distance / sum;
    out.r2[seed] = r2 / n;
    out.two_before[seed] = two / n;
  }
  return out;
}

double mean(const BySeed& values) { return over_seeds(values).value; }

double null_of(const Setting& setting) { return distance_null(task_length, setting.task == "text"); }

}  // namespace

Table term_table(const std::map<Setting, Group>& groups) {
  Table table{"a9_terms.csv",
              {{"task", "", Kind::exact,
                "copy2: the word two places before; named: the word at a named place; bite: who bit whom; "
                "count: how often a word occurs; text: the next word"},
               {"arm", "", Kind::exact,
                "add_fixed, add_learned: positions added; concat, concat_learned: beside the word"},
               {"p", "1", Kind::exact, "dimensions of the position beside the word; 0: none of their own"},
               {"width", "1", Kind::exact, "d"},
               {"moment", "", Kind::exact, "before or after training"}},
              {}};
  const std::string of_sum = ", share of the sum of the four variances over all heads of the first block";
  add_columns(table.columns, "word_word", "share", "query's word with key's word" + of_sum);
  add_columns(table.columns, "word_position", "share", "query's word with key's position" + of_sum);
  add_columns(table.columns, "position_word", "share", "query's position with key's word" + of_sum);
  add_columns(table.columns, "position_position", "share", "query's position with key's position" + of_sum);
  add_columns(table.columns, "distance", "share", "of the last, a function of the distance alone" + of_sum);
  add_columns(table.columns, "r2", "share",
              "share of the position scores' variance, over pairs that attention may look at, that is a "
              "function of the distance alone, mean over heads");
  table.columns.push_back({"chance", "share", Kind::exact, "r2 of random scores"});
  add_columns(table.columns, "two_before", "share",
              "heads whose largest mean position score is at the distance two before");
  table.columns.push_back({"seeds", "1", Kind::exact, "runs"});
  for (const auto& [setting, group] : groups)
    for (const char* moment : {"before", "after"}) {
      const Terms terms = terms_of(group, std::string_view(moment) == "before" ? "head_start" : "head");
      if (terms.r2.empty() || setting.start != 1) continue;
      std::vector<Value> row{setting.task, setting.arm, whole(setting.position_width), whole(setting.width),
                             std::string(moment)};
      for (const BySeed* values : {&terms.word_word, &terms.word_position, &terms.position_word,
                                   &terms.position_position, &terms.distance, &terms.r2})
        add_entries(row, *values);
      row.emplace_back(null_of(setting));
      add_entries(row, terms.two_before);
      row.push_back(whole(group.size()));
      table.add(std::move(row));
    }
  return table;
}

void add_term_findings(const std::map<Setting, Group>& groups, std::vector<Finding>& findings) {
  for (const auto& [setting, group] : groups) {
    const Terms before = terms_of(group, "head_start"), after = terms_of(group, "head");
    if (after.r2.empty() || setting.start != 1) continue;
    const Coordinates at = place(setting);
    add_a9(findings, "word_word", at, after.word_word, mean(before.word_word),
           "Share of words with words in the variance of the first block's scores after training, mean over "
           "seeds; theory: before training.");
    add_a9(findings, "mixed", at, after.mixed, mean(before.mixed),
           "Share of words with positions and positions with words, likewise.");
    add_a9(findings, "position_position", at, after.position_position, mean(before.position_position),
           "Share of positions with positions, likewise.");
    add_a9(findings, "mixed_change", at, difference(after.mixed, before.mixed), 0,
           "Share of words with positions and positions with words, after training less before, mean over "
           "seeds; below chance: attention took them apart.");
    add_a9(findings, "r2", at, after.r2, null_of(setting),
           "Share of the position scores' variance that is a function of the distance alone, after training, "
           "mean over heads and seeds; theory: random scores.");
    add_a9(findings, "r2_before", at, before.r2, null_of(setting),
           "The same of the same heads before training; theory: random scores, which smooth positions "
           "surpass.");
    add_a9(findings, "r2_change", at, difference(after.r2, before.r2), 0,
           "The same after training less before, mean over seeds; chance: training makes no difference.");
    if (setting.task == "copy2")
      add_a9(findings, "two_before", at, after.two_before, mean(before.two_before),
             "Share of the heads whose largest mean position score is two places before, after training; "
             "theory: before it.");
  }
}

}  // namespace perp::learning
