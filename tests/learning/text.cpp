// A text, byte by byte: what is asked for, what is kept for the test, and what a run on it records.

#include "studies/learning/text.hpp"

#include <set>

#include "studies/learning/text_training.hpp"
#include "tests/learning/quick.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::learning;
using namespace perp::test;

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

BOOST_AUTO_TEST_SUITE(learning_text)

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
  check_refusal([&] { text->task("copy2"); }, "no task 'copy2' on a text");
}

BOOST_AUTO_TEST_CASE(a_text_is_tested_where_it_was_not_learned_from) {
  const Scratch scratch;
  // Eighteen parts of a and b, one of c and d for choosing, one of b and e: half each.
  const SharedText text = text_of(scratch, repeated("ab", 9000) + repeated("cd", 500) + repeated("be", 500));
  near(text->unigram_bits(), -(std::log2(9001 / 18005.0) + std::log2(1 / 18005.0)) / 2);
  BOOST_TEST(text->words() == 6U);
  const auto seen = [&](const Task& task, const auto& draw) {
    const model::Batch batch = draw(200, some(5));
    std::set<std::int32_t> kinds;
    for (std::size_t r = 0; r < batch.tokens.size(); ++r) kinds.insert(byte_at(task, batch, r));
    return kinds;
  };
  const Task task = text->task(masked_text), choosing = text->task(masked_text, Text::Part::chosen_on);
  BOOST_TEST(seen(task, task.draw) == std::set<std::int32_t>({0, 1}));
  BOOST_TEST(seen(task, task.draw_test) == std::set<std::int32_t>({1, 4}));
  BOOST_TEST(seen(choosing, choosing.draw) == std::set<std::int32_t>({0, 1}));
  BOOST_TEST(seen(choosing, choosing.draw_test) == std::set<std::int32_t>({2, 3}));
  check_refusal([&] { text_of(scratch, "abc")->task(masked_text).draw(1, some(0)); },
                "text.txt: a text of 3 bytes; expected 5160 or more");
}

BOOST_AUTO_TEST_CASE(pairs_are_judged_on_a_part_that_they_do_not_learn_from) {
  const Scratch scratch;
  // Seventeen parts of a, one of b that judges, one of c to choose on, one of d.
  const SharedText text = text_of(
      scratch, repeated("a", 17000) + repeated("b", 1000) + repeated("c", 1000) + repeated("d", 1000));
  const auto kinds = [](const Task& task, const auto& draw) {
    const model::Batch batch = draw(50, some(7));
    std::set<std::int32_t> seen;
    for (std::size_t r = 0; r < batch.tokens.size(); ++r) seen.insert(byte_at(task, batch, r));
    return seen;
  };
  using Part = Text::Part;
  const Task judged_there = text->task(masked_text, Part::judged_on, Part::learned_by_pairs);
  BOOST_TEST((kinds(judged_there, judged_there.draw) == std::set<std::int32_t>{0}));
  BOOST_TEST((kinds(judged_there, judged_there.draw_test) == std::set<std::int32_t>{1}));
  const Task tried_there = text->task(masked_text, Part::chosen_on, Part::learned_by_pairs);
  BOOST_TEST((kinds(tried_there, tried_there.draw_test) == std::set<std::int32_t>{2}));
  const Task usual = text->task(masked_text);
  BOOST_TEST((kinds(usual, usual.draw) == std::set<std::int32_t>{0, 1}));
  near(text->unigram_bits(Part::judged_on, Part::learned_by_pairs), std::log2(17004.0));
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
  const auto curve = rows_of<CurvePoint>({cell});
  const auto held = rows_of<HeldOut>({cell});
  const auto tables = rows_of<JoinedTables>({cell});
  BOOST_REQUIRE_EQUAL(curve.size(), 12U);  // every step, where there are fewer than points
  BOOST_TEST(curve.front().tokens == 4096.0);
  BOOST_TEST(curve.back().tokens == 12 * 4096.0);
  BOOST_TEST(curve.back().bits < curve.front().bits - 0.2);
  BOOST_REQUIRE_EQUAL(held.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    BOOST_TEST(held[i].share == (i == 0 ? 0.25 : i == 1 ? 0.5 : 1));
    // As the bytes learned from at that time: all are one kind of text.
    BOOST_TEST(std::abs(held[i].bits - curve[i == 0 ? 3 : i == 1 ? 6 : 11].bits) < 0.5);
  }
  near(end_of(cell).nats, held.back().bits * std::log(2.0));
  BOOST_REQUIRE_EQUAL(tables.size(), 2U);
  BOOST_TEST(tables[0].moment == "before");
  BOOST_TEST(std::abs(tables[0].word_norm / (0.125 * std::sqrt(32.0)) - 1) < 0.2);
  BOOST_TEST(std::abs(tables[0].position_norm / std::sqrt(8 / 2.0) - 1) < 0.1);
  // Eight of 32 coordinates hold the positions, about as much each: few, as no rotation would leave them.
  BOOST_TEST(tables[0].ratio < 8.001);
  BOOST_TEST(tables[0].ratio > 6);
  BOOST_TEST(tables[0].turned > 15);
  BOOST_TEST(tables[0].held <= 8 / 32.0);
  BOOST_TEST(std::abs(tables[0].words / tables[0].held - 1) < 0.6);
  BOOST_TEST(std::abs(tables[0].overlap - 1) < 0.6);
  // Beside the word nothing is shared, and words alone have no tables to compare.
  Run beside = run, alone = run;
  beside.arm = "concat";
  alone.arm = alone.positions = "none";
  alone.position_width = 0;
  beside.steps = alone.steps = 4;
  const auto joined = rows_of<JoinedTables>({trained(beside, 1, text)});
  for (const JoinedTables& at : joined) {
    BOOST_TEST(at.overlap == 0);
    BOOST_TEST(at.words == 0);
  }
  BOOST_TEST(rows_of<JoinedTables>({trained(alone, 1, text)}).empty());
  Run choosing = alone;
  choosing.until = "choice";
  const SharedText other =
      text_of(scratch, repeated("abcdefg", 2700) + repeated("a", 1050) + repeated("abcdefg", 150));
  BOOST_TEST(end_of(trained(choosing, 1, other)).nats != end_of(trained(alone, 1, other)).nats);
  // The same seed's data, whatever the arm.
  BOOST_TEST(std::abs(rows_of<CurvePoint>({trained(beside, 1, text)})[0].bits - curve[0].bits) < 0.5);
}

BOOST_AUTO_TEST_CASE(a_run_that_diverges_has_four_times_the_loss_of_guessing_in_its_own_task) {
  const Scratch scratch;
  const SharedText text = text_of(scratch, repeated("abcdefg", 3000));
  for (const std::string_view name : {std::string_view("bite"), masked_text}) {
    const std::size_t classes = name == masked_text ? 7 : task_of("bite").classes;
    const Run run =
        run_of(name, {"add", "learned"}, {.width = 16, .steps = 8, .rate = 1e6, .until = "choice"});
    const Trained end = end_of(cell_with(run, [&](Rows& rows) { train_or_fail(run, text, 1, rows); }));
    BOOST_TEST(end.nats == 4 * std::log(double(classes)), name);
    BOOST_TEST(!end.learned(), name);
  }
}

BOOST_AUTO_TEST_SUITE_END()
