// What rounding cannot reach: the loss after one step and after ten, of every arm and task, and of the quick
// preset all that is exact, with verdicts and rules; the rest by its intervals, because rounding grows. See
// tests/support/golden.hpp.

#include "tests/support/golden.hpp"

#include "studies/learning/training.hpp"
#include "tests/learning/quick.hpp"

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
        const Trained run =
            end_of(trained(run_of(task, arm, {.width = 16, .steps = steps, .rate = 0.05, .until = "end"})));
        table.add({run.task, run.arm, run.positions, whole(run.position_width), whole(steps),
                   whole(run.inner_parameters), whole(run.embedding_parameters), whole(run.learned_at),
                   run.nats});
      }
  return table;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(learning_golden)

BOOST_AUTO_TEST_CASE(ten_steps) {
  Results steps;
  steps.study = "steps";
  steps.preset = "quick";
  steps.seed = 1;
  steps.tables = {first_steps()};
  check_golden("learning_steps", steps);
}

BOOST_AUTO_TEST_CASE(quick_preset) {
  check_golden("learning", merged(learning::study().claims, results_of), report::Common::definitions);
}

BOOST_AUTO_TEST_SUITE_END()
