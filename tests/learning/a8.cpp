// A8: the arithmetic of growth on records known by heart, and the quick preset.

#include <cmath>

#include "studies/learning/claims.hpp"
#include "studies/learning/geometry.hpp"
#include "studies/learning/seeds.hpp"
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

/// What a run's words do between its first and its last step.
struct Made {
  double growth = 1, inside = 0.25;  ///< inside of r/d = .25
};

CellRecords made(const Run& run, const Made& what) {
  const auto look = [&](std::size_t step, double norm, double inside) {
    Geometry at;
    at.step = step;
    at.word_norm = norm;
    if (run.arm.starts_with("add_")) at.ratio = 4 / norm;
    if (!run.arm.starts_with("concat")) {
      at.rank = static_cast<double>(run.width) / 4;
      at.inside = inside;
    }
    return at;
  };
  const double norm = run.start * std::sqrt(static_cast<double>(run.width));
  return kept(run, look(0, norm, 0.25), look(10, norm, 0.25), look(20, norm * what.growth, what.inside));
}

Outcome summarise_growth(const Cells& cells) { return growing_words(quick_options(), {}).summarise(cells); }

/// Every run of the claim's cells that the rule reads; words of seed s and arm a grow by growth(a, s).
template <class Growth>
std::vector<CellRecords> all_made(Growth growth, double inside, double small_growth, std::size_t seeds = 3) {
  std::vector<CellRecords> cells;
  for (const std::string_view task : tasks)
    for (const char* arm : {"add_fixed", "add_learned", "none", "rotary"})
      for (std::size_t seed = 0; seed < seeds; ++seed) {
        Run run{.task = std::string(task), .arm = arm, .steps = 20};
        run.seed = seed;
        const bool add = run.arm.starts_with("add_");
        cells.push_back(made(run, {growth(arm, seed), add ? inside : 0.25}));
        if (run.arm == "add_learned" || run.arm == "rotary" || (task != "copy2" && task != "bite")) continue;
        run.start = 0.2;
        cells.push_back(made(run, {add ? small_growth : 1.0, 0.25}));
      }
  return cells;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(learning_a8)

BOOST_AUTO_TEST_CASE(growth_is_compared_seed_by_seed) {
  // Seeds differ by far more than arms: only a paired comparison sees the tenth.
  const Outcome outcome = summarise_growth(all_made(
      [](std::string_view arm, std::size_t seed) {
        return (1 + static_cast<double>(seed)) * (arm.starts_with("add_") ? 1.1 : 1.0);
      },
      0.2, 5));
  const Finding &growth = named(outcome, "A8.growth.copy2.add_fixed.width32"),
                &excess = named(outcome, "A8.excess.copy2.add_fixed.width32"),
                &ratio = named(outcome, "A8.ratio.copy2.add_fixed.width32");
  const auto near = [](double a, double b) { BOOST_TEST(a == b, boost::test_tools::tolerance(1e-12)); };
  near(growth.value, 2.2);
  BOOST_TEST(*growth.low < 0);
  near(excess.value, 1.1);
  near(*excess.low, 1.1);
  near(*excess.high, 1.1);
  BOOST_TEST(excess.n == 3U);
  near(ratio.value, 4 / std::sqrt(32.0) * (1 / 1.1 + 1 / 2.2 + 1 / 3.3) / 3);
  near(*ratio.theory, std::sqrt(32 / (2 * std::log(32.0))));
  near(*named(outcome, "A8.ratio.named.add_fixed.width32").theory, std::sqrt(32 / (2 * std::log(48.0))));
  near(named(outcome, "A8.inside.bite.add_learned.width32").value, 0.8);
  near(named(outcome, "A8.inside.bite.none.width32").value, 1);
  // Small starts: 1/.2 longer positions for the same words, five times the growth against 1.1 (1, 2, 3).
  near(named(outcome, "A8.met.copy2.add_fixed.width32.start0p2").value, 1.1 * (1 + 2 + 3) / 3);
  near(named(outcome, "A8.excess.copy2.add_fixed.width32.start0p2").value, 5);
  BOOST_TEST(!find(outcome.findings, "A8.excess.copy2.none.width32"));
  BOOST_TEST(!find(outcome.findings, "A8.ratio.copy2.rotary.width32"));
}

BOOST_AUTO_TEST_CASE(the_verdict_follows_from_the_paths) {
  const auto learned = [](std::string_view arm) { return arm == "add_learned" ? 1.2 : 1.0; };
  const auto verdict = [&](double growth, double small_growth, std::size_t seeds) {
    const Outcome outcome = summarise_growth(all_made(
        [&](std::string_view arm, std::size_t) { return arm == "add_fixed" ? growth : learned(arm); }, 0.2,
        small_growth, seeds));
    BOOST_TEST(!outcome.condition.empty());
    BOOST_TEST(outcome.rule.size() == 3U);
    const Judgement judged = judge(outcome.findings, outcome.rule);
    return fmt::format("{}{}{}", to_text(judged), judged.factor.empty() ? "" : " on ", judged.factor);
  };
  BOOST_TEST(verdict(1.2, 5, 8) == "true");
  BOOST_TEST(verdict(1.2, 0.9, 8) == "true, with limits");
  BOOST_TEST(verdict(0.9, 0.9, 8) == "depends, with limits on positions");
  BOOST_TEST(verdict(0.9, 1.2, 8) == "depends on positions");
  BOOST_TEST(verdict(1.2, 5, 7) == "unmeasured");  // fewer than eight seeds
}

BOOST_AUTO_TEST_CASE(tasks_are_strata_and_never_paired) {
  // Words grow by 1 + g with positions and by 1 without, g = ± .1 by turns of the seed, in every task alike:
  // paired across tasks, the tasks would count as one.
  const Outcome outcome = summarise_growth(
      all_made([](std::string_view arm,
                  std::size_t seed) { return arm.starts_with("add_") ? 1.2 + (seed % 2 ? 0.1 : -0.1) : 1.0; },
               0.2, 5, 8));
  const Finding& pooled = named(outcome, "A8.excess.all.add_fixed.width32");
  BOOST_TEST(pooled.value == 1.2, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(pooled.n == 32U);
  BOOST_TEST(pooled.spread->replicates == 8U);
  // Four strata of standard error .1/√7: half of it, and 28 degrees of freedom, t = 2.7633 (printed table).
  BOOST_TEST(pooled.spread->mean->error == 0.1 / std::sqrt(7.0) / 2, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(*pooled.high - 1.2 == 2.7633 * 0.05 / std::sqrt(7.0), boost::test_tools::tolerance(1e-4));
}

BOOST_AUTO_TEST_CASE(a_missing_run_leaves_the_claim_unmeasured) {
  std::vector<CellRecords> cells = all_made([](auto, auto) { return 1.0; }, 0.25, 1.0, 8);
  std::erase_if(cells, [](const CellRecords& cell) { return text_at(cell.cell.at, "task") == "bite"; });
  const Outcome outcome = summarise_growth(cells);
  BOOST_TEST(to_text(judge(outcome.findings, outcome.rule)) == "unmeasured");
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
      all_made([](std::string_view arm,
                  std::size_t seed) { return arm == "none" ? 4.0 : 5 + static_cast<double>(seed); },
               0.25, 1.0);
  std::erase_if(cells, [](const CellRecords& cell) {
    const Run run = row_from<Run>(cell.cell.at);
    return run.seed == (run.arm == "none" ? 0U : 2U);
  });
  const Outcome outcome = summarise_growth(cells);
  const Finding& excess = named(outcome, "A8.excess.copy2.add_fixed.width32");
  BOOST_TEST(excess.value == 1.5);
  BOOST_TEST(excess.n == 1U);
  BOOST_TEST(!excess.low.has_value());
  BOOST_TEST(named(outcome, "A8.growth.copy2.add_fixed.width32").n == 2U);
}

BOOST_AUTO_TEST_CASE(places_are_named_once) {
  const auto id = [](const Run& run) { return finding_id("A8", "growth", place(run)); };
  BOOST_TEST(id({.task = "copy2", .arm = "concat", .position_width = 8}) ==
             "A8.growth.copy2.concat.p8.width32");
  BOOST_TEST(id({.task = "bite", .arm = "none", .start = 0.2}) == "A8.growth.bite.none.width32.start0p2");
  BOOST_TEST(id({.task = "text", .arm = "add_fixed", .width = 64}) == "A8.growth.text.add_fixed");
  Run deep{.task = "copy2", .arm = "none"};
  BOOST_TEST(!in_order<Geometry>({made(deep, {})}).empty());
  deep.depth = 2;
  BOOST_TEST(in_order<Geometry>({made(deep, {})}).empty());  // models of one block only
}

BOOST_AUTO_TEST_CASE(quick_preset_starts_where_it_must) {
  const Table& paths = table("a8_paths.csv");
  for (std::size_t i = 0; i < paths.rows.size(); ++i) {
    for (const char* name : {"norm", "growth"})
      for (const char* end : {"", "_low", "_high"})
        BOOST_TEST(std::isfinite(paths.number(i, std::string(name) + end)));
    if (paths.number(i, "step") > 0) continue;
    BOOST_TEST(paths.number(i, "growth") == 1);
    BOOST_TEST(paths.number(i, "growth_low") == 1);
    const std::string arm = std::get<std::string>(paths.at(i, "arm"));
    if (arm != "none") BOOST_TEST(paths.number(i, "excess") == 1);
    // V x d normal entries: the root mean square is off by 1/√(2Vd), V = 8 at least; five of them.
    const double start = paths.number(i, "start"), width = paths.number(i, "width") - paths.number(i, "p");
    BOOST_TEST(std::abs(paths.number(i, "norm") / (start * std::sqrt(width)) - 1) <
               5 / std::sqrt(16 * width));
  }
}

BOOST_AUTO_TEST_SUITE_END()
