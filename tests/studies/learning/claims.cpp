// What rounding cannot reach: which runs there are; what is looked at after one step, and the loss then and after ten, of
// every arm and task; of the quick preset all that is exact, with verdicts and rules, the rest by its intervals, because
// rounding grows; and what the claims make of records that nobody measured, number by number: tests/support/golden.hpp.

#include "studies/learning/claims.hpp"

#include <map>
#include <set>

#include "tests/studies/learning/quick.hpp"

using namespace perp;
using namespace perp::learning;
using namespace perp::test;

namespace {

/// One row per arm, task and number of steps: sizes, and the losses on the same test.
Table first_steps() {
  Table table{"first_steps.csv",
              {{"task", ""},
               {"arm", ""},
               {"positions", ""},
               {"position_width", "1"},
               {"steps", "1"},
               {"inner_parameters", "1"},
               {"embedding_parameters", "1"},
               {"learned_at", "1"},
               {"nats", "1", Kind::sampled, "mean loss of the test"}},
              {}};
  for (const std::string_view task : tasks)
    for (const Arm& arm : every_arm)
      for (const std::size_t steps : {1U, 10U}) {
        const Row run =
            end_of(trained(run_of(task, arm, {.width = 16, .steps = steps, .rate = 0.05, .until = "end"})));
        table.add({run.text("task"), run.text("arm"), run.text("positions"), run["position_width"].value,
                   whole(steps), run["inner_parameters"].value, run["embedding_parameters"].value,
                   run["learned_at"].value, run.number("nats")});
      }
  return table;
}

/// The settings of a preset's lists, each with how many seeds.
Table runs_of(Preset preset) {
  const Options options = options_of(preset);
  Table table{fmt::format("runs_{}.csv", to_text(preset)), {{"list", "1"}, {"run", ""}, {"seeds", "1"}}, {}};
  const auto but_its_seed = [](Run run) {
    run.seed = 0;
    return name_of(run);
  };
  const std::vector<Runs> lists{measured_runs(options), looked_at_runs(options), small_start_runs(options),
                                control_runs(options)};
  for (std::size_t list = 0; list < lists.size(); ++list) {
    std::vector<std::string> settings;
    std::map<std::string, std::set<std::size_t>> seeds;
    for (const Run& run : lists[list]) {
      if (!seeds.contains(but_its_seed(run))) settings.push_back(but_its_seed(run));
      seeds[but_its_seed(run)].insert(run.seed);
    }
    for (const std::string& one : settings) table.add({whole(list), one, whole(seeds.at(one).size())});
  }
  return table;
}

/// What is looked at before training and after one step, of each kind of record a table.
std::vector<Table> first_looks() {
  std::map<std::string, Table> tables;
  for (const Arm& arm :
       {Arm{"add", "centred"}, Arm{"add", "learned"}, Arm{"concat", "centred", 8}, Arm{"none"}})
    for (const Record& record :
         trained(run_of("copy2", arm, {.width = 16, .steps = 1, .rate = 2, .until = "end"})).records) {
      Table& table = tables.try_emplace(record.name, Table{record.name + ".csv", {}, {}}).first->second;
      const bool is_first = table.columns.empty();
      std::vector<Value> row;
      for (const auto& [name, value] : record.values) {
        if (is_first) table.columns.push_back({name, "1", Kind::sampled, ""});
        row.push_back(value);
      }
      table.add(row);
    }
  std::vector<Table> looks;
  for (auto& [name, table] : tables) looks.push_back(table);
  return looks;
}

/// What training comes to: the words' length and their overlap with the positions of step 0, both over what
/// they were; their energy inside the positions' quarter of all directions; the overlap with the positions of
/// the moment; and the shares that probes read of the sum.
struct Made {
  double growth = 1, turned = 1, inside = 0.25, overlap = 1, word = 0.95, position = 0.95;
};

/// Seeds start far apart. Of the two overlaps with positions of step 0 only the one with the run's own means
/// it; a model without positions beside its words has both.
void add_look(const Run& run, std::size_t step, const Made& made, Out& out) {
  const double first = 1.0 + double(run.seed), norm = run.start * std::sqrt(double(run.width)) * made.growth,
               leading = step == 0 ? 1 : 4 * made.inside - (run.seed % 2 ? 0.6 : 0.4);
  const bool is_added = run.arm == "add", has_overlap = run.arm != "concat";
  out("Geometry", {{"step", step},
                   {"word_norm", norm},
                   {"ratio", is_added ? 4 / norm : NAN},
                   {"rank", has_overlap ? double(run.width) / 4 : NAN},
                   {"inside", has_overlap ? made.inside : NAN},
                   {"overlap", is_added ? made.overlap : NAN},
                   {"leading", is_added ? leading : NAN},
                   {"overlap_centred", !has_overlap                 ? NAN
                                       : run.positions == "learned" ? 77
                                                                    : first * made.turned},
                   {"overlap_learned", !has_overlap                 ? NAN
                                       : run.positions == "centred" ? 77
                                                                    : 5 * first * made.turned}});
}

void add_head(const char* moment, std::size_t index, const std::array<double, 4>& terms, Out& out) {
  out("HeadScores", {{"moment", moment},
                     {"head", index},
                     {"word_word", terms[0]},
                     {"word_position", terms[1]},
                     {"position_word", terms[2]},
                     {"position_position", terms[3]}});
}

CellRecords made(const Run& run, const Made& end) {
  return cell_with(run, [&](Out& out) {
    // Before training the overlap is 1 ± .1 by turns, on the way it goes elsewhere.
    add_look(run, 0, {.overlap = run.seed % 2 ? 1.1 : 0.9}, out);
    add_look(run, 10, {.overlap = 7}, out);
    add_look(run, run.steps / 2, {.overlap = 5}, out);
    add_look(run, run.steps, end, out);
    out("Probe", {{"moment", "before"}, {"word", 0.6}, {"position", 0.7}});
    out("Probe", {{"moment", "after"}, {"word", end.word}, {"position", end.position}});
    add_end(1, NAN, out);
    // Shares of the sum over heads: (5, 4, 4, 3)/16 before, (2, 1, 1, 6)/10 after, of words that do not grow.
    if (run.positions == "none") return;
    add_head("before", 0, {4, 3, 3, 2}, out);
    add_head("before", 1, {1, 1, 1, 1}, out);
    add_head("after", 0, {end.growth, 1, 1, 5}, out);
    add_head("after", 1, {end.growth, 0, 0, 1}, out);
  });
}

/// Findings and tables of all claims from records of three seeds, no two of which agree. Of A10 the full
/// preset, of which a tenth of the runs does not learn.
Outcome of_records() {
  Picks picks(5);
  const auto between = [&picks](double low, double high) {
    return low + (high - low) * double(picks.below(1000)) / 1000;
  };
  const auto some = [&](const Run& run) {
    return made(run, {between(0.5, 2), between(0.5, 2), between(0.2, 0.3), between(0.5, 2), between(0.5, 1),
                      between(0.5, 1)});
  };
  const auto end = [&](const Run& run) {
    return cell_with(run, [&](Out& out) { add_end(1 + picks.below(1111), NAN, out); });
  };
  const Options quick = options_of(Preset::quick);
  Outcome all;
  for (const Outcome& outcome :
       {outcome_of(growing_words(quick), 3, some), outcome_of(kept_apart(quick), 3, some),
        outcome_of(who_learns(options_of(Preset::full), {}), 3, end)}) {
    all.findings.insert(all.findings.end(), outcome.findings.begin(), outcome.findings.end());
    all.tables.insert(all.tables.end(), outcome.tables.begin(), outcome.tables.end());
  }
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(learning_golden)

BOOST_AUTO_TEST_CASE(ten_steps) { check("steps", {{}, {first_steps()}, {}}); }

BOOST_AUTO_TEST_CASE(grid) {
  check("runs", {{}, {runs_of(Preset::quick), runs_of(Preset::full), runs_of(Preset::long_)}, {}});
}

BOOST_AUTO_TEST_CASE(one_step) { check("looks", {{}, first_looks(), {}}); }

BOOST_AUTO_TEST_CASE(summaries) { check("records", of_records()); }

BOOST_AUTO_TEST_CASE(quick_preset) {
  check_golden("learning", merged(learning::study().claims, results_of), report::Common::definitions);
}

BOOST_AUTO_TEST_SUITE_END()
