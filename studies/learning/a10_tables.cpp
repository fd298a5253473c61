// A10: tables.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "studies/learning/a10_arms.hpp"
#include "studies/learning/a10_chance.hpp"
#include "studies/learning/claims.hpp"

namespace perp::learning {
namespace {

/// A sampled column and the two of its interval.
void add_columns(std::vector<Column>& columns, const std::string& name, const std::string& unit,
                 const std::string& meaning) {
  columns.push_back({name, unit, Kind::sampled, meaning, name + "_low", name + "_high"});
  for (const char* end : {"_low", "_high"})
    columns.push_back({name + end, unit, Kind::sampled, "end of its 99 % interval"});
}
void add_values(std::vector<Value>& row, const Estimate& estimate) {
  row.push_back(estimate.value);
  row.push_back(estimate.low.value_or(std::nan("")));
  row.push_back(estimate.high.value_or(std::nan("")));
}

std::vector<Column> place_columns() {
  return {{"task", "", Kind::exact,
           "copyN: the word N before; named: the word at a named place; bite: who bit whom; count: how often "
           "this word stands here"},
          {"arm", "", Kind::exact,
           "add: word + position; concat: word and position of d - d_p and d_p dimensions; project: "
           "concatenated, then mapped to d; rotary; none. fixed or nothing: sinusoids, learned: a table"},
          {"position_width", "1", Kind::exact, "d_p: dimensions of a concatenated position; 0 otherwise"},
          {"width", "1", Kind::exact, "d: dimensions of a token"}};
}
std::vector<Value> place_of(const Trained& runs) {
  return {runs.task, runs.arm, whole(runs.position_width), whole(runs.width)};
}

Estimate accuracy_of(const Trained& runs) { return over_seeds(runs.accuracy, 0, 1); }
Estimate steps_of(const Trained& runs) {
  return over_seeds(runs.learned_at, 1, static_cast<double>(runs.steps + 1));
}

const char* const steps_meaning =
    "steps until 90 % of the answers of ten batches in a row were right, mean over seeds; a run that never "
    "got "
    "there counts as one step more than it made";

Table arms_table(const std::vector<Trained>& all) {
  Table table{"a10_arms.csv", place_columns(), {}};
  std::vector<Column>& columns = table.columns;
  columns.push_back({"depth", "1", Kind::exact, "blocks"});
  columns.push_back({"part", "share", Kind::exact, "d_p / d"});
  add_columns(columns, "accuracy", "1", "share right on sequences not learned from, mean over seeds");
  add_columns(columns, "steps", "steps", steps_meaning);
  add_columns(columns, "learned", "1", "share of the seeds that got there (interval: Wilson)");
  columns.push_back({"budget", "steps", Kind::exact, "steps made"});
  columns.push_back({"seeds", "1", Kind::exact, "runs, each from weights and data of its own"});
  columns.push_back({"order_blind", "1", Kind::rounded,
                     "share right of the best guesser who sees a sequence's words and not their order"});
  columns.push_back({"constant", "1", Kind::rounded, "share right of always giving the likeliest answer"});
  for (const Trained* runs : compared(all)) {
    std::vector<Value> row = place_of(*runs);
    row.push_back(whole(runs->depth));
    row.push_back(static_cast<double>(runs->position_width) / static_cast<double>(runs->width));
    for (const Estimate& estimate : {accuracy_of(*runs), steps_of(*runs), learned_share_of(*runs)})
      add_values(row, estimate);
    row.insert(row.end(), {whole(runs->steps), whole(runs->seeds.size()), order_blind_share(runs->task),
                           constant_share(runs->task)});
    table.add(std::move(row));
  }
  return table;
}

Table pairs_table(const std::vector<Trained>& all) {
  Table table{"a10_pairs.csv",
              {{"task", "", Kind::exact, "as in a10_arms.csv"},
               {"pair", "", Kind::exact, "the two arms' name in findings"},
               {"first", "", Kind::exact, "an arm, and its d_p where it concatenates"},
               {"second", "", Kind::exact, "the arm that it is compared with"},
               {"width", "1", Kind::exact, "d"},
               {"depth", "1", Kind::exact, "blocks"}},
              {}};
  add_columns(table.columns, "gain", "1", "accuracy of the first less the second's, paired by seed");
  add_columns(table.columns, "saved", "steps",
              "steps to 90 % of the second less the first's, paired by seed; steps + 1 where it was not "
              "reached");
  table.columns.push_back({"better", "", Kind::sampled,
                           "first or second: the one whose accuracy the interval says is higher; even: it "
                           "holds zero"});
  table.columns.push_back({"seeds", "1", Kind::exact, "pairs of runs"});
  std::vector<Compared> rows = comparisons(all);
  std::ranges::stable_sort(rows, {}, [](const Compared& compared) { return compared.pair; });
  for (const Compared& compared : rows) {
    const double most = static_cast<double>(compared.first->steps);
    const Estimate gain = over_seeds(compared.gain, -1, 1);
    const auto [first, second] = arms_of(compared.pair);
    std::vector<Value> row{compared.first->task,         std::string(compared.pair),  first, second,
                           whole(compared.first->width), whole(compared.first->depth)};
    add_values(row, gain);
    add_values(row, over_seeds(compared.saved, -most, most));
    row.push_back(std::string(gain.low > 0.0 ? "first" : gain.high && gain.high < 0.0 ? "second" : "even"));
    row.push_back(whole(compared.gain.size()));
    table.add(std::move(row));
  }
  return table;
}

}  // namespace

Table seeds_table(const std::vector<Trained>& all) {
  Table table{
      "a10_seeds.csv",
      {{"task", "", Kind::exact, "as in a10_arms.csv"},
       {"pair", "", Kind::exact, "as in a10_pairs.csv"},
       {"width", "1", Kind::exact, "d"},
       {"depth", "1", Kind::exact, "blocks"},
       {"seed", "1", Kind::exact, "of words, weights and data; other data in another task"},
       {"first_accuracy", "1", Kind::sampled, "accuracy of the first arm"},
       {"second_accuracy", "1", Kind::sampled, "accuracy of the second"},
       {"first_steps", "steps", Kind::sampled, "steps to 90 % of the first arm; steps + 1: not reached"},
       {"second_steps", "steps", Kind::sampled, "steps to 90 % of the second"}},
      {}};
  std::vector<Compared> rows = comparisons(all);
  std::ranges::stable_sort(rows, {}, [](const Compared& compared) { return compared.pair; });
  for (const Compared& compared : rows)
    for (std::size_t i = 0; i < compared.first->seeds.size(); ++i)
      table.add({compared.first->task, std::string(compared.pair), whole(compared.first->width),
                 whole(compared.first->depth), whole(compared.first->seeds[i]), compared.first->accuracy[i],
                 compared.second->accuracy[i], compared.first->learned_at[i],
                 compared.second->learned_at[i]});
  return table;
}

namespace {

Table splits_table(const std::vector<Trained>& all) {
  Table table{"a10_splits.csv",
              {{"arm", "", Kind::exact, "concat: sinusoids of d_p dimensions; add_fixed, add_learned: added"},
               {"position_width", "1", Kind::exact, "d_p of 32; 0: added"}},
              {}};
  add_columns(table.columns, "accuracy", "1", "share right on copy2, mean over seeds");
  add_columns(table.columns, "steps", "steps", steps_meaning);
  table.columns.push_back({"learned", "1", Kind::sampled, "share of the seeds that got there"});
  table.columns.push_back(
      {"chosen", "1", Kind::sampled, "seeds for which the other seeds learn fastest with this split"});
  std::vector<const Trained*> rows = splits(all);
  const std::vector<const Trained*> chosen = best_splits(rows);
  for (const char* arm : {"add_fixed", "add_learned"})
    rows.push_back(trained(all, "copy2", arm, 0, split_width));
  for (const Trained* runs : rows) {
    std::vector<Value> row{runs->arm, whole(runs->position_width)};
    add_values(row, accuracy_of(*runs));
    add_values(row, steps_of(*runs));
    row.push_back(learned_share_of(*runs).value);
    row.push_back(whole(static_cast<std::size_t>(std::ranges::count(chosen, runs))));
    table.add(std::move(row));
  }
  return table;
}

Table curves_table(const std::vector<Trained>& all) {
  Table table{"a10_curves.csv", place_columns(), {}};
  table.columns.push_back({"part", "share", Kind::exact, "d_p / d"});
  table.columns.push_back({"step", "steps", Kind::exact, "steps made"});
  add_columns(table.columns, "accuracy", "1",
              "share right on the batches since the row before, each new and answered before it was learned "
              "from; mean over seeds");
  for (const Trained* runs : compared(all)) {
    if (runs->depth != 1) continue;
    for (std::size_t i = 0; i < runs->curve_steps.size(); ++i) {
      std::vector<double> values;
      for (const std::vector<double>& curve : runs->curve) values.push_back(curve[i]);
      std::vector<Value> row = place_of(*runs);
      row.push_back(static_cast<double>(runs->position_width) / static_cast<double>(runs->width));
      row.push_back(whole(runs->curve_steps[i]));
      add_values(row, over_seeds(values, 0, 1));
      table.add(std::move(row));
    }
  }
  return table;
}

Table parameters_table(const std::vector<Trained>& all) {
  Table table{"a10_parameters.csv", place_columns(), {}};
  table.columns.push_back({"depth", "1", Kind::exact, "blocks"});
  table.columns.push_back({"inner", "1", Kind::exact, "parameters of all but the embedding"});
  table.columns.push_back({"embedding", "1", Kind::exact,
                           "parameters of the embedding that are learned: words, positions unless they are "
                           "sinusoids, a projection"});
  for (const Trained& runs : all) {
    std::vector<Value> row = place_of(runs);
    row.insert(row.end(),
               {whole(runs.depth), whole(runs.inner_parameters), whole(runs.embedding_parameters)});
    table.add(std::move(row));
  }
  return table;
}

Table text_table(const std::vector<Trained>& all, double unigram_perplexity) {
  Table table{"a10_text.csv",
              {{"arm", "", Kind::exact, "as in a10_arms.csv; concat with d_p = d/4"},
               {"position_width", "1", Kind::exact, "d_p"},
               {"width", "1", Kind::exact, "d"}},
              {}};
  add_columns(table.columns, "perplexity", "1",
              "of the next word in the part not learned from: e to the mean surprise, in nats, over seeds");
  add_columns(table.columns, "ratio", "1", "its perplexity over concat's, paired by seed");
  table.columns.push_back({"seeds", "1", Kind::exact, "runs"});
  table.columns.push_back({"unigram", "1", Kind::rounded,
                           "perplexity of whoever knows how frequent each word is and nothing else"});
  for (const Trained& runs : all) {
    if (runs.task != "text") continue;
    std::vector<Value> row{runs.arm, whole(runs.position_width), whole(runs.width)};
    add_values(row, perplexity_of(runs));
    add_values(row, perplexity_ratio(runs, all));
    row.insert(row.end(), {whole(runs.seeds.size()), unigram_perplexity});
    table.add(std::move(row));
  }
  return table;
}

}  // namespace

std::vector<Table> arm_tables(const std::vector<Trained>& all, double unigram_perplexity) {
  std::vector<Table> tables{arms_table(all),   pairs_table(all),  seeds_table(all),
                            splits_table(all), curves_table(all), parameters_table(all)};
  Table text = text_table(all, unigram_perplexity);
  if (!text.rows.empty()) tables.push_back(std::move(text));
  return tables;
}

}  // namespace perp::learning
