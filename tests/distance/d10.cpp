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

std::string at(const char* measure, std::size_t length, std::size_t d) {
  return fmt::format("D10.{}.l{}.d{}", measure, length, d);
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
        const double base = value(at(measure, length, d));
        BOOST_TEST(lowest(d, base * (1 + tolerance::base_end), length) >= 0,
                   measure << " " << length << " " << d);
        BOOST_TEST(lowest(d, base * (1 - tolerance::base_end), length) < 0,
                   measure << " " << length << " " << d);
      }
}

BOOST_AUTO_TEST_CASE(bases_of_a_context_of_4096) {
  // Found before by fine scans, to the digits printed; the stretch that follows the first at d = 64 and
  // 1,024.
  BOOST_TEST(std::abs(value(at("least", 4096, 64)) / 1.001e5 - 1) < 5e-4);
  BOOST_TEST(std::abs(value(at("least", 4096, 128)) / 2.695e4 - 1) < 2e-4);
  BOOST_TEST(std::abs(value(at("least", 4096, 256)) / 1.773e4 - 1) < 3e-4);
  BOOST_TEST(std::abs(value(at("least", 4096, 1024)) / 9.24e3 - 1) < 6e-4);
  const Table& stretches = table("d10_stretches.csv");
  for (const auto& [d, second] :
       {std::pair<std::size_t, double>{64, 1.048e5}, {128, 2.863e4}, {1024, 9.353e3}}) {
    std::vector<double> lows;
    for (std::size_t row = 0; row < stretches.rows.size(); ++row)
      if (stretches.number(row, "d") == static_cast<double>(d) && stretches.number(row, "l") == 4096 &&
          stretches.number(row, "tolerance") == 0)
        lows.push_back(stretches.number(row, "low"));
    BOOST_REQUIRE(lows.size() == value(at("bad", 4096, d)) + 1);
    BOOST_TEST(lows.front() == value(at("least", 4096, d)));
    BOOST_TEST(std::abs(lows[1] / second - 1) < 5e-4, "d " << d);
    BOOST_TEST(lows.back() == value(at("safe", 4096, d)));
  }
}

BOOST_AUTO_TEST_CASE(shares_and_holes_by_the_definition) {
  const Table &bases = table("d10_bases.csv"), &stretches = table("d10_stretches.csv");
  const auto is = [](const Table& table, std::size_t row, double length) {
    return table.number(row, "d") == 64 && table.number(row, "l") == length &&
           table.number(row, "tolerance") == 0;
  };
  for (const std::size_t length : {512, 4096}) {
    std::vector<double> lows, highs;
    for (std::size_t row = 0; row < stretches.rows.size(); ++row)
      if (is(stretches, row, static_cast<double>(length))) {
        lows.push_back(stretches.number(row, "low"));
        highs.push_back(stretches.number(row, "high"));
      }
    BOOST_REQUIRE(lows.size() > 1U);
    double good = 0;
    for (std::size_t i = 0; i + 1 < lows.size(); ++i) good += std::log(highs[i] / lows[i]);
    for (std::size_t row = 0; row < bases.rows.size(); ++row) {
      if (!is(bases, row, static_cast<double>(length))) continue;
      BOOST_TEST(std::abs(bases.number(row, "good_share") - good / std::log(lows.back() / lows.front())) <
                 tolerance::plain_sum);
      BOOST_TEST(bases.number(row, "hole") <= bases.number(row, "deepest_hole"));
      if (length != 512) continue;
      // One hole: at nine bases a tenth of it apart.
      double depth = 0;
      for (int i = 1; i < 10; ++i)
        depth = std::max(depth, -lowest(64, highs[0] * std::pow(lows[1] / highs[0], i / 10.0), length));
      BOOST_TEST(std::abs(bases.number(row, "hole") - depth) < tolerance::plain_sum);
      BOOST_TEST(depth > 0.05);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_tolerance_lets_smaller_bases_in) {
  const Table& bases = table("d10_bases.csv");
  std::size_t compared = 0;
  for (std::size_t strict = 0; strict < bases.rows.size(); ++strict)
    for (std::size_t slack = 0; slack < bases.rows.size(); ++slack) {
      const auto same = [&](const char* column) {
        return bases.number(strict, column) == bases.number(slack, column);
      };
      if (!same("d") || !same("l") || !(bases.number(strict, "tolerance") < bases.number(slack, "tolerance")))
        continue;
      BOOST_TEST(bases.number(slack, "least") < bases.number(strict, "least"));
      BOOST_TEST(bases.number(slack, "safe") < bases.number(strict, "safe"));
      ++compared;
    }
  BOOST_TEST(compared == 8U);
}

BOOST_AUTO_TEST_CASE(slopes_differ_by_width) {
  // From 1,024 to 4,096: two octaves, whose mean the slope over three contexts is.
  for (const std::size_t d : {64, 128, 256, 1024}) {
    const double slope = value(fmt::format("D10.slope.d{}", d));
    const double two = std::log2(value(at("least", 4096, d)) / value(at("least", 1024, d))) / 2;
    BOOST_TEST(std::abs(slope - two) < tolerance::plain_sum);
    BOOST_TEST(value(fmt::format("D10.octave_least.d{}", d)) <= slope);
    BOOST_TEST(value(fmt::format("D10.octave_most.d{}", d)) >= slope);
  }
  BOOST_TEST(value("D10.slope.d64") > 1.7);
  BOOST_TEST(value("D10.slope.d1024") < 1.2);
}

BOOST_AUTO_TEST_CASE(bases_in_use) {
  for (const auto& [d, base] : {std::pair{64, 10000}, {128, 10000}}) {
    const auto to = static_cast<std::size_t>(value(fmt::format("D10.good_to.d{}.base{}", d, base)));
    BOOST_TEST(lowest(static_cast<std::size_t>(d), base, to) >= 0);
    BOOST_TEST(lowest(static_cast<std::size_t>(d), base, to + 1) < 0);
  }
  // At d = 64 a larger base reaches less far.
  BOOST_TEST(value("D10.good_to.d64.base1000000") < value("D10.good_to.d64.base500000"));
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
  BOOST_TEST(conditions(claim.rule, Role::core) == 4U);
  BOOST_TEST(conditions(claim.rule, Role::limit) == 8U);
  BOOST_TEST(factors(claim.rule) == "L, d");
  BOOST_TEST(to_text(claim.judgement) == "false, with limits");
  BOOST_TEST((answer_on(claim, "D10.bad.l4096.d1024") == Answer::fails));
  BOOST_TEST((answer_on(claim, "D10.bad.l512.d1024") == Answer::holds));
  BOOST_TEST(to_text(with(results.findings, claim.rule, "D10.bad.l4096.d1024", 0)) == "depends, with limits");
  check_wording(results);
}

BOOST_AUTO_TEST_SUITE_END()
