// A9: the arithmetic on records known by heart, and the quick preset.

#include <cmath>

#include "studies/learning/claims.hpp"
#include "studies/learning/geometry.hpp"
#include "studies/learning/training.hpp"
#include "tests/learning/quick.hpp"

using namespace perp;
using namespace perp::learning;
using namespace perp::test;

namespace {

HeadScores head(const char* moment, std::size_t index, double ww, double wp, double pw, double pp, double r2,
                std::int64_t lag) {
  HeadScores scores;
  scores.moment = moment;
  scores.head = index;
  scores.word_word = ww;
  scores.word_position = wp;
  scores.position_word = pw;
  scores.position_position = pp;
  scores.distance_only = r2 * pp;
  scores.r2 = r2;
  scores.lag = lag;
  return scores;
}

/// What a run came to: its words' overlap with the positions of step 0, over what it was before, and the
/// shares that probes read of its sum.
struct Made {
  double turned = 1, word = 0.95, position = 0.95;
};
using Runs_made = std::function<Made(const Run&)>;

/// Seeds start far apart. Of the two overlaps that are kept only the one with the run's own positions means
/// it; a model without positions has both.
Geometry look(const Run& run, std::size_t step, double turned) {
  const double start = 1.0 + double(run.seed);
  Geometry at;
  at.step = step;
  at.cosine = 0;
  at.overlap = run.arm == "add" ? start * 2 : NAN;
  at.overlap_centred = run.positions == "learned" ? 77 : start * turned;
  at.overlap_learned = run.positions == "centred" ? 77 : 5 * start * turned;
  return at;
}

std::vector<CellRecords> all_made(const Runs_made& made, std::size_t seeds) {
  std::vector<CellRecords> cells;
  for (const Run& run : with_seeds({looked_at_runs(quick_options())}, seeds)) {
    const Made what = made(run);
    const auto probe = [&](const char* moment, const char* where) {
      const bool read = moment == std::string_view("after") && where == std::string_view("input");
      return Probe{{}, moment, where, read ? what.word : 0.6, read ? what.position : 0.7, 0.03, 0.04};
    };
    cells.push_back(kept(run, look(run, 0, 1), look(run, run.steps, what.turned),
                         // Shares of the sum over heads: (5, 4, 4, 3)/16 before, (2, 1, 1, 6)/10 after.
                         head("before", 0, 4, 3, 3, 2, 0.1, 4), head("before", 1, 1, 1, 1, 1, 0.3, -2),
                         head("after", 0, 1, 1, 1, 5, 0.5, -2), head("after", 1, 1, 0, 0, 1, 0.7, -2),
                         probe("before", "input"), probe("before", "output"), probe("after", "input"),
                         probe("after", "output")));
  }
  return cells;
}

Outcome outcome_of(const Runs_made& made, std::size_t seeds = 8) {
  return kept_apart(quick_options()).summarise(all_made(made, seeds));
}

/// Words turn away from added positions by half, and from nothing by a fifth.
Made apart(const Run& run) { return {run.arm == "add" ? 0.5 : 0.8}; }

}  // namespace

BOOST_AUTO_TEST_SUITE(learning_a9)

BOOST_AUTO_TEST_CASE(training_is_compared_with_the_same_model_before) {
  const Outcome outcome = outcome_of(apart, 3);
  const auto is = [&](const std::string& measure, double value, double theory) {
    const Finding& found = named(outcome, "A9." + measure);
    BOOST_TEST_CONTEXT(found.id) {
      near(found.value, value);
      near(*found.theory, theory);
    }
  };
  is("mixed.named.add.centred.width32", 2.0 / 10, 8.0 / 16);
  is("position_position.named.add.centred.width32", 6.0 / 10, 3.0 / 16);
  is("r2.named.add.learned.width32", 0.6, 2.0 / 33);
  is("r2_before.named.add.learned.width32", 0.2, 2.0 / 33);
  is("r2_change.named.add.learned.width32", 0.4, 0);
  is("two_before.copy2.add.centred.width32", 1, 0.5);
  const Table& terms = table_of(outcome.tables, "a9_terms.csv");
  BOOST_TEST(to_text(terms.at(0, "moment")) == "before");
  near(terms.number(0, "word_word"), 5.0 / 16);
  near(terms.number(1, "word_word"), 2.0 / 10);
  is("position.copy2.add.centred.width32.after.output", 0.7, 0.04);
}

