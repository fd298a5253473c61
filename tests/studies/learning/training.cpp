// Tasks and texts, and one run: what is asked, what it learns, where it stops, that it hangs on its coordinates
// alone.

#include "studies/learning/training.hpp"

#include <numeric>
#include <set>

#include "perp/model/training.hpp"
#include "studies/learning/geometry.hpp"
#include "studies/learning/tasks.hpp"
#include "studies/learning/text.hpp"
#include "tests/studies/learning/quick.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::learning;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(learning_tasks)

using model::Batch;
using model::ignored_target;

namespace {

Stream some(std::uint64_t replicate) { return stream(1, "tests", "tasks", replicate, "draw"); }

/// What a reader answers at token r of a batch, by the words of tasks.hpp.
std::int32_t answer_of(const std::string& task, const Batch& batch, std::size_t r) {
  const std::size_t t = r % 32;
  const std::int32_t* token = &batch.tokens[r];
  if (task == "copy2") return t < 2 ? ignored_target : token[-2];
  if (task == "named") return t < 16 ? ignored_target : batch.tokens.at(r - t + std::size_t(*token - 32));
  return *token == 33 ? token[-3] : *token == 34 ? token[-1] : ignored_target;  // "who?" and "whom?"
}

/// Tokens that may stand at t.
bool may_stand(const std::string& task, std::int32_t token, std::size_t t) {
  const auto within = [&](std::int32_t low, std::int32_t high) { return low <= token && token <= high; };
  if (task == "named") return t < 16 ? within(0, 31) : within(32, 47);
  if (task == "bite") return t % 4 == 1 ? token == 32 : t % 4 == 3 ? within(33, 34) : within(0, 31);
  return within(0, 31);
}

}  // namespace

