// One run: what it learns, what it counts, where it stops, that it hangs on its coordinates alone, and how it
// ends when it diverges. Its arms at the start, and the study's lists of runs.

#include "studies/learning/training.hpp"

#include <cmath>
#include <numeric>
#include <set>

#include "perp/base/work.hpp"
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

std::string text_of(const Records& records) {
  std::string text;
  for (const Record& record : records) text += record.name + " " + to_text(record.values) + "\n";
  return text;
}

model::Predictor<float> start_model(const Run& run) {
  return start_of(run, task_of(run.task), streams_of(run));
}

/// The squares of a table's entries, mean over rows.
double power(const Matrix<float>& table) {
  double sum = 0;
  for (const float x : table) sum += double(x) * x;
  return sum / double(rows(table));
}
/// Its mean row's largest entry.
double largest_mean(const Matrix<float>& table) {
  double largest = 0;
  for (std::size_t j = 0; j < cols(table); ++j) {
    double sum = 0;
    for (std::size_t t = 0; t < rows(table); ++t) sum += table(t, j) / double(rows(table));
    largest = std::max(largest, std::abs(sum));
  }
  return largest;
}

Run bite_run(std::size_t steps, std::string until = "learned") {
  return run_of("bite", {"add", "learned"}, {.steps = steps, .until = std::move(until)});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(learning_training)

// ---- a run

BOOST_AUTO_TEST_CASE(a_short_run_learns_what_needs_order) {
  const double blind = order_blind_share("bite");
  const auto accuracy = [](const Arm& arm) {
    return end_of(trained(run_of("bite", arm, {.steps = 200, .until = "end"}))).accuracy;
  };
  BOOST_TEST(accuracy({"rotary"}) > blind + 0.5);
  // 256 sequences with eight questions each: what no one can know stays at the line, five standard errors of
  // eight answers that stand or fall together.
  const double most = blind + tolerance::standard_errors * std::sqrt(blind * (1 - blind) / 256);
  BOOST_TEST(accuracy({"none"}) < most);
}

BOOST_AUTO_TEST_CASE(masked_words_are_learned_by_those_who_know_the_order) {
  // Seven words in turns: any neighbour tells the word between. A bag tells how many of each are masked (four
  // of the words occur five times in 32, three four times), which leaves the best guesser 1.59 of log 7
  // = 1.95 nats (20,000 draws).
  const Scratch scratch;
  std::string words;
  for (int i = 0; i < 2000; ++i) words += "aa bb cc dd ee ff gg ";
  const auto text = std::make_shared<const Text>(scratch.file("text.txt", words), 8, words.size());
  const auto nats = [&](const Arm& arm) {
    return end_of(trained(run_of("text", arm, {.steps = 150, .until = "end"}), 1, text)).nats;
  };
  BOOST_TEST(nats({"none"}) > 1.5);
  BOOST_TEST(nats({"add", "learned"}) < 0.2);
}

BOOST_AUTO_TEST_CASE(a_run_is_a_function_of_its_coordinates_and_the_seed) {
  const Run run =
      run_of("copy2", {"add", "learned"}, {.width = 16, .steps = 30, .rate = 0.1, .until = "end"});
  const std::string once = text_of(trained(run).records);
  BOOST_TEST(once == text_of(trained(run).records));
  BOOST_TEST((once != text_of(trained(run, 2).records)));
  const auto differs = [&](const auto& change) {
    Run other = run;
    change(other);
    BOOST_TEST((once != text_of(trained(other).records)), to_text(coordinates_of(other)));
  };
  differs([](Run& other) { other.seed = 1; });
  differs([](Run& other) { other.rate = 0.2; });
  differs([](Run& other) { other.size = 2; });
  differs([](Run& other) { other.start = 0.2; });
  differs([](Run& other) { other.inner = 3; });
  const Run back = row_from<Run>(coordinates_of(run));
  BOOST_TEST(to_text(coordinates_of(back)) == to_text(coordinates_of(run)));
}

BOOST_AUTO_TEST_CASE(all_arms_of_a_seed_see_the_same_data) {
  // Three steps by hand, on batches of streams that know task and seed only, end in the same tables and lose
  // as much on a test of such streams.
  for (const Arm& arm : every_arm) {
    Run run = run_of("named", arm, {.width = 16, .steps = 3, .rate = 1, .until = "end", .seed = 3});
    const Task task = task_of("named");
    const Streams shared = streams_of(run, 7);
    model::Predictor<float> predictor = start_of(run, task, shared), gradient = predictor;
    const auto values = parts(predictor), derivatives = parts(gradient);
    model::Adam<float> adam;
    for (std::size_t step = 0; step < 3; ++step) {
      model::loss(predictor, task.draw(512 / 32, shared("data", step)), gradient);
      adam.step(values, derivatives, double(step + 1) / 50);
    }
    double nats = 0;
    for (std::uint64_t i = 0; i < 16; ++i)
      nats += model::loss(predictor, task.draw(512 / 32, shared("test", i)), gradient).nats / 16;
    const CellRecords cell = trained(run, 7);
    BOOST_TEST(std::abs(end_of(cell).nats - nats) < tolerance::float_loss, arm);
    const std::vector<Geometry> looks = rows_of<Geometry>({cell});
    BOOST_REQUIRE_EQUAL(looks.size(), 2U);
    near(looks.back().word_norm, std::sqrt(power(predictor.embedding.words)), 1e-6);
  }
}

BOOST_AUTO_TEST_CASE(learned_is_two_windows_of_ten_batches) {
  // The same steps once more, with a plain list of what was right.
  const Run run = bite_run(300);
  const Task task = task_of("bite");
  const Streams shared = streams_of(run);
  model::Predictor<float> predictor = start_of(run, task, shared), gradient = predictor;
  const auto values = parts(predictor), derivatives = parts(gradient);
  model::Adam<float> adam;
  std::vector<std::size_t> right;  // of 128 answers a batch
  for (std::size_t step = 0; step < 300; ++step) {
    const model::LossAndAccuracy result =
        model::loss(predictor, task.draw(16, shared("data", step)), gradient);
    BOOST_REQUIRE_EQUAL(result.asked, 128U);
    right.push_back(result.right);
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
  BOOST_TEST(twice < 301U);
  BOOST_TEST(once < twice);
  const Trained end = end_of(trained(run));
  BOOST_TEST(end.learned_at == twice);
  BOOST_TEST(end.learned());
  BOOST_TEST(end.steps_used() == double(twice));
  // One step fewer does not do, and the step itself does.
  Run shorter = run;
  shorter.steps = twice - 1;
  BOOST_TEST(end_of(trained(shorter)).learned_at == twice);
  BOOST_TEST(!end_of(trained(shorter)).learned());
  BOOST_TEST(end_of(trained(shorter)).steps_used() == double(twice - 1));
  shorter.steps = twice;
  BOOST_TEST(end_of(trained(shorter)).learned());
}

BOOST_AUTO_TEST_CASE(a_run_that_learned_stops_and_keeps_its_end_alone) {
  const CellRecords stopped = trained(bite_run(300)), whole = trained(bite_run(300, "end"));
  BOOST_TEST(stopped.records.size() == 1U);
  BOOST_TEST(std::isnan(end_of(stopped).accuracy));
  BOOST_TEST(std::isnan(end_of(stopped).nats));
  BOOST_TEST(end_of(whole).learned_at == end_of(stopped).learned_at);
  BOOST_TEST(end_of(whole).accuracy > 0.9);
  const std::vector<Geometry> looks = rows_of<Geometry>({whole});
  std::vector<std::size_t> steps;
  for (const Geometry& at : looks) steps.push_back(at.step);
  const std::vector<std::size_t> expected{0, 10, 25, 50, 100, 150, 200, 250, 300};
  BOOST_TEST(steps == expected, boost::test_tools::per_element());
  BOOST_TEST(rows_of<HeadScores>({whole}).size() == 2U * 4);
  BOOST_TEST(rows_of<Probe>({whole}).size() == 2U * 2);
  // It did no work after that, however many steps it might have made.
  const auto flops = [](std::size_t steps) {
    const double before = thread_work().flops;
    BOOST_TEST(end_of(trained(bite_run(steps))).learned());
    return thread_work().flops - before;
  };
  BOOST_TEST(flops(300) == flops(500));
}

BOOST_AUTO_TEST_CASE(a_run_is_the_beginning_of_a_longer_one) {
  const std::vector<Geometry> shorter = rows_of<Geometry>({trained(bite_run(100, "end"))}),
                              longer = rows_of<Geometry>({trained(bite_run(150, "end"))});
  BOOST_REQUIRE(shorter.size() < longer.size());
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    BOOST_TEST(shorter[i].step == longer[i].step);
    BOOST_TEST(shorter[i].word_norm == longer[i].word_norm);
    BOOST_TEST(shorter[i].overlap == longer[i].overlap);
  }
  BOOST_TEST(end_of(trained(bite_run(250))).learned_at == end_of(trained(bite_run(400))).learned_at);
}

BOOST_AUTO_TEST_CASE(probes_and_scores_are_taken_before_and_after) {
  const Run run = run_of("copy2", {"add", "centred"}, {.width = 16, .steps = 12, .rate = 1, .until = "end"});
  const CellRecords cell = trained(run);
  const std::vector<Probe> kept = rows_of<Probe>({cell}),
                           start = probes(start_model(run), task_of("copy2"), streams_of(run));
  BOOST_REQUIRE_EQUAL(kept.size(), 4U);
  for (std::size_t i = 0; i < 2; ++i) {
    BOOST_TEST(kept[i].moment == "before");
    BOOST_TEST(kept[i].where == start[i].where);
    BOOST_TEST(kept[i].word == start[i].word);
    BOOST_TEST(kept[i].position == start[i].position);
    BOOST_TEST(kept[i + 2].moment == "after");
    BOOST_TEST(kept[i + 2].where == start[i].where);
  }
  BOOST_TEST((kept[3].word != start[1].word || kept[3].position != start[1].position));
  const std::vector<HeadScores> scores = rows_of<HeadScores>({cell}),
                                first = position_scores(start_model(run));
  BOOST_REQUIRE_EQUAL(scores.size(), 2 * first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    BOOST_TEST(scores[i].moment == "before");
    BOOST_TEST(scores[i].word_word == first[i].word_word);
    BOOST_TEST(scores[i + first.size()].moment == "after");
    BOOST_TEST((scores[i + first.size()].word_word != first[i].word_word));
  }
}

// ---- arms at the start

BOOST_AUTO_TEST_CASE(runs_of_a_seed_share_weights_and_words) {
  const auto none = start_model(run_of("copy2", {"none"}, {}));
  for (const Arm& arm : every_arm) {
    const auto model = start_model(run_of("copy2", arm, {}));
    BOOST_TEST((model.head.weight == none.head.weight), arm);
    BOOST_TEST(
        (model.body.blocks[0].feed_forward.inner.weight == none.body.blocks[0].feed_forward.inner.weight),
        arm);
    BOOST_TEST((model.body.blocks[0].attention.query.weight == none.body.blocks[0].attention.query.weight),
               arm);
    // Beside positions words have fewer dimensions, the same for all positions.
    const auto& like = arm.name == std::string_view("concat")
                           ? start_model(run_of("copy2", {"concat", "as_is", 6}, {}))
                           : none;
    BOOST_TEST((model.embedding.words == like.embedding.words), arm);
  }
}

BOOST_AUTO_TEST_CASE(size_and_start_scale_one_table_each) {
  for (const Arm& arm : every_arm) {
    const Run run = run_of("copy2", arm, {.width = 16});
    Run large = run, small = run;
    large.size = 4;
    small.start = 0.25;
    auto usual = start_model(run), doubled = start_model(large), shrunk = start_model(small);
    for (float& x : usual.embedding.positions) x *= 4;
    BOOST_TEST((usual.embedding.positions == doubled.embedding.positions), arm);
    for (float& x : doubled.embedding.positions) x /= 4;
    for (float& x : shrunk.embedding.words) x *= 4;
    // And nothing else.
    usual = start_model(run);
    for (auto* other : {&doubled, &shrunk}) {
      const auto expected = parts(usual), found = parts(*other);
      BOOST_REQUIRE_EQUAL(expected.size(), found.size());
      for (std::size_t i = 0; i < expected.size(); ++i)
        BOOST_TEST(std::ranges::equal(expected[i], found[i]), arm << ", part " << i);
      BOOST_TEST((usual.embedding.positions == other->embedding.positions), arm);
      BOOST_TEST((usual.attention_positions.bias == other->attention_positions.bias), arm);
    }
  }
}

BOOST_AUTO_TEST_CASE(positions_are_as_they_are_named) {
  const Streams shared = streams_of(run_of("copy2", {"none"}, {}));
  for (const std::size_t d : {8U, 16U, 32U}) {
    const auto table = [&](const char* name) { return positions_of(name, 32, d, shared); };
    const auto check_sinusoid = [&](const Matrix<float>& found, double base) {
      double worst = 0;
      for (std::size_t t = 0; t < 32; ++t)
        for (std::size_t i = 0; i < d / 2; ++i) {
          const double angle = double(t) * std::pow(base, -2.0 * double(i) / double(d));
          worst = std::max({worst, std::abs(found(t, 2 * i) - std::sin(angle)),
                            std::abs(found(t, 2 * i + 1) - std::cos(angle))});
        }
      BOOST_TEST(worst < 1e-6);
    };
    check_sinusoid(table("as_is"), 10'000);
    check_sinusoid(table("fitted"), 32);
    // Centred: no mean in any column, the power of the sinusoid, and its differences between positions times
    // one factor.
    const Matrix<float> centred = table("centred"), as_is = table("as_is");
    BOOST_TEST(largest_mean(centred) < 1e-6);
    BOOST_TEST(largest_mean(as_is) > 0.5);
    near(power(centred), double(d) / 2, 1e-6);
    const double factor = (centred(1, 0) - centred(0, 0)) / (as_is(1, 0) - as_is(0, 0));
    BOOST_TEST(factor > 1);
    for (std::size_t t = 1; t < 32; ++t)
      for (std::size_t j = 0; j < d; ++j)
        if (std::abs(centred(t, j) - centred(t - 1, j) - factor * (as_is(t, j) - as_is(t - 1, j))) > 1e-5)
          BOOST_ERROR("another table at " << t << ", " << j);
    // N(0, ½): 32 d squares of variance ½ each.
    BOOST_TEST(std::abs(power(table("learned")) - double(d) / 2) <
               tolerance::standard_errors * std::sqrt(double(d) / 64));
  }
  check_refusal([&] { positions_of("turned", 32, 8, shared); },
                "no positions 'turned'; there are as_is, fitted, centred, learned");
}

BOOST_AUTO_TEST_CASE(rotary_and_alibi_reach_attention_alone) {
  const std::vector<std::int32_t> tokens(32, 5);
  for (const Arm& arm : every_arm) {
    const auto model = start_model(run_of("copy2", arm, {}));
    const bool rotary = arm.name == std::string_view("rotary"), alibi = arm.name == std::string_view("alibi"),
               none = arm.name == std::string_view("none");
    BOOST_TEST((model.attention_positions.cosine.size() > 0) == rotary, arm);
    BOOST_TEST((model.attention_positions.sine.size() > 0) == rotary, arm);
    BOOST_TEST(model.attention_positions.bias.size() == (alibi ? 4U : 0U), arm);
    // One word at all places: its vectors differ if and only if the embedding tells them.
    const Matrix<float> input = model::embed<float>(model.embedding, tokens, 32);
    double most = 0;
    for (std::size_t t = 1; t < 32; ++t)
      for (std::size_t j = 0; j < 32; ++j) most = std::max(most, double(std::abs(input(t, j) - input(0, j))));
    BOOST_TEST((most == 0) == (rotary || alibi || none), arm);
    BOOST_TEST((model.embedding.positions.size() == 0) == (rotary || alibi || none), arm);
    BOOST_TEST(model.embedding.learned_positions == (arm.positions == std::string_view("learned")), arm);
  }
  // Slopes ¼, 1/16, 1/64, 1/256 for four heads, on both sides.
  const auto alibi = start_model(run_of("copy2", {"alibi"}, {}));
  for (std::size_t head = 0; head < 4; ++head)
    for (int t = 0; t < 32; ++t)
      for (int s = 0; s < 32; ++s)
        if (alibi.attention_positions.bias[head](std::size_t(t), std::size_t(s)) !=
            float(-std::pow(0.25, double(head) + 1) * std::abs(t - s)))
          BOOST_ERROR("head " << head << ", " << t << " on " << s);
}

BOOST_AUTO_TEST_CASE(parameters_by_formula) {
  for (const std::size_t d : {16U, 32U})
    for (const std::size_t depth : {1U, 2U})
      for (const char* name : {"copy2", "bite"})
        for (const Arm& arm : every_arm) {
          const Task task = task_of(name);
          const std::size_t more = 3, d_p = arm.position_width;
          const Run run = run_of(name, arm, {.width = d, .depth = depth, .inner = more, .steps = 1});
          const auto model = start_model(run);
          // Four maps and two with 4 d (and three) between them, each with biases, two LayerNorms; a last one
          // and the head.
          const std::size_t block = 4 * (d * d + d) + (8 * d * d + 5 * d) + more * (2 * d + 1) + 4 * d,
                            inner = depth * block + 2 * d + task.classes * (d + 1);
          const std::string way = arm.name;
          std::size_t embedding = task.words * (way == "concat" ? d - d_p : d);
          if (arm.positions == std::string_view("learned")) embedding += 32 * (d_p > 0 ? d_p : d);
          if (way == "project") embedding += d * (d + d_p) + d;
          BOOST_TEST(model.inner_parameters() == inner, arm);
          BOOST_TEST(model.embedding.parameters() == embedding, arm);
          if (depth != 1) continue;
          const Trained end = end_of(trained(run));
          BOOST_TEST(end.inner_parameters == inner);
          BOOST_TEST(end.embedding_parameters == embedding);
        }
}

BOOST_AUTO_TEST_CASE(arms_that_cannot_be_are_refused) {
  const auto refuse_start = [](const Arm& arm, const char* part) {
    check_refusal([&] { start_model(run_of("copy2", arm, {.width = 16})); }, part);
  };
  refuse_start({"multiply", "as_is"},
               "no arm 'multiply'; there are add, concat, project, rotary, alibi, t5, none");
  refuse_start({"concat", "as_is", 3}, "an even number below the width");
  refuse_start({"concat", "as_is", 0}, "an even number below the width");
  refuse_start({"concat", "learned", 16}, "an even number below the width");
  refuse_start({"project", "centred", 0}, "an even number below the width");
  refuse_start({"add", "as_is", 4}, "expected 0");
  refuse_start({"none", "none", 2}, "expected 0");
  refuse_start({"none", "as_is"}, "arm 'none' with positions 'as_is'");
  refuse_start({"rotary", "learned"}, "arm 'rotary' with positions 'learned'");
  refuse_start({"add"}, "arm 'add' with positions 'none'");
  refuse_start({"add", "turned"}, "no positions 'turned'");
}

// ---- lists of runs

BOOST_AUTO_TEST_CASE(what_judges_has_seeds_enough_and_what_is_compared_goes_together) {
  Options options = quick_options();
  for (const Preset preset : {Preset::full, Preset::long_}) {
    options.preset = preset;
    // A10's core, of every task, on one block of width 32.
    for (const char* positions : {"centred", "learned"})
      for (const char* arm : {"add", "concat"})
        for (const std::string_view task : tasks) {
          const Runs runs = only(measured_runs(options), &Run::arm, arm, &Run::positions, positions,
                                 &Run::task, task, &Run::width, 32U, &Run::depth, 1U, &Run::inner, 0U,
                                 &Run::position_width, arm == std::string_view("add") ? 0U : 16U);
          std::set<std::size_t> seeds;
          for (const Run& run : runs) seeds.insert(run.seed);
          BOOST_TEST(seeds.size() == (preset == Preset::full ? 16U : 64U));
          BOOST_TEST(runs.size() == seeds.size());
        }
    for (const Runs& list : {looked_at_runs(options), small_start_runs(options)})
      for (const Run& run : list) BOOST_TEST(run.until == "end");
    BOOST_TEST(only(looked_at_runs(options), &Run::arm, "none", &Run::task, "bite").size() ==
               (preset == Preset::full ? 8U : 32U));
    for (const Run& run : small_start_runs(options)) BOOST_TEST(run.start == small_start);
  }
  BOOST_TEST(text_runs(options, {}).empty());
}

BOOST_AUTO_TEST_CASE(wider_models_have_as_many_parameters_in_all) {
  Options options = quick_options();
  options.preset = Preset::long_;
  const auto all = [](const Run& run) {
    const auto model = start_model(run);
    return double(model.inner_parameters() + model.embedding.parameters());
  };
  std::size_t compared = 0;
  for (const Run& run : measured_runs(options)) {
    if (run.inner == 0 || run.seed > 0) continue;
    const Run added = run_of(run.task, {"add", run.positions.c_str()}, {.width = run.width});
    // Units of 2 d + 1 parameters are whole: half of one is left.
    BOOST_TEST(std::abs(all(run) - all(added)) <= double(run.width),
               run.task << " " << run.positions << ": " << all(run) << " against " << all(added));
    ++compared;
  }
  BOOST_TEST(compared == 6U);
}

BOOST_AUTO_TEST_CASE(a_rate_that_is_given_is_all_runs_rate) {
  Options options = quick_options();
  options.extra["rate"] = "0.007";
  for (const Preset preset : {Preset::quick, Preset::full, Preset::long_}) {
    options.preset = preset;
    for (const Runs& list : {measured_runs(options), looked_at_runs(options), small_start_runs(options)})
      for (const Run& run : list)
        if (run.rate != 0.007) BOOST_ERROR(to_text(coordinates_of(run)));
  }
}

// ---- divergence

BOOST_AUTO_TEST_CASE(too_large_a_rate_ends_with_one_line) {
  const Run run = run_of("copy2", {"add", "as_is"}, {.width = 16, .steps = 40, .rate = 1e6});
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
