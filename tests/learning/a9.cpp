// A9: the arithmetic on records known by heart, and the quick preset.

#include <cmath>

#include "studies/learning/claims.hpp"
#include "studies/learning/geometry.hpp"
#include "studies/learning/training.hpp"
#include "tests/learning/quick.hpp"

using namespace perp;
using namespace perp::learning;
using perp::test::finding;
using perp::test::kept;
using perp::test::named;
using perp::test::quick_options;
using perp::test::table;
using perp::test::value;

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

Geometry look(std::size_t step, double square, double centred) {
  Geometry at;
  at.step = step;
  at.rank = 8;
  at.inside = 0.25;
  at.square = square;
  at.square_sd = 0.1;
  at.square_centred = centred;
  at.square_centred_sd = 0.2;
  at.cosine = 0;
  at.cosine_sd = 0.01;
  return at;
}

/// Whether the planted model turned, took its scores apart, and can be read.
struct Made {
  bool turned = true, apart = true, read = true;
};

std::vector<CellRecords> all_made(const Made& what, std::size_t seeds = 3) {
  std::vector<CellRecords> cells;
  for (const std::string_view task : tasks)
    for (const char* arm : {"add_fixed", "add_learned"})
      for (std::size_t seed = 0; seed < seeds; ++seed) {
        Run run{.task = std::string(task), .arm = arm, .steps = 20};
        run.seed = seed;
        const double own = static_cast<double>(seed);  // far more than what training moves
        const double moved = what.turned ? -0.1 : 0.1, mixed = what.apart ? 1 : 5,
                     share = what.read ? 0.95 : 0.5;
        const auto probe = [&](const char* where) { return Probe{{}, where, share, share, 0.03, 0.04}; };
        cells.push_back(kept(run, look(0, 1 + own, 1 + own), look(20, 1 + own + moved, 1 + own + 2 * moved),
                             // Shares of the sum over heads: (5, 4, 4, 3)/16 before.
                             head("before", 0, 4, 3, 3, 2, 0.1, 4), head("before", 1, 1, 1, 1, 1, 0.3, -2),
                             head("after", 0, 1, mixed, mixed, 5, 0.5, -2),
                             head("after", 1, 1, 0, 0, 1, 0.7, -2), probe("input"), probe("output")));
      }
  return cells;
}

Outcome summarise_apart(const Cells& cells) { return kept_apart(quick_options(), {}).summarise(cells); }

}  // namespace

BOOST_AUTO_TEST_SUITE(learning_a9)

