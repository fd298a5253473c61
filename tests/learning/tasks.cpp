// Each task's answers against a slow reading of its tokens, and what can be answered without the order; keyed
// streams; and the text's windows.

#include "studies/learning/tasks.hpp"

#include <map>
#include <set>

#include "studies/learning/a10_measure.hpp"
#include "tests/learning/quick.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::learning;
using namespace perp::test;
using model::Batch;
using model::ignored_target;

namespace {

Stream some(std::uint64_t replicate) { return stream(1, "tests", "tasks", replicate, "draw"); }

/// What a reader answers at token r of a batch, by the words of tasks.hpp.
std::int32_t answer_of(const std::string& task, const Batch& batch, std::size_t r) {
  const std::size_t t = r % 32;
  const std::int32_t* token = &batch.tokens[r];
  if (task.starts_with("copy")) {
    const int before = task.back() - '0';
    return int(t) < before ? ignored_target : token[-before];
  }
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

Text text_of(const Scratch& scratch, const std::string& words, std::size_t vocabulary,
             std::size_t bytes = 0) {
  return {scratch.file("text.txt", words), vocabulary, bytes > 0 ? bytes : words.size()};
}
std::string repeated(const char* words, std::size_t times) {
  std::string text;
  while (times-- > 0) text += words;
  return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(learning_tasks)

BOOST_AUTO_TEST_CASE(answers_are_what_a_reader_says) {
  for (const std::string name : {"copy1", "copy2", "copy9", "named", "bite"}) {
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
  for (const char* name : {"copy", "copy0", "copy10", "Named", "count", ""})
    check_refusal([&] { task_of(name); }, "there are copy1 … copy9, named, bite");
}

// ---- without the order

BOOST_AUTO_TEST_CASE(largest_count_by_enumeration) {
  const struct {
    std::size_t balls, bins;
    double largest, ways;
  } rows[]{{0, 3, 0, 1}, {5, 1, 5, 1}, {3, 2, 18, 8}, {2, 7, 56, 49}, {5, 3, 675, 243}, {4, 4, 544, 256}};
  for (const auto& row : rows) near(mean_largest_count(row.balls, row.bins), row.largest / row.ways);
  check_refusal([] { mean_largest_count(3, 0); }, "no bins");
  check_refusal([] { order_blind_share("text"); }, "no task 'text'");
}

BOOST_AUTO_TEST_CASE(who_knows_no_order_guesses_the_most_frequent_word) {
  // Of the words that may be the answer, as a bag; 20,000 sequences, each one observation.
  for (const std::string task : {"copy1", "copy2", "named", "bite"}) {
    const Batch batch = task_of(task).draw(20'000, some(2));
    MomentSums shares;
    for (std::size_t first = 0; first < batch.tokens.size(); first += 32) {
      double right = 0, asked = 0;
      for (std::size_t r = first; r < first + 32; ++r) {
        if (batch.labels[r] == ignored_target) continue;
        std::map<std::int32_t, int> bag;
        for (std::size_t s = first; s < first + 32; ++s)
          if (batch.tokens[s] < 32 && s != r) ++bag[batch.tokens[s]];
        const auto most = std::ranges::max_element(bag, {}, [](const auto& entry) { return entry.second; });
        right += most->first == batch.labels[r];
        ++asked;
      }
      shares.add(right / asked);
    }
    const Moments moments = shares.moments();
    BOOST_TEST(std::abs(moments.mean - order_blind_share(task)) <=
                   tolerance::standard_errors * standard_error(moments),
               task << ": " << moments.mean);
  }
}

// ---- text

BOOST_AUTO_TEST_CASE(one_word_in_five_of_a_text_is_masked_and_asked_for) {
  // Seven words in turns, numbered in some order, so that every word follows from the one before.
  constexpr std::size_t sequences = 400, kinds = 7;
  const Scratch scratch;
  const Text text = text_of(scratch, repeated("aa bb cc dd ee ff gg ", 2000), kinds + 1);
  const Task task = text.task();
  BOOST_TEST(task.words == kinds + 2);  // those, one for all others, and the mask
  BOOST_TEST(task.classes == kinds + 1);
  constexpr std::int32_t mask = kinds + 1;
  for (const auto& draw : {task.draw, task.draw_test}) {
    const Batch batch = draw(sequences, some(4));
    BOOST_REQUIRE_EQUAL(batch.tokens.size(), sequences * 32);
    std::set<std::pair<std::int32_t, std::int32_t>> neighbours;
    std::array<double, 32> masked{};
    std::int32_t before = 0;
    for (std::size_t r = 0; r < batch.tokens.size(); ++r) {
      const bool asked = batch.labels[r] != ignored_target;
      BOOST_TEST((batch.tokens[r] == mask) == asked);
      const std::int32_t word = asked ? batch.labels[r] : batch.tokens[r];
      if (r % 32 > 0) neighbours.emplace(before, word);
      before = word;
      masked[r % 32] += asked;
    }
    BOOST_TEST(neighbours.size() == kinds);
    for (const double count : masked)  // wherever it stands
      BOOST_TEST(std::abs(count - 0.2 * sequences) <=
                 tolerance::standard_errors * std::sqrt(0.16 * sequences));
  }
}

BOOST_AUTO_TEST_CASE(a_text_is_counted_and_tested_where_it_was_not_learned_from) {
  const Scratch scratch;
  // 360 words to learn from, 40 for the test, of which one occurred once and the other never; one count is
  // added to each of five words.
  const std::string words =
      repeated("aa bb aa aa ", 45) + "aa bb aa cc " + repeated("aa bb aa aa ", 44) + repeated("cc dd ", 20);
  const Text text = text_of(scratch, words, 5);
  near(text.unigram_perplexity(), 365 / std::sqrt(2.0));
  const auto seen = [](const Batch& batch) {
    std::set<std::int32_t> words(batch.tokens.begin(), batch.tokens.end());
    words.erase(5);  // the mask
    return words;
  };
  const std::set<std::int32_t> learned = seen(text.task().draw(200, some(5))),
                               tested = seen(text.task().draw_test(200, some(5)));
  BOOST_TEST(learned == std::set<std::int32_t>({0, 1, 2}), boost::test_tools::per_element());
  BOOST_TEST(tested == std::set<std::int32_t>({2, 3}), boost::test_tools::per_element());
  BOOST_TEST(text_of(scratch, words, 5).hashes() == text.hashes());
  BOOST_TEST((text_of(scratch, words, 4).hashes() != text.hashes()));
  check_refusal([&] { text_of(scratch, words, 6).task().draw(1, some(0)); },
                "4 different words; expected 5 or more");
  check_refusal([&] { text_of(scratch, words, 3, 600).task().draw(1, some(0)); }, "expected ten times 32");
}

BOOST_AUTO_TEST_CASE(a_text_is_read_where_it_is_there_and_preset_long) {
  const Scratch scratch;
  const std::string there = scratch.file("text.txt", "aa bb").string(),
                    absent = (scratch / "absent.txt").string();
  for (const Preset preset : {Preset::quick, Preset::full, Preset::long_}) {
    Options options = options_of(preset);
    BOOST_TEST(!load_text(options));
    options.extra["corpus"] = there;
    BOOST_TEST(bool(load_text(options)) == (preset == Preset::long_));
    options.extra["corpus"] = absent;
    check_refusal([&] { load_text(options); }, "absent.txt: no such file");
  }
}

BOOST_AUTO_TEST_SUITE_END()
