// Each task's answers against a slow reading of its tokens, the words and answers in use, keyed streams, and
// the text's windows.

#include "studies/learning/tasks.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>

#include "studies/learning/text.hpp"
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

using Sequence = std::vector<std::int32_t>;

/// The sequences of a batch, tokens or labels, one by one.
std::vector<Sequence> cut(const std::vector<std::int32_t>& all, std::size_t length) {
  std::vector<Sequence> sequences;
  for (std::size_t from = 0; from < all.size(); from += length)
    sequences.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(from),
                           all.begin() + static_cast<std::ptrdiff_t>(from + length));
  return sequences;
}

/// What a reader answers at token t of a sequence of 32, by the words of tasks.hpp.
std::int32_t answer_of(const std::string& task, const Sequence& s, std::size_t t) {
  if (task.starts_with("copy")) {
    const int from = static_cast<int>(t) - (task.back() - '0');
    return from < 0 ? ignored_target : s[static_cast<std::size_t>(from)];
  }
  if (task == "named") return t < 16 ? ignored_target : s.at(static_cast<std::size_t>(s[t] - 32));
  if (task == "count")
    return std::min<std::int32_t>(8, static_cast<std::int32_t>(std::ranges::count(s, s[t]))) - 1;
  if (s[t] == 33) return s[t - 3];  // "x bites y who?"
  if (s[t] == 34) return s[t - 1];  // "x bites y whom?"
  return ignored_target;
}

