// T1, evidence for O4: the overlap of words and positions on records known by heart, and the quick preset.

#include <cmath>

#include "perp/theory/angles.hpp"
#include "studies/learning/claims.hpp"
#include "studies/learning/geometry.hpp"
#include "studies/learning/seeds.hpp"
#include "tests/learning/quick.hpp"

using namespace perp;
using namespace perp::learning;
using namespace perp::test;

namespace {

/// The overlap after training of a run; before it is 1 ± .1 by turns of the seed.
using Overlap = std::function<double(const Run&)>;

/// Of as many directions, which meet so many times as closely as by chance.
Meeting meeting(std::size_t step, const char* end, std::size_t k, double over_chance) {
  Meeting at;
  at.step = step;
  at.end = end;
  at.k = at.r = k;
  at.mean_square = over_chance * double(k) / judged_width;
  return at;
}

Outcome outcome_of(const Overlap& after, std::size_t seeds = 8) {
  std::vector<CellRecords> cells;
  for (const Run& run : with_seeds({looked_at_runs(quick_options())}, seeds)) {
    const auto look = [&](std::size_t step, double overlap) {
      Geometry at;
      at.step = step;
      if (run.arm == "add") at.overlap = overlap, at.overlap_floor = 0.1 * overlap;
      if (run.arm == "none") at.overlap_centred = 0.5 + 0.001 * step, at.overlap_learned = 0.7;
      at.overlap_sd = 0.2;
      return at;
    };
    // On the way it goes elsewhere.
    const Geometry before = look(0, run.seed % 2 ? 1.1 : 0.9), during = look(10, 7),
                   half = look(run.steps / 2, 5), end = look(run.steps, after(run));
    if (run.arm == "add")
      cells.push_back(kept(run, before, during, half, end, meeting(0, "leading", 8, 1),
                           meeting(0, "leading", 4, 9),
                           meeting(run.steps, "leading", 8, run.seed % 2 ? 0.4 : 0.6),
                           meeting(run.steps, "trailing", 8, run.positions == "learned" ? 3 : 2)));
    else
      cells.push_back(kept(run, before, during, half, end));
  }
  return turned_apart(quick_options()).summarise(cells);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(learning_t1)

BOOST_AUTO_TEST_CASE(overlap_is_pooled_over_tasks_before_and_after) {
  const Outcome outcome = outcome_of([](const Run& run) {
    return (run.positions == "learned" ? 0.6 : 0.3) + (run.task == "named" ? 0.3 : 0) +
           (run.seed % 2 ? 0.1 : -0.1);
  });
  const auto number = [&](const std::string& id) -> const Finding& { return named(outcome, "T1." + id); };
  const Finding& after = number("overlap_after.all.add.centred.width32");
  near(after.value, 0.4);
  near(*after.theory, 1);
  BOOST_TEST(after.n == 24U);
  near(after.spread->mean->error, 0.1 / std::sqrt(21.0));  // three strata of seven degrees of freedom
  near(after.spread->mean->freedom, 21);
  near(number("overlap_after.all.add.learned.width32").value, 0.7);
  for (const char* positions : {"centred", "learned"})
    near(number(fmt::format("overlap_before.all.add.{}.width32", positions)).value, 1);
  near(number("floor_after.all.add.learned.width32").value, 0.07);
  near(number("leading_before.all.add.centred.width32").value, 1);
  near(number("leading_after.all.add.learned.width32").value, 0.5);
  near(number("trailing_after.all.add.learned.width32").value, 3);
  near(number("trailing_after.all.add.centred.width32").value, 2);
  BOOST_TEST(outcome.findings.size() == 12U);  // no trailing ones before
  const Table& grid = table_of(outcome.tables, "t1_grid.csv");
  BOOST_TEST(grid.rows.size() == 2U * 3);  // of each positions, those that somebody measured
  for (std::size_t i = 0; i < grid.rows.size(); ++i) {
    const double k = grid.number(i, "k"), r = grid.number(i, "r");
    const theory::OverlapNull null = theory::mean_cosine_squared_null(32, k, r);
    near(grid.number(i, "chance_sd"), null.sd / null.mean);
    const bool leading = to_text(grid.at(i, "end")) == "leading";
    if (leading && k == 4 && r == 4) near(grid.number(i, "before"), 9);
    if (leading && k == 8 && r == 8) near(grid.number(i, "after"), 0.5);
    BOOST_TEST(std::isnan(grid.number(i, "after")) == !(k == 8 && r == 8));
  }
  const Table& table = table_of(outcome.tables, "t1_overlap.csv");
  BOOST_TEST(table.rows.size() == 3U * 2 * 4);
  std::size_t half_way = 0;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    near(table.number(i, "chance_sd"), 0.2);
    const std::string moment = to_text(table.at(i, "moment"));
    const double at = table.number(i, "step");
    const double overlap = table.number(i, "overlap");
    half_way += overlap == 5;
    BOOST_TEST(moment == (at == 0 ? "before" : at == 10 ? "during" : overlap == 5 ? "half-way" : "after"));
    if (at == 10) near(overlap, 7);
    // Beside the model without positions, with those that this one started from.
    near(table.number(i, "alone"), to_text(table.at(i, "positions")) == "learned" ? 0.7 : 0.5 + 0.001 * at);
  }
  BOOST_TEST(half_way == 3U * 2);
}

BOOST_AUTO_TEST_CASE(half_of_chance_is_clearly_less) {
  const auto verdict = [](double centred, double learned, double apart = 0) {
    const Outcome outcome = outcome_of([&](const Run& run) {
      return (run.positions == "learned" ? learned : centred) + (run.seed % 2 ? apart : -apart);
    });
    BOOST_TEST(!outcome.condition.empty());
    BOOST_TEST(outcome.rule.size() == 2U);
    return judged(outcome);
  };
  BOOST_TEST(verdict(0.4, 0.3) == "true");
  BOOST_TEST(verdict(0.6, 0.9) == "false");
  BOOST_TEST(verdict(0.6, 0.3) == "depends on positions");
  BOOST_TEST(verdict(0.3, 0.6) == "depends on positions");
  BOOST_TEST(verdict(0.49, 0.3, 0.1) == "open");
  BOOST_TEST(judged(outcome_of([](const Run&) { return 0.4; }, 7)) == "unmeasured");
}

BOOST_AUTO_TEST_CASE(it_is_evidence_for_the_claim_on_subspaces) {
  const Experiment claim = turned_apart(quick_options());
  BOOST_TEST(claim.of == "O4");
  for (const Condition& condition : outcome_of([](const Run&) { return 0.4; }).rule) {
    BOOST_TEST((condition.evidence == Evidence::trained));
    BOOST_TEST((condition.levels.front() == std::pair<std::string, std::string>("evidence", "trained here")));
  }
}

BOOST_AUTO_TEST_CASE(quick_preset_starts_by_chance) {
  const Table& overlaps = table("t1_overlap.csv");
  BOOST_TEST(overlaps.rows.size() > 3U * 2 * 2);
  for (std::size_t i = 0; i < overlaps.rows.size(); ++i) {
    BOOST_TEST(overlaps.number(i, "seeds") == 2);
    BOOST_TEST(overlaps.number(i, "chance_sd") > 0);
    // Two seeds: their mean lies within five of its standard deviations, sd/√2.
    if (overlaps.number(i, "step") == 0)
      BOOST_TEST(std::abs(overlaps.number(i, "overlap") - 1) <
                 5 * overlaps.number(i, "chance_sd") / std::sqrt(2.0));
    BOOST_TEST(overlaps.number(i, "floor") > 0);
    BOOST_TEST(overlaps.number(i, "floor") < overlaps.number(i, "overlap"));
    BOOST_TEST(overlaps.number(i, "orders_from") < 1);
    BOOST_TEST(overlaps.number(i, "orders_to") > 1);
  }
  // Both ends, k of 4, 8 and 16; r, too, but 16 of the sinusoid, which has eleven directions.
  const Table& grid = table("t1_grid.csv");
  BOOST_TEST(grid.rows.size() == 2U * 3 * (3 + 2));
  for (std::size_t i = 0; i < grid.rows.size(); ++i)  // means of six
    BOOST_TEST(std::abs(grid.number(i, "before") - 1) < 5 * grid.number(i, "chance_sd") / std::sqrt(6.0));
}

BOOST_AUTO_TEST_SUITE_END()
