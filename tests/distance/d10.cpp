// D10: bases of the quick preset held against plain sums at every lag, and what the grid says of longer ones.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <string>

#include "studies/distance/base_for.hpp"
#include "studies/distance/d10_measure.hpp"
#include "tests/distance/quick.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/rule.hpp"
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
    if (bases.number(row, "tolerance") == 0 && bases.number(row, "l") == static_cast<double>(length) &&
        bases.number(row, "d") == static_cast<double>(d))
      return bases.number(row, column);
  BOOST_FAIL("no row of L = " << length << ", d = " << d);
  return NAN;
}

Options options_with(std::map<std::string, std::string> extra, bool json) {
  Options options;
  options.extra = std::move(extra);
  options.json = json;
  return options;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(distance_d10)

BOOST_AUTO_TEST_CASE(ends_are_where_a_lag_turns_negative) {
  for (const std::size_t length : {512, 2048})
    for (const std::size_t d : {64, 256})
      for (const char* measure : {"least", "safe"}) {
        const double base = exact(measure, length, d);
        BOOST_TEST(lowest(d, base * (1 + tolerance::base_end), length) >= 0,
                   measure << " " << length << " " << d);
        BOOST_TEST(lowest(d, base * (1 - tolerance::base_end), length) < 0,
                   measure << " " << length << " " << d);
      }
}

BOOST_AUTO_TEST_CASE(bases_of_a_context_of_4096) {
  // Found before by fine scans, to the digits printed.
  BOOST_TEST(std::abs(value("D10.least.l4096.d64") / 1.001e5 - 1) < 5e-4);
  BOOST_TEST(std::abs(value("D10.least.l4096.d128") / 2.695e4 - 1) < 2e-4);
  BOOST_TEST(std::abs(value("D10.least.l4096.d256") / 1.773e4 - 1) < 3e-4);
  BOOST_TEST(std::abs(value("D10.least.l4096.d1024") / 9.24e3 - 1) < 6e-4);
}

BOOST_AUTO_TEST_CASE(shares_and_holes_by_the_definition) {
  const auto good = theory::good_bases(64, 512, {512 / 8, 1e9});
  BOOST_REQUIRE(good.size() == 2U);
  BOOST_TEST(exact("bad", 512, 64) == 1);
  BOOST_TEST(std::abs(exact("good_share", 512, 64) -
                      std::log(good[0].high / good[0].low) / std::log(good[1].low / good[0].low)) <
             tolerance::plain_sum);
  // One hole: at nine bases a tenth of it apart.
  double depth = 0;
  for (int i = 1; i < 10; ++i)
    depth = std::max(depth, -lowest(64, good[0].high * std::pow(good[1].low / good[0].high, i / 10.0), 512));
  BOOST_TEST(std::abs(exact("hole", 512, 64) - depth) < tolerance::plain_sum);
  BOOST_TEST(depth > 0.05);
  BOOST_TEST(exact("hole", 4096, 64) <= exact("deepest_hole", 4096, 64));
}

BOOST_AUTO_TEST_CASE(slopes_differ_by_width) {
  // From 1,024 to 4,096: two octaves, whose mean the slope over three contexts is.
  for (const std::size_t d : {64, 128, 1024}) {
    const double two = std::log2(exact("least", 4096, d) / exact("least", 1024, d)) / 2;
    BOOST_TEST(std::abs(value(fmt::format("D10.slope.d{}", d)) - two) < tolerance::plain_sum);
  }
  BOOST_TEST(value("D10.octave_least.d128") <= value("D10.slope.d128"));
  BOOST_TEST(value("D10.octave_most.d128") >= value("D10.slope.d128"));
}

BOOST_AUTO_TEST_CASE(bases_in_use) {
  const auto to = static_cast<std::size_t>(value("D10.good_to.d128.base10000"));
  BOOST_TEST(lowest(128, 10000, to) >= 0);
  BOOST_TEST(lowest(128, 10000, to + 1) < 0);
}

BOOST_AUTO_TEST_CASE(grid_of_bases_is_as_stated) {
  const std::vector<double> bases = distance::grid_of_bases(4096, 4);
  BOOST_TEST(bases.front() == 4096);
  BOOST_TEST(bases.back() == 1e9);
  BOOST_TEST(bases[4] == 8192);
  for (std::size_t i = 0; i + 1 < bases.size(); ++i) BOOST_TEST(bases[i] < bases[i + 1]);
}

BOOST_AUTO_TEST_CASE(least_and_safe_on_a_grid) {
  using distance::on_grid;
  using distance::Reached;
  const auto reached = [](std::initializer_list<std::size_t> lags) {
    std::vector<Reached> rows;
    double base = 100;
    for (const std::size_t lag : lags) rows.push_back({{"grid", 64, 1, 1000}, base *= 2, lag, 2 * lag});
    return rows;
  };
  // Bases 200, 400, 800 …; those below L/8 are not asked.
  const auto found = on_grid(reached({9, 500, 9, 9, 500, 500}), 400, false);
  BOOST_TEST(found.least == 400);
  BOOST_TEST(found.safe == 3200);
  BOOST_TEST(found.bad == 1U);
  const auto tolerant = on_grid(reached({9, 500, 200, 9, 500, 500}), 400, true);
  BOOST_TEST(tolerant.bad == 1U);
  BOOST_TEST(tolerant.tolerance == distance::usual_tolerance);
  BOOST_TEST(on_grid(reached({500, 500}), 400, false).safe == 200);
  BOOST_TEST(on_grid(reached({5000, 5000, 9, 5000}), 4000, false).least == 1600);
  BOOST_TEST(std::isnan(on_grid(reached({9, 500, 9}), 400, false).safe));
  BOOST_TEST(std::isnan(on_grid(reached({9, 9}), 400, false).least));
}

BOOST_AUTO_TEST_CASE(answer_on_the_command_line) {
  const std::string json =
      *distance::answer_base_for(options_with({{"base-for", "512"}, {"dim", "64"}}, true));
  BOOST_TEST(json.starts_with(R"({"base_for":512,"dim":64,"least":3438.9075)"), json);
  // Ends are rounded inwards: the bases printed are good themselves.
  std::size_t ends = 0;
  for (std::size_t place = json.find("[["); place != std::string::npos;
       place = json.find_first_of("[,", place + 1)) {
    if (json[place + 1] == '[') ++place;
    char* end = nullptr;
    const double base = std::strtod(json.c_str() + place + 1, &end);
    if (end == json.c_str() + place + 1) continue;
    BOOST_TEST(lowest(64, base, 512) >= 0, "T = " << base);
    ++ends;
  }
  BOOST_TEST(ends == 4U);
  BOOST_TEST(json.ends_with(R"(,204800]],"exact":true})"), json);
  BOOST_TEST(json.find(R"("safe":5397.7229)") != std::string::npos, json);
  const std::string text =
      *distance::answer_base_for(options_with({{"base-for", "512"}, {"dim", "64"}}, false));
  BOOST_TEST(text.find("3438.91 to 3451.14") != std::string::npos, text);
  // One pair alone is cos m, below 0 at lag 2.
  BOOST_TEST(*distance::answer_base_for(options_with({{"base-for", "16"}, {"dim", "2"}}, true)) ==
             R"({"base_for":16,"dim":2,"least":null,"safe":null,"intervals":[],"exact":true})");
  BOOST_TEST(!distance::answer_base_for(options_with({}, true)));
}

BOOST_AUTO_TEST_CASE(rule_of_the_claim) {
  const Results& results = results_of("D10");
  const Claim& claim = results.claims.front();
  BOOST_TEST(to_text(with(results.findings, claim.rule, "D10.bad.l4096.d1024", 0)) == "depends, with limits");
}

BOOST_AUTO_TEST_SUITE_END()