BOOST_AUTO_TEST_CASE(answers_are_what_a_reader_says) {
  for (const std::string name : {"copy2", "named", "bite"}) {
    const Task task = task_of(name);
    const Batch batch = task.draw(400, some(0));
    BOOST_REQUIRE_EQUAL(batch.length, 32U);
    BOOST_REQUIRE_EQUAL(batch.tokens.size(), 400U * 32);
    BOOST_REQUIRE_EQUAL(batch.labels.size(), batch.tokens.size());
    std::size_t wrong = 0;
    for (std::size_t r = 0; r < batch.tokens.size(); ++r)
      wrong += batch.labels[r] != answer_of(name, batch, r) || !may_stand(name, batch.tokens[r], r % 32);
    BOOST_TEST(wrong == 0U, name);
    // 6,400 tokens or more of at most 32 kinds: one is missed with a chance below e^-190.
    const std::set<std::int32_t> words(batch.tokens.begin(), batch.tokens.end());
    std::set<std::int32_t> answers(batch.labels.begin(), batch.labels.end());
    answers.erase(ignored_target);
    BOOST_TEST(words.size() == task.words, name);
    BOOST_TEST(*words.rbegin() == std::int32_t(task.words) - 1, name);
    BOOST_TEST(answers.size() == task.classes, name);
    // Batches hang on their stream alone, the test's as well.
    BOOST_TEST(task.draw_test(5, some(0)).tokens == task.draw(5, some(0)).tokens);
    BOOST_TEST((task.draw(400, some(1)).tokens != batch.tokens));
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(learning_text)

namespace {

std::string repeated(std::string_view word, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += word;
  return text;
}
SharedText text_of(const Scratch& scratch, const std::string& bytes) {
  return std::make_shared<const Text>(scratch.file("text.txt", bytes));
}
Stream some(std::uint64_t replicate) { return stream(1, "text", "", replicate, "draw"); }

/// The kind of byte that the row stands for, masked or not.
std::int32_t byte_at(const Task& task, const model::Batch& batch, std::size_t r) {
  return std::size_t(batch.tokens[r]) == task.classes ? batch.labels[r] : batch.tokens[r];
}

}  // namespace

BOOST_AUTO_TEST_CASE(three_bytes_in_ten_are_masked_or_each_is_asked_for_the_next) {
  constexpr std::size_t sequences = 400;
  const Scratch scratch;
  const SharedText text = text_of(scratch, repeated("abcdefg", 3000));
  for (const std::string_view name : {masked_text, causal_text}) {
    const Task task = text->task(name);
    BOOST_TEST(task.causal == (name == causal_text));
    BOOST_TEST(task.classes == 7U);
    BOOST_TEST(task.words == 8U);
    for (const auto& draw : {task.draw, task.draw_test}) {
      const model::Batch batch = draw(sequences, some(4));
      BOOST_REQUIRE_EQUAL(batch.tokens.size(), sequences * text_length);
      std::vector<double> masked(text_length, 0.0);
      std::set<std::int32_t> first;
      std::size_t wrong = 0;
      const auto next = [](std::int32_t kind) { return (kind + 1) % 7; };
      for (std::size_t r = 0; r < batch.tokens.size(); ++r) {
        const bool asked = batch.labels[r] != model::ignored_target;
        if (r % text_length == 0) first.insert(byte_at(task, batch, r));
        if (task.causal)
          wrong += batch.labels[r] != next(batch.tokens[r]);
        else {
          wrong += asked != (batch.tokens[r] == 7);
          masked[r % text_length] += asked;
        }
        if (r % text_length > 0) wrong += byte_at(task, batch, r) != next(byte_at(task, batch, r - 1));
      }
      BOOST_TEST(wrong == 0U);
      BOOST_TEST(first.size() == 7U);  // from anywhere
      for (const double count : masked)
        if (!task.causal)
          BOOST_TEST(std::abs(count - 0.3 * sequences) <=
                     tolerance::standard_errors * std::sqrt(0.21 * sequences));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_text_is_tested_where_it_was_not_learned_from) {
  using Part = Text::Part;
  const Scratch scratch;
  const auto seen = [](const Task& task, const auto& draw) {
    const model::Batch batch = draw(200, some(5));
    std::set<std::int32_t> kinds;
    for (std::size_t r = 0; r < batch.tokens.size(); ++r) kinds.insert(byte_at(task, batch, r));
    return kinds;
  };
  // Seventeen parts of a, one of b that judges pairs, one of c and d for choosing, one of b and e: half each.
  const SharedText text = text_of(
      scratch, repeated("a", 17000) + repeated("b", 1000) + repeated("cd", 500) + repeated("be", 500));
  BOOST_TEST(text->words() == 6U);
  using Kinds = std::set<std::int32_t>;
  for (const auto& [task, learned, tested] :
       {std::tuple{text->task(masked_text), Kinds{0, 1}, Kinds{1, 4}},
        {text->task(masked_text, Part::chosen_on), {0, 1}, {2, 3}},
        {text->task(masked_text, Part::judged_on, Part::learned_by_pairs), {0}, {1}},
        {text->task(masked_text, Part::chosen_on, Part::learned_by_pairs), {0}, {2, 3}}}) {
    BOOST_TEST(seen(task, task.draw) == learned);
    BOOST_TEST(seen(task, task.draw_test) == tested);
  }
  near(text->unigram_bits(), -(std::log2(1001 / 18005.0) + std::log2(1 / 18005.0)) / 2);
  near(text->unigram_bits(Part::judged_on, Part::learned_by_pairs), std::log2(17005.0));
  check_refusal([&] { text_of(scratch, "abc")->task(masked_text).draw(1, some(0)); },
                "text.txt: a text of 3 bytes; expected 5160 or more");
}

BOOST_AUTO_TEST_CASE(a_run_records_its_way_its_test_and_its_tables) {
  const Scratch scratch;
  const SharedText text = text_of(scratch, repeated("abcdefg", 3000));
  const Run run{.task = std::string(masked_text),
                .arm = "add",
                .positions = "learned",
                .position_width = 8,
                .width = 32,
                .steps = 12,
                .start = 0.125,
                .until = "end"};
  const CellRecords cell = trained(run, 1, text);
  const Frame held = rows_of({cell}, "HeldOut"), tables = rows_of({cell}, "JoinedTables");
  BOOST_REQUIRE_EQUAL(held.size(), 3U);
  BOOST_TEST(held.numbers("share") == std::vector<double>({0.25, 0.5, 1}), boost::test_tools::per_element());
  BOOST_TEST(held[2].number("bits") < held[0].number("bits") - 0.1);
  near(end_of(cell).number("nats"), held.back().number("bits") * std::log(2.0));
  BOOST_REQUIRE_EQUAL(tables.size(), 2U);
  const Row& before = tables.front();
  BOOST_TEST(before.text("moment") == "before");
  // Eight of 32 coordinates hold the positions, about as much each: few, as no rotation would leave them.
  BOOST_TEST((before.number("ratio") > 6 && before.number("ratio") < 8.001));
  BOOST_TEST(before.number("turned") > 15);
  BOOST_TEST(before.number("held") <= 8 / 32.0);
  BOOST_TEST(std::abs(before.number("words") / before.number("held") - 1) < 0.6);
  BOOST_TEST(std::abs(before.number("overlap") - 1) < 0.6);
  // Beside the word nothing is shared, and words alone have no tables to compare.
  Run beside = run, alone = run;
  beside.arm = "concat";
  alone.arm = alone.positions = "none";
  alone.position_width = 0;
  beside.steps = alone.steps = 4;
  const CellRecords concatenated = trained(beside, 1, text);
  for (const Row& at : rows_of({concatenated}, "JoinedTables")) {
    BOOST_TEST(at.number("overlap") == 0);
    BOOST_TEST(at.number("words") == 0);
  }
  BOOST_TEST(rows_of({trained(alone, 1, text)}, "JoinedTables").empty());
  Run choosing = alone;
  choosing.until = "choice";
  const SharedText other =
      text_of(scratch, repeated("abcdefg", 2700) + repeated("a", 1050) + repeated("abcdefg", 150));
  BOOST_TEST(end_of(trained(choosing, 1, other)).number("nats") !=
             end_of(trained(alone, 1, other)).number("nats"));
}

BOOST_AUTO_TEST_CASE(a_run_that_diverges_has_four_times_the_loss_of_guessing_in_its_own_task) {
  const Scratch scratch;
  const SharedText text = text_of(scratch, repeated("abcdefg", 3000));
  for (const std::string_view name : {std::string_view("bite"), masked_text}) {
    const std::size_t classes = name == masked_text ? 7 : task_of("bite").classes;
    const Run run =
        run_of(name, {"add", "learned"}, {.width = 16, .steps = 8, .rate = 1e6, .until = "choice"});
    const Row end = end_of(cell_with(run, [&](Out& out) { train_or_fail(run, text, 1, out); }));
    BOOST_TEST(end.number("nats") == 4 * std::log(double(classes)), name);
    BOOST_TEST(end.whole("embedding_parameters") == 0U, name);
    BOOST_TEST(!has_learned(end), name);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(learning_training)

namespace {

model::Predictor<float> start_model(const Run& run) {
  return start_of(run, task_of(run.task), streams_of(run, 1));
}

Run bite_run(std::size_t steps, std::string until = "learned") {
  return run_of("bite", {"add", "learned"}, {.steps = steps, .until = std::move(until)});
}

}  // namespace

// ---- a run

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
    const Row end = end_of(trained(bite_run(steps)));
    BOOST_TEST(end.whole("learned_at") == twice);
    BOOST_TEST(has_learned(end) == (steps >= twice));
    BOOST_TEST(steps_used(end) == double(std::min(steps, twice)));
  }
}

BOOST_AUTO_TEST_CASE(a_run_that_learned_stops_and_keeps_its_end_alone) {
  const CellRecords stopped = trained(bite_run(300)), whole = trained(bite_run(300, "end"));
  BOOST_TEST(stopped.records.size() == 1U);
  BOOST_TEST(std::isnan(end_of(stopped).number("accuracy")));
  BOOST_TEST(end_of(whole).whole("learned_at") == end_of(stopped).whole("learned_at"));
  BOOST_TEST(end_of(whole).number("accuracy") > 0.9);
  std::vector<std::size_t> steps;
  for (const Row& at : rows_of({whole}, "Geometry")) steps.push_back(at.whole("step"));
  BOOST_TEST(steps == std::vector<std::size_t>({0, 10, 25, 50, 100, 150, 200, 250, 300}),
             boost::test_tools::per_element());
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

BOOST_AUTO_TEST_SUITE_END()
