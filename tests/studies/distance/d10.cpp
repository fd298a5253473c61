// D10: bases of the quick preset held against plain sums at every lag, and what the grid says of longer ones.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <sstream>
#include <string>

#include "studies/distance/answers.hpp"
#include "tests/studies/distance/quick.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;

namespace {

/// The lowest sum over lags 1 to L, over its value at lag 0.
double lowest(std::size_t d, double base, std::size_t length) {
  double lowest = 1;
  for (std::size_t lag = 1; lag <= length; ++lag) {
    double sum = 0;
    for (std::size_t i = 0; i < d / 2; ++i)
      sum += std::cos(static_cast<double>(lag) *
                      std::pow(base, -2 * static_cast<double>(i) / static_cast<double>(d)));
    lowest = std::min(lowest, sum / static_cast<double>(d) * 2);
  }
  return lowest;
}

/// Of the bases that fall nowhere below 0.
double exact(const char* column, std::size_t length, std::size_t d) {
  const Table& bases = table("d10_bases.csv");
  for (std::size_t row = 0; row < bases.rows.size(); ++row)
    if (bases.number(row, "l") == static_cast<double>(length) &&
        bases.number(row, "d") == static_cast<double>(d))
      return bases.number(row, column);
  BOOST_FAIL("no row of L = " << length << ", d = " << d);
  return NAN;
}

std::optional<std::string> answer(std::map<std::string, std::string> extra) {
  Options options;
  options.extra = std::move(extra);
  options.json = true;
  return distance::answer_base(options, "base-for");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(distance_d10)

BOOST_AUTO_TEST_CASE(ends_are_where_a_lag_turns_negative) {
  for (const std::size_t length : {512, 2048})
    for (const std::size_t d : {64, 256})
      for (const char* measure : {"least", "safe"})
        for (const int side : {-1, 1}) {
          const double base = exact(measure, length, d) * (1 + side * tolerance::base_end);
          BOOST_TEST((lowest(d, base, length) >= 0) == (side > 0), measure << " " << length << " " << d);
        }
  const Table& models = table("d10_models.csv");
  for (std::size_t row = 0; row < models.rows.size(); ++row) {
    if (models.number(row, "d") != 128 || models.number(row, "base") != 10000) continue;
    const auto to = static_cast<std::size_t>(models.number(row, "good_to"));
    BOOST_TEST(lowest(128, 10000, to) >= 0);
    BOOST_TEST(lowest(128, 10000, to + 1) < 0);
  }
}

BOOST_AUTO_TEST_CASE(least_and_safe_on_a_grid) {
  const std::vector<double> bases = distance::grid_of_bases(4096, 4);
  BOOST_TEST(bases.front() == 4096);
  BOOST_TEST(bases[4] == 8192);
  BOOST_TEST(bases.back() == 1e9);
  BOOST_TEST((std::ranges::adjacent_find(bases, std::greater_equal<>()) == bases.end()));
  // Bases 200, 400, 800 …; those below L/8 are not asked.
  const auto on_grid = [](std::initializer_list<std::size_t> good_to, std::size_t length) {
    std::vector<distance::Reached> rows;
    double base = 100;
    for (const std::size_t lag : good_to) rows.push_back({base *= 2, lag});
    return distance::on_grid(rows, length);
  };
  const auto found = on_grid({9, 500, 9, 9, 500, 500}, 400);
  BOOST_TEST(found.least == 400);
  BOOST_TEST(found.safe == 3200);
  BOOST_TEST(on_grid({500, 500}, 400).safe == 200);
  BOOST_TEST(on_grid({5000, 5000, 9, 5000}, 4000).least == 1600);
  BOOST_TEST(std::isnan(on_grid({9, 500, 9}, 400).safe));
  BOOST_TEST(std::isnan(on_grid({9, 9}, 400).least));
}

BOOST_AUTO_TEST_CASE(answer_on_the_command_line) {
  // Ends are rounded inwards: the bases printed are good themselves.
  std::string json = *answer({{"base-for", "512"}, {"dim", "64"}});
  std::ranges::replace_if(
      json, [](char c) { return c == '[' || c == ']' || c == ','; }, ' ');
  std::istringstream intervals(json.substr(json.find("\"intervals\":") + 12));
  std::size_t ends = 0;
  for (double base = 0; intervals >> base; ++ends) BOOST_TEST(lowest(64, base, 512) >= 0, "T = " << base);
  BOOST_TEST(ends == 4U);
  // One pair alone is cos m, below 0 at lag 2.
  BOOST_TEST(*answer({{"base-for", "16"}, {"dim", "2"}}) ==
             R"({"base_for":16,"dim":2,"least":null,"safe":null,"intervals":[],"exact":true})");
  BOOST_TEST(!answer({}));
}

BOOST_AUTO_TEST_SUITE_END()