BOOST_AUTO_TEST_CASE(training_is_compared_with_the_same_model_before) {
  const Outcome outcome = summarise_apart(all_made({}));
  const auto is = [&](const std::string& measure, double value, double theory) {
    const Finding& found = named(outcome, "A9." + measure);
    BOOST_TEST_CONTEXT(found.id) {
      BOOST_TEST(found.value == value, boost::test_tools::tolerance(1e-12));
      BOOST_TEST(*found.theory == theory, boost::test_tools::tolerance(1e-12));
    }
  };
  is("square.copy2.add_fixed.width32", 1.9, 1);
  is("turned.copy2.add_fixed.width32", -0.1, 0);
  is("turned_centred.bite.add_learned.width32", -0.2, 0);
  BOOST_TEST(*named(outcome, "A9.turned.copy2.add_fixed.width32").high < -0.09);  // paired
  BOOST_TEST(*named(outcome, "A9.square.copy2.add_fixed.width32").low < 0);
  is("word_word.named.add_fixed.width32", 2.0 / 10, 5.0 / 16);
  is("mixed.named.add_fixed.width32", 2.0 / 10, 8.0 / 16);
  is("position_position.named.add_fixed.width32", 6.0 / 10, 3.0 / 16);
  is("mixed_change.named.add_fixed.width32", 0.2 - 0.5, 0);
  is("r2.count.add_learned.width32", 0.6, 2.0 / 33);
  is("r2_before.count.add_learned.width32", 0.2, 2.0 / 33);
  is("r2_change.count.add_learned.width32", 0.4, 0);
  is("two_before.copy2.add_fixed.width32", 1, 0.5);
  const Table& terms = outcome.tables.at(1);
  BOOST_TEST(std::get<std::string>(terms.at(0, "moment")) == "before");
  BOOST_TEST(terms.number(0, "word_word") == 5.0 / 16, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(terms.number(1, "word_word") == 2.0 / 10, boost::test_tools::tolerance(1e-12));
  is("word.copy2.add_fixed.width32.input", 0.95, 0.03);
  is("position.copy2.add_fixed.width32.output", 0.95, 0.04);
}

BOOST_AUTO_TEST_CASE(the_verdict_follows_from_the_records) {
  const auto judged = [](const Made& what, double overlap) {
    Outcome outcome = summarise_apart(all_made(what, 8));
    BOOST_TEST(!outcome.condition.empty());
    BOOST_TEST(std::ranges::count(outcome.rule, Role::core, &Condition::role) == 6);
    BOOST_TEST(outcome.rule.size() == 14U);
    BOOST_TEST(named(outcome, "A9.word.all.add_fixed.width32.input").n == 32U);
    // What is still to be measured.
    for (const char* arm : {"add_fixed", "add_learned"})
      if (overlap > 0)
        outcome.findings.push_back(
            perp::finding("A9", "overlap_ratio", {{"task", "all"}, {"arm", arm}, {"width", 32}},
                          estimated(overlap, {MeanSpread{0.01, 28}, {}, 8}), {.meaning = "made"}));
    return judge(outcome.findings, outcome.rule);
  };
  const auto verdict = [&](const Made& what, double overlap) { return to_text(judged(what, overlap)); };
  BOOST_TEST(verdict({}, 0) == "true");
  BOOST_TEST(judged({}, 0).unmeasured == 2U);
  BOOST_TEST(verdict({true, true, false}, 0) == "false");
  BOOST_TEST(verdict({}, 0.9) == "true");
  BOOST_TEST(verdict({}, 1.1) == "depends");
  BOOST_TEST(judged({}, 1.1).factor == "measure");
  BOOST_TEST(verdict({}, 0.99) == "open");
  BOOST_TEST(verdict({true, true, false}, 1.1) == "false");
}

BOOST_AUTO_TEST_CASE(quick_preset_holds_together) {
  const Table& terms = table("a9_terms.csv");
  BOOST_TEST(terms.rows.size() > 0U);
  for (std::size_t i = 0; i < terms.rows.size(); ++i) {
    double sum = 0;
    for (const char* term : {"word_word", "word_position", "position_word", "position_position"})
      sum += terms.number(i, term);
    BOOST_TEST(std::abs(sum - 1) < 1e-12);
    BOOST_TEST((terms.number(i, "r2") >= 0 && terms.number(i, "r2") <= 1));
    const bool text = std::get<std::string>(terms.at(i, "task")) == "text";
    BOOST_TEST(terms.number(i, "chance") == distance_null(task_length, text));
    // Of all pairs the distance takes its share of the position scores; of the pairs seen, r2.
    BOOST_TEST(terms.number(i, "distance") <= terms.number(i, "position_position"));
    BOOST_TEST(std::isfinite(terms.number(i, "word_word_low")));
  }
  const Table& probes = table("a9_probes.csv");
  for (std::size_t i = 0; i < probes.rows.size(); ++i) {
    const std::string arm = std::get<std::string>(probes.at(i, "arm")),
                      where = std::get<std::string>(probes.at(i, "read_from"));
    for (const char* name : {"word", "position"})
      BOOST_TEST((probes.number(i, name) >= 0 && probes.number(i, name) <= 1));
    // The input of a model without positions tells no more of them than its word does: twice 4096 tokens, two
    // shares of standard deviation .0035 at most each.
    if (where == "input" && (arm == "none" || arm == "rotary"))
      BOOST_TEST(probes.number(i, "position") < probes.number(i, "position_chance") + 0.025);
  }
  const Table& angles = table("a9_angles.csv");
  for (std::size_t i = 0; i < angles.rows.size(); ++i)
    if (angles.number(i, "step") == 0)  // two seeds: a mean of six standard deviations √2 · 6 / 2
      BOOST_TEST(std::abs(angles.number(i, "z")) < 6);
}

BOOST_AUTO_TEST_SUITE_END()
