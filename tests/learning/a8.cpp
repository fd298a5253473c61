// A8: the arithmetic of growth on records known by heart, and the quick preset.

#include <cmath>

#include "studies/learning/claims.hpp"
#include "studies/learning/geometry.hpp"
#include "studies/learning/seeds.hpp"
#include "tests/learning/quick.hpp"

using namespace perp;
using namespace perp::learning;
using namespace perp::test;

namespace {

/// What a run's words do between its first and its last step: a run grows by growth(run), and words that meet
/// added positions have `inside` of their energy in directions that are a quarter of all.
using Growth = std::function<double(const Run&)>;

CellRecords made(const Run& run, double growth, double inside) {
  const auto look = [&](std::size_t step, double norm, double share) {
    Geometry at;
    at.step = step;
    at.word_norm = norm;
    if (run.arm == "add") at.ratio = 4 / norm;
    if (run.arm != "concat") {
      at.rank = run.width / 4.0;
      at.inside = share;
    }
    return at;
  };
  const double norm = run.start * std::sqrt(double(run.width));
  return kept(run, look(0, norm, 0.25), look(10, norm, 0.25), look(run.steps, norm * growth, inside));
}

std::vector<CellRecords> all_made(const Growth& growth, std::size_t seeds, double inside = 0.2) {
  std::vector<CellRecords> cells;
  for (const Run& run :
       with_seeds({looked_at_runs(quick_options()), small_start_runs(quick_options())}, seeds))
    cells.push_back(made(run, growth(run), run.arm == "add" ? inside : 0.25));
  return cells;
}

Outcome outcome_of(const Cells& cells) { return growing_words(quick_options()).summarise(cells); }
Outcome outcome_of(const Growth& growth, std::size_t seeds) { return outcome_of(all_made(growth, seeds)); }

}  // namespace

BOOST_AUTO_TEST_SUITE(learning_a8)

BOOST_AUTO_TEST_CASE(growth_is_compared_seed_by_seed) {
  // Seeds differ by far more than arms: only a paired comparison sees the tenth. Words that start small grow
  // fivefold beside positions, and keep their length without.
  const Outcome outcome = outcome_of(
      [](const Run& run) {
        if (run.start < 1) return run.arm == "add" ? 5.0 : 1.0;
        return (1.0 + double(run.seed)) * (run.arm == "add" ? 1.1 : 1.0);
      },
      3);
  const auto number = [&](const std::string& id) -> const Finding& { return named(outcome, "A8." + id); };
  const Finding &growth = number("growth.copy2.add.centred.width32"),
                &excess = number("excess.copy2.add.centred.width32"),
                &ratio = number("ratio.copy2.add.centred.width32");
  const Table& ends = table_of(outcome.tables, "a8_end.csv");
  near(growth.value, 2.2);
  BOOST_TEST(*growth.low < 0);
  near(excess.value, 1.1);
  near(*excess.low, 1.1);
  near(*excess.high, 1.1);
  BOOST_TEST(excess.n == 3U);
  near(ratio.value, 4 / std::sqrt(32.0) * (1 / 1.1 + 1 / 2.2 + 1 / 3.3) / 3);
  near(*ratio.theory, std::sqrt(32 / (2 * std::log(32.0))));
  for (std::size_t i = 0; i < ends.rows.size(); ++i) {
    const std::string task = to_text(ends.at(i, "task")), arm = to_text(ends.at(i, "arm"));
    BOOST_TEST(std::isnan(ends.number(i, "ratio")) == (arm != "add"));
    BOOST_TEST(std::isnan(ends.number(i, "excess")) == (arm == "none"));
    if (arm == "concat") near(ends.number(i, "excess"), 1);
    if (arm == "add")
      near(ends.number(i, "knee"), std::sqrt(32 / (2 * std::log(task == "copy2"   ? 32
                                                                : task == "named" ? 48
                                                                                  : 35))));
  }
  near(number("inside.bite.add.learned.width32").value, 0.8);
  near(number("inside.bite.none.width32").value, 1);
  // 1/.2 longer positions for the same words, five times the growth against 1.1 (1, 2, 3).
  near(number("met.copy2.add.centred.width32.start0p2").value, 1.1 * (1 + 2 + 3) / 3);
  near(number("excess.copy2.add.centred.width32.start0p2").value, 5);
}

