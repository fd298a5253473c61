// Each task's answers against a slow reading of its tokens, what can be answered without the order, and keyed
// streams.

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

BOOST_AUTO_TEST_CASE(who_knows_no_order_guesses_the_most_frequent_word) {
  // Of the words that may be the answer, as a bag; 20,000 sequences, each one observation.
  // The mean largest count of 31 (16) words that fall into 32 kinds, over their number.
  for (const auto& [task, blind] : {std::pair<std::string, double>{"copy1", 0.111917},
                                    {"copy2", 0.111917},
                                    {"named", 0.149524},
                                    {"bite", 0.149524}}) {
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
    BOOST_TEST(std::abs(moments.mean - blind) <= tolerance::standard_errors * standard_error(moments),
               task << ": " << moments.mean);
  }
}

BOOST_AUTO_TEST_SUITE_END()
