// One run: what it learns, what it counts, that it hangs on its coordinates alone, and how it ends when it
// diverges.

#include "studies/learning/training.hpp"

#include <cmath>

#include "perp/model/adam.hpp"
#include "studies/learning/a10_measure.hpp"
#include "tests/learning/quick.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::learning;
using namespace perp::test;

namespace {

Run run_with(std::string task, std::string arm, std::size_t d_p, std::size_t width, std::size_t steps) {
  return {
      .task = std::move(task), .arm = std::move(arm), .position_width = d_p, .width = width, .steps = steps};
}

std::string text_of(const Records& records) {
  std::string text;
  for (const Record& record : records) text += record.name + " " + to_text(record.values) + "\n";
  return text;
}

/// Streams by task and seed, and by nothing else.
Streams streams_of(const Run& run, std::uint64_t seed) {
  return {seed, "learning", fmt::format("task={} seed={}", run.task, run.seed)};
}

const std::vector<std::pair<std::string, std::size_t>> every_arm{
    {"add_fixed", 0}, {"add_learned", 0}, {"concat", 6}, {"concat_learned", 10},
    {"project", 4},   {"rotary", 0},      {"none", 0}};

}  // namespace

BOOST_AUTO_TEST_SUITE(learning_training)

BOOST_AUTO_TEST_CASE(a_short_run_learns_what_needs_order) {
  const double blind = order_blind_share("bite");
  BOOST_TEST(end_of(trained(run_with("bite", "rotary", 0, 32, 200))).accuracy > blind + 0.5);
  // 256 sequences with eight questions each: what no one can know stays at the line, five standard errors of
  // eight answers that stand or fall together.
  const double most = blind + tolerance::standard_errors * std::sqrt(blind * (1 - blind) / 256);
  BOOST_TEST(end_of(trained(run_with("bite", "none", 0, 32, 200))).accuracy < most);
}

BOOST_AUTO_TEST_CASE(a_run_is_a_function_of_its_coordinates_and_the_seed) {
  const Run run = run_with("copy2", "add_learned", 0, 16, 30);
  const std::string once = text_of(trained(run).records);
  BOOST_TEST(once == text_of(trained(run).records));
  BOOST_TEST((once != text_of(trained(run, 2).records)));
  Run other = run;
  other.seed = 1;
  BOOST_TEST((once != text_of(trained(other).records)));
  const Run back = row_from<Run>(coordinates_of(run));
  BOOST_TEST(to_text(coordinates_of(back)) == to_text(coordinates_of(run)));
}

BOOST_AUTO_TEST_CASE(all_arms_of_a_seed_see_the_same_data) {
  // At a rate that moves nothing, the first entry of the curve is the mean loss of the untouched model on the
  // first twenty batches of a stream that knows task and seed only.
  const Task task = task_of("named");
  for (const std::size_t width : {16U, 32U})
    for (const auto& [arm, d_p] : every_arm) {
      Run run = run_with("named", arm, d_p, width, 20);
      run.rate = 1e-30;
      run.seed = 3;
      const Streams shared = streams_of(run, 7);
      model::Predictor<float> start = start_of(run, task, shared), gradient = start;
      double nats = 0;
      for (std::uint64_t step = 0; step < 20; ++step)
        nats += model::loss(start, task.draw(512 / 32, shared("data", step)), gradient).nats / 20;
      const std::vector<CurvePoint> curve = rows_of<CurvePoint>({trained(run, 7)});
      BOOST_REQUIRE(!curve.empty());
      BOOST_TEST(std::abs(curve.front().nats - nats) < tolerance::float_loss, arm << width);
    }
}

BOOST_AUTO_TEST_CASE(runs_of_a_seed_share_weights_and_words) {
  const Task task = task_of("copy2");
  const Run run = run_with("copy2", "none", 0, 32, 10);
  const Streams shared = streams_of(run, 1);
  const auto none = start_of(run, task, shared);
  for (const auto& [arm, d_p] : every_arm) {
    const auto model = start_of(run_with("copy2", arm, d_p, 32, 10), task, shared);
    BOOST_TEST((model.head.weight == none.head.weight), arm);
    BOOST_TEST(
        (model.body.blocks[0].feed_forward.inner.weight == none.body.blocks[0].feed_forward.inner.weight),
        arm);
    if (!arm.starts_with("concat")) BOOST_TEST((model.embedding.words == none.embedding.words), arm);
  }
}

