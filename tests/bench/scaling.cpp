// Exponents and speed-ups from seconds that are made up.

#include "bench/scaling.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/support/refusal.hpp"

using namespace perp;
using namespace perp::bench;
using perp::test::check_refusal;

namespace {

/// Three rounds, the second twice and the third four times as slow: seconds = scale size^exponent.
std::vector<Timed> power_law(const std::string& sweep, double exponent, double operations) {
  std::vector<Timed> rows;
  for (const std::size_t round : {1, 2, 3})
    for (const double size : {16.0, 32.0, 64.0, 128.0})
      rows.push_back({sweep, size, round,
                      std::ldexp(1e-3, static_cast<int>(round) - 1) * std::pow(size, exponent),
                      7 * std::pow(size, operations)});
  return rows;
}

const auto tiny = boost::test_tools::tolerance(1e-12);

}  // namespace

BOOST_AUTO_TEST_SUITE(bench_scaling)

BOOST_AUTO_TEST_CASE(a_power_law_gives_its_exponent_back) {
  std::vector<Timed> rows = power_law("length", 1.75, 2);
  for (const Timed& other : power_law("words", 1, 1)) rows.push_back(other);
  const PowerFit fit = fit_power(rows, "length");
  BOOST_TEST(fit.exponent.value == 1.75, tiny);
  BOOST_TEST(fit.operations == 2.0, tiny);
  // What slows a whole round moves no exponent.
  BOOST_TEST(*fit.exponent.high - *fit.exponent.low < 1e-9);
  BOOST_TEST(fit.rounds == 3u);
  BOOST_TEST(fit_power(rows, "words").exponent.value == 1.0, tiny);
}

BOOST_AUTO_TEST_CASE(rounds_that_differ_widen_the_interval) {
  std::vector<Timed> rows;
  for (const std::size_t round : {1, 2})
    for (const double size : {2.0, 8.0})
      rows.push_back({"words", size, round, std::pow(size, round == 1 ? 0.9 : 1.1), size});
  const PowerFit fit = fit_power(rows, "words");
  BOOST_TEST(fit.exponent.value == 1.0, tiny);
  // Student's t with one degree of freedom: 12.706 standard errors of 0.1.
  BOOST_TEST(*fit.exponent.high == 1 + 1.2706, boost::test_tools::tolerance(1e-4));
  check_refusal([&] { fit_power({rows.begin(), rows.begin() + 2}, "words"); }, "words: 1 rounds");
  check_refusal([&] { fit_power(rows, "length"); }, "length: 0 rounds");
}

BOOST_AUTO_TEST_CASE(speed_ups_are_paired_by_round) {
  const std::vector<StudyTime> runs{
      {"order", 1, 1, 2, 2, 1.5}, {"order", 1, 2, 1},          {"order", 2, 2, 10}, {"order", 2, 1, 18, 4, 3},
      {"order", 3, 1, 4, 8, 6},   {"capacity", 1, 1, 5, 5, 5}, {"order", 3, 2, 2}};
  const SpeedUp s = speed_up(runs, "order");
  BOOST_TEST(s.ratio.value == (2 + 1.8 + 2) / 3, tiny);
  BOOST_TEST(s.one_s == 4.0);
  BOOST_TEST(s.most_s == 2.0);
  // Amdahl: 2 s of which 1.5 divide.
  BOOST_TEST(s.possible == 1.6, tiny);
  BOOST_TEST(s.at_most == 4.0, tiny);
  BOOST_TEST(s.threads == 2u);
  BOOST_TEST(s.rounds == 3u);
  BOOST_TEST((*s.ratio.low < s.ratio.value && s.ratio.value < *s.ratio.high));
  check_refusal([&] { speed_up(runs, "capacity"); }, "capacity: 1 rounds");
}

BOOST_AUTO_TEST_CASE(rows_come_back_as_they_went) {
  const std::vector<Timed> rows = power_law("cells", 1, 1),
                           back = timed_from(parse_csv(to_csv(rows), "rows.csv"));
  BOOST_TEST(to_csv(back) == to_csv(rows));
  BOOST_TEST(back.at(9).seconds == rows[9].seconds);
  check_refusal([] { timed_from(parse_csv("sweep,size,round,seconds,operations\na,1,1,0,1\n", "rows.csv")); },
                "rows.csv, line 2: seconds is 0");
  for (const auto& [row, message] : {std::pair{"a,1,-2,1,2,1", "runs.csv, line 3: threads is -2"},
                                     {"a,1,1,1,2,2", "runs.csv, line 3: cells took all of 2"}})
    check_refusal([text = fmt::format("study,round,threads,seconds,cpu,cells\na,1,1,1,2,1\n{}\n",
                                      row)] { runs_from(parse_csv(text, "runs.csv")); },
                  message);
}

BOOST_AUTO_TEST_SUITE_END()