BOOST_AUTO_TEST_CASE(the_verdict_follows_from_the_paths) {
  // How much more words grow beside the centred sinusoid, beside learned positions, and with either from a
  // small start.
  const auto verdict = [&](double centred, double learned, double small, std::size_t seeds = 8) {
    const Outcome outcome = outcome_of(
        [&](const Run& run) {
          if (run.arm != "add") return 1.0;
          return run.start < 1 ? small : run.positions == "learned" ? learned : centred;
        },
        seeds);
    BOOST_TEST(!outcome.condition.empty());
    BOOST_TEST(std::ranges::count(outcome.rule, Role::core, &Condition::role) == 2);
    BOOST_TEST(outcome.rule.size() == 4U);
    return judged(outcome);
  };
  BOOST_TEST(verdict(1.2, 1.3, 5) == "true");
  BOOST_TEST(verdict(1.2, 1.3, 0.9) == "true, with limits");
  BOOST_TEST(verdict(0.9, 1.2, 0.9) == "depends, with limits on positions");
  BOOST_TEST(verdict(0.9, 1.2, 1.2) == "depends on positions");
  BOOST_TEST(verdict(1.2, 0.9, 1.2) == "depends on positions");
  BOOST_TEST(verdict(0.9, 0.9, 0.9) == "false");
  BOOST_TEST(verdict(0.9, 0.9, 1.2) == "false, with limits");
  BOOST_TEST(verdict(1.2, 1.3, 5, 7) == "unmeasured");  // fewer than eight seeds
  const Outcome open = outcome_of(
      [](const Run& run) { return run.arm == "add" && run.seed % 2 ? 1.3 : 1 - 0.1 * (run.arm == "add"); },
      8);
  BOOST_TEST(judged(open) == "open");
}

BOOST_AUTO_TEST_CASE(tasks_are_strata_and_never_paired) {
  // Words grow by 1 without positions and with them by 1.2 on average, a task more and a task less by .1;
  // seeds add or take .1 by turns, in every task alike: paired across tasks, the tasks would count as one.
  const Outcome outcome = outcome_of(
      [](const Run& run) {
        if (run.arm == "none") return 1.0;
        if (run.positions == "learned" || run.start < 1) return 2.0;
        const double task = run.task == "copy2" ? 0.1 : run.task == "bite" ? -0.1 : 0;
        return 1.2 + task + (run.seed % 2 ? 0.1 : -0.1);
      },
      8);
  const Finding& pooled = named(outcome, "A8.excess.all.add.centred.width32");
  near(pooled.value, 1.2);
  BOOST_TEST(pooled.n == 24U);
  BOOST_TEST(pooled.spread->replicates == 8U);
  // Three strata of standard error .1/√7: 1/√3 of it, and 21 degrees of freedom, t = 2.8314 (printed table).
  near(pooled.spread->mean->error, 0.1 / std::sqrt(21.0));
  near(pooled.spread->mean->freedom, 21);
  near(*pooled.high - 1.2, 2.8314 * 0.1 / std::sqrt(21.0), 1e-4);
  near(named(outcome, "A8.excess.all.add.learned.width32").value, 2);
  near(named(outcome, "A8.excess.all.add.centred.width32.start0p2").value, 2);
}

