// Each task's answers against a slow reading of its tokens, the words and answers in use, keyed streams, and
// the text's windows.

#include "studies/learning/tasks.hpp"

#include <algorithm>
#include <cmath>
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
  if (s[t] == 33) return s[t - 3];  // "x bites y who?"
  if (s[t] == 34) return s[t - 1];  // "x bites y whom?"
  return ignored_target;
}

/// Tokens that may stand at t.
bool may_stand(const std::string& task, std::int32_t token, std::size_t t) {
  const auto within = [&](std::int32_t low, std::int32_t high) { return low <= token && token <= high; };
  if (task == "named") return t < 16 ? within(0, 31) : within(32, 47);
  if (task == "bite") return t % 4 == 1 ? token == 32 : t % 4 == 3 ? within(33, 34) : within(0, 31);
  return within(0, 31);
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
    // 6,400 tokens or more of at most 32 kinds: one is missed with a chance below e^-190.
    BOOST_TEST(words.size() == task.words, name);
    BOOST_TEST(*words.rbegin() == static_cast<std::int32_t>(task.words) - 1, name);
    BOOST_TEST(answers.size() == 32U, name);
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
}

BOOST_AUTO_TEST_CASE(draws_hang_on_their_stream_alone) {
  for (const std::string name : {"copy2", "named", "bite"}) {
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
  for (const char* name : {"copy", "copy0", "copy10", "Named", "count", ""})
    check_refusal([&] { task_of(name); }, "there are copy1 … copy9, named, bite");
}

BOOST_AUTO_TEST_CASE(one_word_in_five_of_a_text_is_masked_and_asked_for) {
  // Seven words in turns, so that every word follows from where its window begins.
  constexpr std::size_t sequences = 400, kinds = 7;
  const Scratch scratch;
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "aa bb cc dd ee ff gg ";
  const Text read(scratch.file("text.txt", text), kinds + 1, text.size());
  const Task task = read.task();
  BOOST_TEST(!task.causal);
  BOOST_TEST(task.words == kinds + 2);  // those, one for all others, and the mask
  BOOST_TEST(task.classes == kinds + 1);
  constexpr std::int32_t mask = kinds + 1;
  std::vector<std::int32_t> next(kinds, -1);  // learned from neighbours that both can be seen
  for (const auto& draw : {task.draw, task.draw_test}) {
    const Batch batch = draw(sequences, some(4));
    BOOST_REQUIRE_EQUAL(batch.tokens.size(), sequences * 32);
    const std::vector<Sequence> tokens = cut(batch.tokens, 32), labels = cut(batch.labels, 32);
    for (const Sequence& s : tokens)
      for (std::size_t t = 1; t < 32; ++t)
        if (s[t - 1] != mask && s[t] != mask) next.at(std::size_t(s[t - 1])) = s[t];
    std::size_t wrong = 0;
    std::vector<std::size_t> at(32, 0);
    for (std::size_t i = 0; i < sequences; ++i) {
      const auto first = std::ranges::find_if(tokens[i], [](std::int32_t token) { return token != mask; });
      std::int32_t word = *first;
      for (auto t = std::size_t(first - tokens[i].begin()); t < 32; ++t, word = next[std::size_t(word)]) {
        const bool masked = tokens[i][t] == mask;
        wrong += masked ? labels[i][t] != word : tokens[i][t] != word || labels[i][t] != ignored_target;
        at[t] += masked;
      }
    }
    BOOST_TEST(wrong == 0U);
    const auto near_a_fifth = [](std::size_t count, double of) {
      BOOST_TEST(std::abs(double(count) - 0.2 * of) <= tolerance::standard_errors * std::sqrt(0.16 * of));
    };
    near_a_fifth(std::size_t(std::ranges::count(batch.tokens, mask)), 32.0 * sequences);
    for (std::size_t t = 1; t < 32; ++t) near_a_fifth(at[t], sequences);  // wherever it stands
  }
}

BOOST_AUTO_TEST_CASE(a_text_is_counted_and_named) {
  const Scratch scratch;
  std::string text;
  for (int i = 0; i < 100; ++i) text += "aa bb aa cc ";
  const Text read(scratch.file("text.txt", text), 4, text.size());
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
  const auto words = [](const Batch& batch) {
    std::set<std::int32_t> words(batch.tokens.begin(), batch.tokens.end());
    words.insert(batch.labels.begin(), batch.labels.end());
    words.erase(ignored_target);
    words.erase(5);  // the mask
    return words;
  };
  const std::set<std::int32_t> learned = words(read.task().draw(200, some(5))),
                               tested = words(read.task().draw_test(200, some(5)));
  BOOST_TEST(learned.size() == 2U);
  BOOST_TEST(tested.size() == 2U);
  for (const std::int32_t word : tested) BOOST_TEST(!learned.contains(word));
}

BOOST_AUTO_TEST_CASE(a_text_is_read_where_it_is_there_and_preset_long) {
  const Scratch scratch;
  Options options = quick_options();
  options.extra["corpus"] = scratch.file("text.txt", "aa bb").string();
  for (const Preset preset : {Preset::quick, Preset::full}) {
    options.preset = preset;
    BOOST_TEST(!load_text(options));
  }
  options.preset = Preset::long_;
  const SharedText text = load_text(options);
  BOOST_REQUIRE(text);
  BOOST_TEST(text->vocabulary() == 4000U);
  BOOST_TEST(text->input().name == "text.txt");
  options.extra["corpus"] = "none";
  BOOST_TEST(!load_text(options));
  options.extra["corpus"] = (scratch / "absent.txt").string();
  for (const Preset preset : {Preset::quick, Preset::full, Preset::long_}) {
    options.preset = preset;
    check_refusal([&] { measure(study(), options); }, "absent.txt: no such file");
  }
}

BOOST_AUTO_TEST_SUITE_END()
