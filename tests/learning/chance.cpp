// A10's chance lines against enumeration and against guessers who read the tasks' own draws.

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

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
  for (const std::string task : {"copy2", "named"})
    BOOST_TEST(value(fmt::format("A10.order_blind.{}", task)) == order_blind_share(task));
  check_refusal([] { order_blind_share("text"); }, "no task 'text'");
}

BOOST_AUTO_TEST_CASE(a_sinusoids_constant_share_by_plain_sums) {
  for (const auto& [length, d] : std::vector<std::pair<int, int>>{{32, 16}, {32, 32}, {512, 512}, {7, 4}}) {
    double constant = 0, power = 0;
    for (int i = 0; i < d / 2; ++i)
      for (const double quarter : {0.0, std::numbers::pi / 2}) {
        double sum = 0;
        for (int t = 0; t < length; ++t) {
          const double entry = std::sin(quarter + t * std::pow(10000.0, -2.0 * i / d));
          sum += entry;
          power += entry * entry / length;
        }
        constant += sum * sum / length / length;
      }
    near(constant_power_share(std::size_t(length), std::size_t(d)), constant / power, 1e-9);
  }
  near(value("A10.constant_share.width32.l32"), constant_power_share(32, 32));
  BOOST_TEST(std::abs(constant_power_share(32, 32) - 0.69) < 0.005);  // 69 % by another program
}

BOOST_AUTO_TEST_SUITE_END()