BOOST_AUTO_TEST_CASE(ninety_percent_is_counted_over_ten_batches) {
  // The same steps once more, with a plain list of what was right.
  const Run run = run_with("bite", "add_learned", 0, 32, 200);
  const Task task = task_of("bite");
  const Streams shared = streams_of(run, 1);
  model::Predictor<float> predictor = start_of(run, task, shared), gradient = predictor;
  const auto values = parts(predictor), derivatives = parts(gradient);
  model::Adam<float> adam;
  std::vector<double> shares;  // 128 answers a batch
  for (std::size_t step = 0; step < 200; ++step) {
    const model::LossAndAccuracy result =
        model::loss(predictor, task.draw(16, shared("data", step)), gradient);
    BOOST_REQUIRE_EQUAL(result.asked, 128U);
    shares.push_back(static_cast<double>(result.right) / 128);
    adam.step(values, derivatives, model::learning_rate(step, 200, 20, run.rate));
  }
  std::size_t learned_at = 201;
  for (std::size_t last = 200; last >= 10; --last) {
    double sum = 0;
    for (std::size_t i = last - 10; i < last; ++i) sum += shares[i];
    if (sum >= 9) learned_at = last;
  }
  BOOST_TEST(learned_at < 201U);
  const CellRecords cell = trained(run);
  BOOST_TEST(end_of(cell).learned_at == learned_at);
  BOOST_TEST(end_of(trained(run_with("copy2", "none", 0, 16, 20))).learned_at == 21U);
  // The curve is the mean of twenty such shares.
  std::size_t entry = 0;
  for (const CurvePoint& point : rows_of<CurvePoint>({cell})) {
    double sum = 0;
    for (std::size_t i = 20 * entry; i < 20 * (entry + 1); ++i) sum += shares[i] / 20;
    BOOST_TEST(std::abs(point.accuracy - sum) < 1e-12);
    BOOST_TEST(point.step == 20 * ++entry);
  }
  BOOST_TEST(entry == 10U);
}

BOOST_AUTO_TEST_CASE(parameters_by_formula) {
  for (const std::size_t d : {16U, 32U})
    for (const std::size_t depth : {1U, 2U})
      for (const char* name : {"copy2", "count"})
        for (const auto& [arm, d_p] : every_arm) {
          const Task task = task_of(name);
          Run run = run_with(name, arm, d_p, d, 10);
          run.depth = depth;
          const auto model = start_of(run, task, streams_of(run, 1));
          // Four maps and two with 4 d between them, each with biases, two LayerNorms; a last one and the
          // head.
          const std::size_t block = 4 * (d * d + d) + (8 * d * d + 5 * d) + 4 * d,
                            inner = depth * block + 2 * d + task.classes * (d + 1);
          std::size_t embedding = task.words * (arm.starts_with("concat") ? d - d_p : d);
          if (arm == "add_learned") embedding += 32 * d;
          if (arm == "concat_learned") embedding += 32 * d_p;
          if (arm == "project") embedding += d * (d + d_p) + d;
          BOOST_TEST(model.inner_parameters() == inner, arm << d);
          BOOST_TEST(model.embedding.parameters() == embedding, arm << d);
          if (depth != 1) continue;
          const Trained end = end_of(trained(run));
          BOOST_TEST(end.inner_parameters == inner);
          BOOST_TEST(end.embedding_parameters == embedding);
        }
}

BOOST_AUTO_TEST_CASE(arms_that_cannot_be_are_refused) {
  const Task task = task_of("copy2");
  const auto refuse_start = [&](const char* arm, std::size_t d_p, const char* part) {
    const Run run = run_with("copy2", arm, d_p, 16, 10);
    check_refusal([&] { start_of(run, task, streams_of(run, 1)); }, part);
  };
  refuse_start("multiply", 0, "no arm 'multiply'");
  refuse_start("concat", 3, "an even number below the width");
  refuse_start("concat", 0, "an even number below the width");
  refuse_start("concat_learned", 16, "an even number below the width");
  refuse_start("add_fixed", 4, "expected 0");
  refuse_start("none", 2, "expected 0");
}

BOOST_AUTO_TEST_CASE(too_large_a_rate_ends_with_one_line) {
  Run run = run_with("copy2", "add_fixed", 0, 16, 40);
  run.rate = 1e6;
  const std::optional<Error> error = error_of([&] { trained(run); });
  BOOST_REQUIRE(error.has_value());
  BOOST_TEST((error->exit() == Exit::failed));
  const std::string said = error->what();
  BOOST_TEST(contains(said, "diverged at step"), said);
  BOOST_TEST(contains(said, "a learning rate of 1000000 is too large here (--rate)"), said);
  BOOST_TEST(!contains(said, "\n"), said);
}

BOOST_AUTO_TEST_CASE(the_study_ends_there_with_the_code_for_failures) {
  Options options = quick_options();
  options.only = {"A10"};
  options.extra["rate"] = "1e6";
  options.extra["corpus"] = "none";
  const std::optional<Error> error = error_of([&] { measure(study(), options); });
  BOOST_REQUIRE(error.has_value());
  BOOST_TEST(static_cast<int>(error->exit()) == 1);
  BOOST_TEST(contains(error->what(), "diverged at step"), error->what());
  BOOST_TEST(!contains(error->what(), "\n"), error->what());
  for (const char* bad : {"0", "-1", "0.1,0.2"}) {
    options.extra["rate"] = bad;
    check_refusal([&] { measure(study(), options); }, "expected one number above 0");
  }
}

BOOST_AUTO_TEST_SUITE_END()
