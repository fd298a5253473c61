// One run: what it learns, what it counts, where it stops, that it hangs on its coordinates alone. Its arms at the
// start, and the study's lists of runs.

#include "studies/learning/training.hpp"

#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/base/work.hpp"
#include "perp/measures/squares.hpp"
#include "perp/model/adam.hpp"
#include "studies/learning/a10_measure.hpp"
#include "studies/learning/geometry.hpp"
#include "tests/learning/quick.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::learning;
using namespace perp::test;

namespace {

model::Predictor<float> start_model(const Run& run) {
  return start_of(run, task_of(run.task), streams_of(run, 1));
}

Run bite_run(std::size_t steps, std::string until = "learned") {
  return run_of("bite", {"add", "learned"}, {.steps = steps, .until = std::move(until)});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(learning_training)

// ---- a run

BOOST_AUTO_TEST_CASE(a_short_run_learns_what_needs_order) {
  const double blind = 0.1495;  // whoever answers the most frequent of sixteen words, out of 32
  const auto accuracy = [](const Arm& arm) {
    return end_of(trained(run_of("bite", arm, {.steps = 200, .until = "end"}))).accuracy;
  };
  BOOST_TEST(accuracy({"rotary"}) > blind + 0.5);
  // 256 sequences with eight questions each: what no one can know stays at the line, five standard errors of
  // eight answers that stand or fall together.
  BOOST_TEST(accuracy({"none"}) < blind + tolerance::standard_errors * std::sqrt(blind * (1 - blind) / 256));
}

BOOST_AUTO_TEST_CASE(learned_is_two_windows_of_ten_batches) {
  // The same steps once more, with a plain list of what was right.
  const Run run = bite_run(300);
  const Task task = task_of("bite");
  const Streams shared = streams_of(run, 1);
  model::Predictor<float> predictor = start_of(run, task, shared), gradient = predictor;
  const auto values = parts(predictor), derivatives = parts(gradient);
  model::Adam<float> adam;
  std::vector<std::size_t> right;  // of 128 answers a batch
  for (std::size_t step = 0; step < 300; ++step) {
    right.push_back(model::loss(predictor, task.draw(16, shared("data", step)), gradient).right);
    adam.step(values, derivatives, run.rate * double(std::min<std::size_t>(step + 1, 50)) / 50);
  }
  const auto enough = [&](std::size_t last) {  // in the ten batches that end there
    return std::accumulate(right.begin() + long(last) - 10, right.begin() + long(last), std::size_t{0}) >=
           1152;
  };
  std::size_t once = 301, twice = 301;
  for (std::size_t last = 300; last >= 20; --last) {
    if (enough(last)) once = last;
    if (enough(last) && enough(last - 10)) twice = last;
  }
  BOOST_TEST(once < twice);
  // One step fewer does not do, and the step itself does.
  for (const std::size_t steps : {twice - 1, twice, std::size_t{300}}) {
    const Trained end = end_of(trained(bite_run(steps)));
    BOOST_TEST(end.learned_at == twice);
    BOOST_TEST(end.learned() == (steps >= twice));
    BOOST_TEST(end.steps_used() == double(std::min(steps, twice)));
  }
}

BOOST_AUTO_TEST_CASE(a_run_that_learned_stops_and_keeps_its_end_alone) {
  const CellRecords stopped = trained(bite_run(300)), whole = trained(bite_run(300, "end"));
  BOOST_TEST(stopped.records.size() == 1U);
  BOOST_TEST(std::isnan(end_of(stopped).accuracy));
  BOOST_TEST(end_of(whole).learned_at == end_of(stopped).learned_at);
  BOOST_TEST(end_of(whole).accuracy > 0.9);
  std::vector<std::size_t> steps;
  for (const Geometry& at : rows_of<Geometry>({whole})) steps.push_back(at.step);
  BOOST_TEST(steps == std::vector<std::size_t>({0, 10, 25, 50, 100, 150, 200, 250, 300}),
             boost::test_tools::per_element());
  // It did no work after that, however many steps it might have made.
  const auto flops = [](std::size_t steps) {
    const double before = thread_work().flops;
    trained(bite_run(steps));
    return thread_work().flops - before;
  };
  BOOST_TEST(flops(300) == flops(500));
}

// ---- arms at the start

BOOST_AUTO_TEST_CASE(size_and_start_scale_one_table_each) {
  for (const Arm& arm : every_arm) {
    const Run run = run_of("copy2", arm, {});
    Run large = run, small = run;
    large.size = 4;
    small.start = 0.25;
    auto usual = start_model(run), doubled = start_model(large), shrunk = start_model(small);
    for (float& x : doubled.embedding.positions) x /= 4;
    for (float& x : shrunk.embedding.words) x *= 4;
    // And nothing else.
    for (auto* other : {&doubled, &shrunk}) {
      const auto same = [](auto a, auto b) { return std::ranges::equal(a, b); };
      BOOST_TEST(std::ranges::equal(parts(usual), parts(*other), same), arm);
      BOOST_TEST((usual.embedding.positions == other->embedding.positions), arm);
    }
  }
}

BOOST_AUTO_TEST_CASE(positions_are_centred_at_their_power) {
  const Streams shared = streams_of(run_of("copy2", {"none"}, {}), 1);
  for (const std::size_t d : {8U, 16U, 32U}) {
    const Matrix<float> as_is = positions_of("as_is", 32, d, shared),
                        centred = positions_of("centred", 32, d, shared);
    for (const Matrix<float>& table : {as_is, centred}) near(mean_square_length(table), double(d) / 2, 1e-6);
    // No mean in any column, and differences between positions times one factor.
    const float factor = (centred(1, 0) - centred(0, 0)) / (as_is(1, 0) - as_is(0, 0));
    BOOST_TEST(factor > 1);
    for (std::size_t j = 0; j < d; ++j) {
      float mean = 0, away = 0;
      for (std::size_t t = 0; t < 32; ++t) {
        mean += centred(t, j) / 32;
        away = std::max(away, std::abs(centred(t, j) - centred(0, j) - factor * (as_is(t, j) - as_is(0, j))));
      }
      BOOST_TEST((std::abs(mean) < 1e-6F && away < 1e-5F));
    }
    // N(0, ½): 32 d squares of variance ½ each.
    BOOST_TEST(std::abs(mean_square_length(positions_of("learned", 32, d, shared)) - double(d) / 2) <
               tolerance::standard_errors * std::sqrt(double(d) / 64));
  }
}

BOOST_AUTO_TEST_CASE(arms_that_cannot_be_are_refused) {
  const struct {
    Arm arm;
    const char* message;
  } rows[]{{{"multiply", "as_is"}, "no arm 'multiply'; there are add, framed, concat, project, rotary, none"},
           {{"concat", "as_is", 3}, "an even number below the width"},
           {{"concat", "as_is", 0}, "an even number below the width"},
           {{"concat", "learned", 16}, "an even number below the width"},
           {{"project", "centred", 0}, "an even number below the width"},
           {{"framed", "as_is", 3}, "an even number below the width"},
           {{"framed", "learned", 4}, "arm 'framed' with learned positions"},
           {{"add", "as_is", 16}, "expected 0 or an even number below the width"},
           {{"rotary", "none", 4}, "expected 0"},
           {{"none", "as_is"}, "arm 'none' with positions 'as_is'"},
           {{"rotary", "learned"}, "arm 'rotary' with positions 'learned'"},
           {{"add"}, "arm 'add' with positions 'none'"},
           {{"add", "turned"}, "no positions 'turned'; there are as_is, centred, learned, started"}};
  for (const auto& row : rows)
    check_refusal([&] { start_model(run_of("copy2", row.arm, {.width = 16})); }, row.message);
}

BOOST_AUTO_TEST_CASE(narrow_positions_are_added_to_the_last_coordinates_or_through_a_frame) {
  const Run like{.width = 16, .size = 2};
  const auto table = [&](const char* arm) {
    return start_model(run_of("copy2", {arm, "centred", 6}, like)).embedding.positions;
  };
  const Matrix<float> beside = table("concat"), added = table("add"), framed = table("framed");
  BOOST_TEST((added == beside));
  BOOST_TEST(cols(framed) == 16U);
  // A frame keeps every product of two rows, and spreads them over all coordinates.
  const Matrix<float> own = gram_rows(View(beside)), through = gram_rows(View(framed));
  for (std::size_t i = 0; i < own.size(); ++i)
    BOOST_TEST(std::abs(own.data()[i] - through.data()[i]) < 1e-4F);
  for (const float sum : column_means(framed)) BOOST_TEST(std::abs(sum) < 1e-5F);
  for (std::size_t j = 0; j < 16; ++j) BOOST_TEST(std::abs(framed(1, j)) > 0);
  // Words and learned tables of one seed agree as far as they are wide.
  const auto wide = start_model(run_of("copy2", {"add", "learned"}, like)).embedding,
             narrower = start_model(run_of("copy2", {"concat", "learned", 6}, like)).embedding;
  for (std::size_t i = 0; i < rows(wide.words); ++i)
    for (std::size_t j = 0; j < 10; ++j) BOOST_TEST(wide.words(i, j) == narrower.words(i, j));
  for (std::size_t t = 0; t < rows(wide.positions); ++t)
    for (std::size_t j = 0; j < 6; ++j) BOOST_TEST(wide.positions(t, j) == narrower.positions(t, j));
  // What is added narrow is what stands beside words that leave these coordinates.
  auto sum = start_model(run_of("copy2", {"add", "centred", 6}, like)).embedding;
  const auto joined = start_model(run_of("copy2", {"concat", "centred", 6}, like)).embedding;
  for (std::size_t w = 0; w < rows(sum.words); ++w)
    for (std::size_t j = 0; j < 16; ++j) sum.words(w, j) = j < 10 ? joined.words(w, j) : 0.0F;
  const std::vector<std::int32_t> tokens{3, 1, 4, 1};
  BOOST_TEST((model::embed<float>(sum, tokens, 4) == model::embed<float>(joined, tokens, 4)));
}

BOOST_AUTO_TEST_CASE(learned_positions_may_start_at_the_centred_sinusoid) {
  const auto embedding = [](const char* positions) {
    const Run run = run_of("bite", {"concat", positions, 6}, {.width = 16, .size = 0.5});
    return start_of(run, task_of("bite"), streams_of(run, 1)).embedding;
  };
  const auto started = embedding("started"), centred = embedding("centred");
  BOOST_TEST((started.learned_positions && !centred.learned_positions));
  BOOST_TEST(std::ranges::equal(started.positions, centred.positions));
}

BOOST_AUTO_TEST_SUITE_END()
