// A10's chance lines against enumeration and against guessers who read the tasks' own draws.

#include <algorithm>
#include <cmath>
#include <map>

#include "perp/statistics/moments.hpp"
#include "studies/learning/a10_measure.hpp"
#include "studies/learning/tasks.hpp"
#include "tests/learning/quick.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::learning;
using namespace perp::test;

namespace {

/// Mean largest count over all ways in which the balls may fall.
double enumerated(std::size_t balls, std::size_t bins) {
  std::size_t ways = 1, sum = 0;
  for (std::size_t i = 0; i < balls; ++i) ways *= bins;
  for (std::size_t way = 0; way < ways; ++way) {
    std::vector<std::size_t> counts(bins);
    for (std::size_t i = 0, rest = way; i < balls; ++i, rest /= bins) ++counts[rest % bins];
    sum += *std::ranges::max_element(counts);
  }
  return static_cast<double>(sum) / static_cast<double>(ways);
}

/// Share right, per sequence, of a guesser who is shown the words that may be the answer, as a bag, and names
/// the most frequent one.
std::vector<double> guessed(const std::string& task, std::size_t sequences) {
  const model::Batch batch = task_of(task).draw(sequences, stream(1, "tests", "guess", 0, task));
  std::vector<double> shares;
  for (std::size_t first = 0; first < batch.tokens.size(); first += 32) {
    double right = 0, asked = 0;
    for (std::size_t r = first; r < first + 32; ++r) {
      if (batch.labels[r] == model::ignored_target) continue;
      std::map<std::int32_t, int> bag;
      for (std::size_t s = first; s < first + 32; ++s)
        if (batch.tokens[s] < 32 && s != r) ++bag[batch.tokens[s]];
      std::int32_t guess = 0;
      for (const auto& [word, count] : bag)
        if (count > bag[guess]) guess = word;
      if (task == "count") guess = std::min(bag[batch.tokens[r]] + 1, 8) - 1;
      right += guess == batch.labels[r];
      asked += 1;
    }
    shares.push_back(right / asked);
  }
  return shares;
}

void check_mean(const std::vector<double>& values, double expected, const std::string& what) {
  MomentSums sums;
  sums.add(std::span<const double>(values));
  const Moments moments = sums.moments();
  BOOST_TEST(std::abs(moments.mean - expected) <= tolerance::standard_errors * standard_error(moments),
             what << ": " << moments.mean << ", expected " << expected);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(learning_chance)

BOOST_AUTO_TEST_CASE(largest_count_by_enumeration) {
  for (const auto& [balls, bins] : std::vector<std::pair<std::size_t, std::size_t>>{
           {0, 3}, {1, 1}, {5, 1}, {3, 2}, {2, 7}, {5, 3}, {4, 4}, {7, 5}, {12, 2}})
    BOOST_TEST(std::abs(mean_largest_count(balls, bins) - enumerated(balls, bins)) <=
                   tolerance::special_function * static_cast<double>(balls + 1),
               balls << " in " << bins);
  check_refusal([] { mean_largest_count(3, 0); }, "no bins");
}

BOOST_AUTO_TEST_CASE(order_blind_guessers_by_monte_carlo) {
  for (const std::string task : {"copy1", "copy2", "named", "bite"})
    check_mean(guessed(task, 20'000), order_blind_share(task), task);
  for (const double share : guessed("count", 200)) BOOST_REQUIRE_EQUAL(share, 1.0);
  BOOST_TEST(order_blind_share("count") == 1);
  check_refusal([] { order_blind_share("text"); }, "no task 'text'");
}

BOOST_AUTO_TEST_CASE(constant_answers_by_monte_carlo) {
  for (const std::string task : {"copy2", "named", "bite", "count"}) {
    const model::Batch batch = task_of(task).draw(20'000, stream(1, "tests", "constant", 0, task));
    std::map<std::int32_t, double> counts;
    double asked = 0;
    for (const std::int32_t label : batch.labels)
      if (label != model::ignored_target) {
        counts[label] += 1;
        asked += 1;
      }
    const double most =
        std::ranges::max_element(counts, {}, &std::pair<const std::int32_t, double>::second)->second / asked;
    // The largest of 32 counts lies up to four errors above their mean by itself; answers of one sequence
    // hang together by eights in "count".
    const double p = constant_share(task), error = std::sqrt(8 * p / asked);
    BOOST_TEST(std::abs(most - p) <= 2 * tolerance::standard_errors * error,
               task << ": " << most << " " << p);
  }
  BOOST_TEST(constant_share("copy9") == 1.0 / 32);
  check_refusal([] { constant_share("text"); }, "no task 'text'");
}

BOOST_AUTO_TEST_SUITE_END()