BOOST_AUTO_TEST_CASE(words_turn_from_the_first_positions_or_from_nothing) {
  // .5 of what it was beside positions, .8 without: .625, in each seed, though seeds start far apart.
  const Outcome outcome = outcome_of(
      [](const Run& run) {
        if (run.arm == "none" && run.task == "named") return Made{1.6};
        return apart(run);
      },
      3);
  for (const char* positions : {"centred", "learned"}) {
    const auto ratio = [&](const char* task) -> const Finding& {
      return named(outcome, fmt::format("A9.overlap_ratio.{}.add.{}.width32", task, positions));
    };
    near(ratio("copy2").value, 0.625);
    near(*ratio("copy2").low, 0.625);
    near(*ratio("copy2").theory, 1);
    BOOST_TEST(ratio("copy2").n == 3U);
    near(ratio("named").value, 0.3125);
    near(ratio("all").value, (0.625 + 0.3125 + 0.625) / 3);
    BOOST_TEST(ratio("all").n == 9U);
    BOOST_TEST(ratio("all").spread->replicates == 3U);
  }
  BOOST_TEST(!find(outcome.findings, "A9.overlap_ratio.copy2.none.width32"));
  BOOST_TEST(!find(outcome.findings, "A9.overlap_ratio.copy2.concat.centred.p16.width32"));
  const Table& overlaps = table_of(outcome.tables, "a9_overlap.csv");
  BOOST_TEST(overlaps.rows.size() == 3U * 2 * 2);
  for (std::size_t i = 0; i < overlaps.rows.size(); ++i) {
    const bool before = overlaps.number(i, "step") == 0, named = to_text(overlaps.at(i, "task")) == "named";
    near(overlaps.number(i, "own"), before ? 1 : 0.5);
    near(overlaps.number(i, "alone"), before ? 1 : named ? 1.6 : 0.8);
    near(overlaps.number(i, "overlap"), 4);  // with the positions of the moment: twice 1, 2 and 3
  }
}

BOOST_AUTO_TEST_CASE(the_head_is_shown_that_looks_two_before_in_the_end) {
  // Three positions: one pair is two apart. Head 1 has the most there before training, head 0 after it.
  std::vector<CellRecords> cells = all_made(apart, 2);
  CellRecords cell{cells.front().cell, {}};
  Rows rows(cell.cell);
  const auto look = [&rows](const char* moment, std::size_t head, double two_before) {
    for (std::size_t query = 0; query < 3; ++query)
      for (std::size_t key = 0; key < 3; ++key) {
        AttentionWeight at{looked_at_runs(quick_options()).front(), moment, head, query, key, 0.3};
        if (at.is_two_before()) at.weight = two_before;
        rows.add(at);
      }
  };
  look("before", 0, 0.1);
  look("before", 1, 0.7);
  look("after", 0, 0.9);
  look("after", 1, 0.8);
  cell.records = rows.take();
  cells.push_back(cell);
  const Outcome outcome = kept_apart(quick_options()).summarise(cells);
  near(named(outcome, "A9.attention_two_before.before").value, 0.1);
  near(named(outcome, "A9.attention_two_before.after").value, 0.9);
  const Table& shown = table_of(outcome.tables, "a9_attention.csv");
  BOOST_TEST(shown.rows.size() == 18U);
  for (std::size_t i = 0; i < shown.rows.size(); ++i) BOOST_TEST(shown.number(i, "head") == 0);
}

BOOST_AUTO_TEST_CASE(overlaps_are_pooled_over_tasks_as_strata) {
  // Seeds turn by .5 ± .1, in every task alike.
  const Outcome outcome =
      outcome_of([](const Run& run) { return Made{run.arm == "add" ? (run.seed % 2 ? 0.6 : 0.4) : 1.0}; });
  const Finding& pooled = named(outcome, "A9.overlap_ratio.all.add.learned.width32");
  near(pooled.value, 0.5);
  near(pooled.spread->mean->error, 0.1 / std::sqrt(21.0));  // 7 degrees of freedom each, three strata
  near(pooled.spread->mean->freedom, 21);
  const Finding& word = named(outcome, "A9.word.all.add.centred.width32.after.input");
  near(word.value, 0.95);
  BOOST_TEST(word.n == 24U);
}