BOOST_AUTO_TEST_CASE(a_missing_run_leaves_the_claim_unmeasured) {
  const auto without = [](const auto& is_missing) {
    std::vector<CellRecords> cells = all_made([](const Run& run) { return run.arm == "add" ? 1.2 : 1.0; }, 8);
    std::erase_if(cells, [&](const CellRecords& cell) { return is_missing(row_from<Run>(cell.cell.at)); });
    return judged(outcome_of(cells));
  };
  BOOST_TEST(without([](const Run&) { return false; }) == "true");
  BOOST_TEST(without([](const Run& run) { return run.task == "bite"; }) == "unmeasured");
  BOOST_TEST(without([](const Run& run) { return run.task == "bite" && run.arm == "none"; }) == "unmeasured");
}

BOOST_AUTO_TEST_CASE(one_seed_has_no_interval_and_two_have_finite_ones) {
  BOOST_TEST(!over_seeds(std::vector{1.5}).low.has_value());
  const Estimate two = over_seeds(std::vector{1.0, 3.0});
  BOOST_TEST(two.value == 2);
  BOOST_TEST((std::isfinite(*two.low) && std::isfinite(*two.high)));
  BOOST_CHECK_THROW(over_seeds(std::vector<double>{}), Error);
}

BOOST_AUTO_TEST_CASE(seeds_that_one_arm_lacks_are_left_out) {
  // Words with positions grow by 5, 6, 7 for seeds 0, 1, 2, without by 4 each: of 0 and 1 in one arm and 1
  // and 2 in the other, 1 is left.
  std::vector<CellRecords> cells =
      all_made([](const Run& run) { return run.arm == "none" ? 4.0 : 5 + double(run.seed); }, 3);
  std::erase_if(cells, [](const CellRecords& cell) {
    const Run run = row_from<Run>(cell.cell.at);
    return run.seed == (run.arm == "none" ? 0U : 2U);
  });
  const Outcome outcome = outcome_of(cells);
  const Finding& excess = named(outcome, "A8.excess.copy2.add.centred.width32");
  BOOST_TEST(excess.value == 1.5);
  BOOST_TEST(excess.n == 1U);
  BOOST_TEST(!excess.low.has_value());
  BOOST_TEST(named(outcome, "A8.growth.copy2.add.centred.width32").n == 2U);
}

BOOST_AUTO_TEST_CASE(places_are_named_once) {
  const auto id = [](const Run& run) { return finding_id("A8", "growth", place(run)); };
  BOOST_TEST(id({.task = "copy2", .arm = "concat", .positions = "as_is", .position_width = 8}) ==
             "A8.growth.copy2.concat.as_is.p8.width32");
  BOOST_TEST(id({.task = "bite", .arm = "none", .start = 0.2}) == "A8.growth.bite.none.width32.start0p2");
  BOOST_TEST(id({.task = "text", .arm = "add", .positions = "learned", .width = 64}) ==
             "A8.growth.text.add.learned.width64");
  BOOST_TEST(id({.task = "copy2", .arm = "none", .depth = 2, .inner = 9}) ==
             "A8.growth.copy2.none.width32.blocks2.inner9");
}

BOOST_AUTO_TEST_CASE(quick_preset_starts_where_it_must) {
  const Table& paths = table("a8_paths.csv");
  // Three tasks, four arms and three of small words, after 0, 10, 25, 50 and 80 steps.
  BOOST_TEST(paths.rows.size() == 3U * 7 * 5);
  for (std::size_t i = 0; i < paths.rows.size(); ++i) {
    if (paths.number(i, "step") > 0) continue;
    BOOST_TEST(paths.number(i, "growth") == 1);
    BOOST_TEST(paths.number(i, "growth_low") == 1);
    // V x d normal entries: the root mean square is off by 1/√(2Vd), V = 32 at least; five of them.
    const double start = paths.number(i, "start"), width = paths.number(i, "width") - paths.number(i, "p");
    near(paths.number(i, "norm"), start * std::sqrt(width), 5 / std::sqrt(64 * width));
  }
}

BOOST_AUTO_TEST_SUITE_END()