/// Tokens that may stand at t.
bool may_stand(const std::string& task, std::int32_t token, std::size_t t) {
  const auto within = [&](std::int32_t low, std::int32_t high) { return low <= token && token <= high; };
  if (task == "named") return t < 16 ? within(0, 31) : within(32, 47);
  if (task == "count") return within(0, 7);
  if (task == "bite") return t % 4 == 1 ? token == 32 : t % 4 == 3 ? within(33, 34) : within(0, 31);
  return within(0, 31);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(learning_tasks)

BOOST_AUTO_TEST_CASE(answers_are_what_a_reader_says) {
  for (const std::string name : {"copy1", "copy2", "copy9", "named", "bite", "count"}) {
    const Task task = task_of(name);
    const Batch batch = task.draw(400, some(0));
    BOOST_REQUIRE_EQUAL(batch.length, 32U);
    BOOST_REQUIRE_EQUAL(batch.tokens.size(), 400U * 32);
    BOOST_REQUIRE_EQUAL(batch.labels.size(), batch.tokens.size());
    const std::vector<Sequence> tokens = cut(batch.tokens, 32), labels = cut(batch.labels, 32);
    std::size_t wrong = 0, misplaced = 0;
    std::set<std::int32_t> words, answers;
    for (std::size_t i = 0; i < tokens.size(); ++i)
      for (std::size_t t = 0; t < 32; ++t) {
        wrong += labels[i][t] != answer_of(name, tokens[i], t);
        misplaced += !may_stand(name, tokens[i][t], t);
        words.insert(tokens[i][t]);
        if (labels[i][t] != ignored_target) answers.insert(labels[i][t]);
      }
    BOOST_TEST(wrong == 0U, name);
    BOOST_TEST(misplaced == 0U, name);
    // 6,400 tokens or more of at most 32 kinds: one is missed with a chance below e^-190; a largest count of
    // 8 and more, or of 1, is seen in every second sequence.
    BOOST_TEST(words.size() == task.words, name);
    BOOST_TEST(*words.rbegin() == static_cast<std::int32_t>(task.words) - 1, name);
    BOOST_TEST(answers.size() == (name == "count" ? 8U : 32U), name);
    BOOST_TEST(*answers.rbegin() < static_cast<std::int32_t>(task.classes), name);
    BOOST_TEST(*answers.begin() == 0, name);
    BOOST_TEST(!task.causal, name);
  }
}

BOOST_AUTO_TEST_CASE(words_places_and_questions_are_uniform) {
  // Counts of n tokens in k kinds within 5 standard errors: false alarm 6e-7 each, some 100 of them.
  const auto check = [](const char* name, std::int32_t low, std::int32_t high, std::size_t of_each_sequence) {
    constexpr std::size_t sequences = 2000;
    const Batch batch = task_of(name).draw(sequences, some(1));
    const double kinds = high - low + 1, n = static_cast<double>(sequences * of_each_sequence),
                 error = std::sqrt(n / kinds * (1 - 1 / kinds));
    for (std::int32_t token = low; token <= high; ++token) {
      const double count = static_cast<double>(std::ranges::count(batch.tokens, token));
      BOOST_TEST(std::abs(count - n / kinds) <= tolerance::standard_errors * error, name << " " << token);
    }
  };
  check("copy2", 0, 31, 32);
  check("named", 0, 31, 16);
  check("named", 32, 47, 16);
  check("bite", 0, 31, 16);
  check("bite", 33, 34, 8);
  check("count", 0, 7, 32);
}

BOOST_AUTO_TEST_CASE(draws_hang_on_their_stream_alone) {
  for (const std::string name : {"copy2", "named", "bite", "count"}) {
    const Task task = task_of(name);
    const Batch batch = task.draw(5, some(2)), again = task.draw(5, some(2)), other = task.draw(5, some(3)),
                more = task.draw(9, some(2)), test = task.draw_test(5, some(2));
    BOOST_TEST(batch.tokens == again.tokens, name);
    BOOST_TEST(batch.labels == again.labels, name);
    BOOST_TEST(batch.tokens == test.tokens, name);
    BOOST_TEST((batch.tokens != other.tokens), name);
    BOOST_TEST((Sequence(more.tokens.begin(), more.tokens.begin() + 160) == batch.tokens), name);
  }
}

BOOST_AUTO_TEST_CASE(other_tasks_are_refused) {
  for (const char* name : {"copy", "copy0", "copy10", "Named", ""})
    check_refusal([&] { task_of(name); }, "there are copy1 … copy9, named, bite, count");
}

BOOST_AUTO_TEST_CASE(windows_of_a_text_are_followed_by_their_next_word) {
  const Scratch scratch;
  std::string text;
  for (int i = 0; i < 100; ++i) text += "aa bb aa cc ";
  const Text read(scratch.file("text.txt", text), 4, text.size());
  const Task task = read.task();
  BOOST_TEST(task.causal);
  BOOST_TEST(task.words == 4U);
  BOOST_TEST(task.classes == 4U);
  const Batch batch = task.draw(50, some(4));
  std::size_t broken = 0;
  for (std::size_t i = 0; i < batch.tokens.size(); ++i) {
    // aa, the most frequent, is word 0 and follows every other; bb and cc take turns.
    broken += (batch.tokens[i] == 0) == (batch.labels[i] == 0);
    if (i % 32 != 31) broken += batch.labels[i] != batch.tokens[i + 1];
    if (i % 32 < 30 && batch.tokens[i] != 0) broken += batch.labels[i + 1] == batch.tokens[i];
  }
  BOOST_TEST(broken == 0U);
  // 360 words to learn from, 40 for the test: one count is added to each of four words.
  const double nats = -(std::log(181.0 / 364) + std::log(91.0 / 364)) / 2;
  BOOST_TEST(std::abs(read.unigram_perplexity() - std::exp(nats)) < 1e-12);
  BOOST_TEST(Text(scratch / "text.txt", 4, text.size()).hashes() == read.hashes());
  BOOST_TEST((Text(scratch / "text.txt", 3, text.size()).hashes() != read.hashes()));
  check_refusal([&] { Text(scratch / "text.txt", 5, text.size()).task().draw(1, some(0)); },
                "3 different words; expected 4 or more");
  check_refusal([&] { Text(scratch / "text.txt", 4, 600).task().draw(1, some(0)); }, "expected ten times 32");
}

BOOST_AUTO_TEST_CASE(a_text_is_tested_where_it_was_not_learned_from) {
  const Scratch scratch;
  std::string text;  // the last tenth has two words of its own
  for (int i = 0; i < 900; ++i) text += i % 2 ? "aa " : "bb ";
  for (int i = 0; i < 100; ++i) text += i % 2 ? "cc " : "dd ";
  const Text read(scratch.file("text.txt", text), 5, text.size());
  std::set<std::int32_t> learned, tested;
  for (const std::int32_t word : read.task().draw(200, some(5)).labels) learned.insert(word);
  for (const std::int32_t word : read.task().draw_test(200, some(5)).labels) tested.insert(word);
  BOOST_TEST(learned.size() == 2U);
  BOOST_TEST(tested.size() == 2U);
  for (const std::int32_t word : tested) BOOST_TEST(!learned.contains(word));
}

BOOST_AUTO_TEST_SUITE_END()
