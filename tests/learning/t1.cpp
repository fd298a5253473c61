// T1, evidence for O4: the overlap of words and positions on records known by heart.

#include "studies/learning/claims.hpp"
#include "tests/learning/records.hpp"

using namespace perp;
using namespace perp::learning;
using namespace perp::test;

namespace {

/// Overlaps after training, more or less by turns of the seed.
Outcome t1(double centred, double learned, double apart, std::size_t seeds = 8) {
  return outcome_of(turned_apart(options_of(Preset::quick)), seeds, cells_of([=](const Run& run) {
                      const double task = run.task == "named" ? 0.03 : 0;
                      return Made{.turned = 0.8,
                                  .overlap = (run.positions == "learned" ? learned : centred) + task +
                                             (run.seed % 2 ? apart : -apart)};
                    }));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(learning_t1)

BOOST_AUTO_TEST_CASE(overlap_is_pooled_over_tasks_before_and_after) {
  const Outcome outcome = t1(0.3, 0.6, 0.1);
  const auto number = [&](const std::string& id) -> const Finding& { return named(outcome, "T1." + id); };
  const Finding& after = number("overlap_after.all.add.centred.width32");
  near(after.value, 0.31);
  near(*after.theory, 1);
  BOOST_TEST(after.n == 24U);
  near(after.spread->mean->error, 0.1 / std::sqrt(21.0));  // three strata of seven degrees of freedom
  near(number("overlap_after.all.add.learned.width32").value, 0.61);
  near(number("overlap_before.all.add.learned.width32").value, 1);
  near(number("floor_after.all.add.learned.width32").value, 0.061);
  near(number("leading_before.all.add.centred.width32").value, 1);
  near(number("leading_after.all.add.learned.width32").value, 0.5);
  near(number("trailing_after.all.add.learned.width32").value, 3);
}

BOOST_AUTO_TEST_CASE(half_of_chance_is_clearly_less) {
  BOOST_TEST(judged(t1(0.4, 0.3, 0)) == "true");
  BOOST_TEST(judged(t1(0.6, 0.9, 0)) == "false");
  BOOST_TEST(judged(t1(0.6, 0.3, 0)) == "depends on positions");
  BOOST_TEST(judged(t1(0.48, 0.3, 0.1)) == "open");
  BOOST_TEST(judged(t1(0.4, 0.4, 0, 7)) == "unmeasured");
  BOOST_TEST(turned_apart(options_of(Preset::quick)).of == "O4");
}

BOOST_AUTO_TEST_CASE(quick_preset_starts_by_chance) {
  // Both ends, k of 4, 8 and 16; r, too, but 16 of the sinusoid, which has eleven directions; means of six.
  const Table& grid = table("t1_grid.csv");
  BOOST_TEST(grid.rows.size() == 2U * 3 * (3 + 2));
  for (std::size_t i = 0; i < grid.rows.size(); ++i)
    BOOST_TEST(std::abs(grid.number(i, "before") - 1) < 5 * grid.number(i, "chance_sd") / std::sqrt(6.0));
}

BOOST_AUTO_TEST_SUITE_END()