BOOST_AUTO_TEST_CASE(the_verdict_follows_from_the_records) {
  const auto verdict = [](const Runs_made& made, std::size_t seeds = 8) {
    const Outcome outcome = outcome_of(made, seeds);
    BOOST_TEST(!outcome.condition.empty());
    BOOST_TEST(std::ranges::count(outcome.rule, Role::core, &Condition::role) == 6);
    BOOST_TEST(outcome.rule.size() == 12U);
    return judged(outcome);
  };
  /// Half of what it was where `here` is true, otherwise a tenth more; positions or not.
  const auto turned = [](const auto& here) {
    return [here](const Run& run) { return Made{run.arm != "add" ? 1 : here(run) ? 0.5 : 1.1}; };
  };
  BOOST_TEST(verdict(apart) == "true");
  BOOST_TEST(verdict(turned([](const Run& run) { return run.task != "bite"; })) == "true, with limits");
  BOOST_TEST(verdict(turned([](const Run&) { return false; })) == "depends, with limits on measure");
  BOOST_TEST(verdict(turned([](const Run& run) { return run.positions == "learned"; })) ==
             "depends, with limits");  // read with either positions: neither factor separates
  const auto unread = [](const Run& run) {
    Made made = apart(run);
    made.position = 0.5;
    return made;
  };
  BOOST_TEST(verdict(unread) == "depends on measure");
  BOOST_TEST(verdict([](const Run& run) {
               Made made = apart(run);
               if (run.positions == "centred") made = {1.1, 0.5, 0.5};
               return made;
             }) == "depends, with limits on positions");
  BOOST_TEST(verdict([](const Run& run) { return Made{run.arm == "add" ? 1.1 : 1.0, 0.5, 0.5}; }) == "false");
  BOOST_TEST(verdict([](const Run& run) {
               return Made{run.arm != "add" ? 1 : run.seed % 2 ? 1.2 : 0.9};
             }) == "open");
  BOOST_TEST(verdict(apart, 7) == "unmeasured");
}

BOOST_AUTO_TEST_CASE(quick_preset_holds_together) {
  const Table& terms = table("a9_terms.csv");
  BOOST_TEST(terms.rows.size() == 3U * 3 * 2);  // tasks, arms with a table of positions, moments
  for (std::size_t i = 0; i < terms.rows.size(); ++i) {
    double sum = 0;
    for (const char* term : {"word_word", "word_position", "position_word", "position_position"})
      sum += terms.number(i, term);
    near(sum, 1);
    BOOST_TEST((terms.number(i, "r2") >= 0 && terms.number(i, "r2") <= 1));
    BOOST_TEST(terms.number(i, "chance") == distance_null(task_length, false));
    // Of all pairs the distance takes its share of the position scores.
    BOOST_TEST(terms.number(i, "distance") <= terms.number(i, "position_position"));
    BOOST_TEST(std::isfinite(terms.number(i, "word_word_low")));
  }
  const Table& probes = table("a9_probes.csv");
  BOOST_TEST(probes.rows.size() == 3U * 4 * 2 * 2);
  for (std::size_t i = 0; i < probes.rows.size(); ++i) {
    for (const char* name : {"word", "position"})
      BOOST_TEST((probes.number(i, name) >= 0 && probes.number(i, name) <= 1));
    // A model without positions tells no more of them than its word does: twice 4096 tokens, two shares of
    // standard deviation .0035 at most each. Its output neither: attention sees a bag.
    if (to_text(probes.at(i, "arm")) == "none" && to_text(probes.at(i, "read_from")) == "input")
      BOOST_TEST(probes.number(i, "position") < probes.number(i, "position_chance") + 0.025);
  }
  const Table& attention = table("a9_attention.csv");
  BOOST_TEST(attention.rows.size() == 2 * task_length * task_length);
  for (std::size_t i = 0; i < attention.rows.size(); i += task_length) {
    double sum = 0;
    for (std::size_t key = 0; key < task_length; ++key) sum += attention.number(i + key, "weight");
    BOOST_TEST(sum == 1, boost::test_tools::tolerance(1e-5));
  }
  const Table& overlaps = table("a9_overlap.csv");
  for (std::size_t i = 0; i < overlaps.rows.size(); ++i)
    for (const char* name : {"own", "alone", "ratio"}) {
      if (overlaps.number(i, "step") == 0)
        BOOST_TEST(overlaps.number(i, name) == 1);
      else
        BOOST_TEST((overlaps.number(i, name) > 0 && overlaps.number(i, name) != 1));
    }
}

BOOST_AUTO_TEST_SUITE_END()
