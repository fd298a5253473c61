// From rounds to ratios, roofs and what verdicts are worth, with times that are made up.

#include "bench/compare.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "bench/calibration.hpp"
#include "bench/tables.hpp"
#include "tests/support/scratch.hpp"

using namespace perp::bench;

namespace {

const Row row{"gemm", Through::bare, Type::f32, {64, 64, 64}};

Configuration configuration(const char* name, std::vector<double> seconds, const char* status = "ok") {
  Configuration c;
  c.backend.name = name;
  c.checks[row.name()] = {status, status == std::string("ok") ? "" : "error 7, bound 1", "", 7, 1, 0.1};
  if (!seconds.empty()) c.rounds[row.name()] = std::move(seconds);
  return c;
}

Roof roof() {
  Roof roof;
  roof.fma = {{"f32", 64, 1, 1e9}};
  roof.bandwidth = {{"copy", 1, 1e12}};
  return roof;
}

const auto tiny = boost::test_tools::tolerance(1e-12);

}  // namespace

BOOST_AUTO_TEST_SUITE(bench_compare)

// Whatever slows a round slows both: the ratio is exactly 2 in each.
BOOST_AUTO_TEST_CASE(ratios_are_paired_by_round) {
  const std::vector<Configuration> all{configuration("slow", {2, 20, 4, 2, 8}),
                                       configuration("fast", {1, 10, 2, 1, 4})};
  const std::vector<ComparisonRow> lines = compare(all, roof(), {row});
  BOOST_REQUIRE(lines.size() == 2u);
  BOOST_TEST(lines[0].ratio == 2.0);
  BOOST_TEST(lines[0].ratio_low == 2.0);
  BOOST_TEST(lines[0].ratio_high == 2.0);
  BOOST_TEST(lines[1].ratio == 1.0);
  BOOST_TEST(lines[1].seconds == 2.0);
  BOOST_TEST(lines[1].noise == 0.5);  // |1 10 2 1 4 - 2| has the median 1
  BOOST_TEST(lines[1].rate == row.cost().operations / 2);
  BOOST_TEST(lines[1].roof_share == row.cost().operations / 2 / 1e9);
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_a_row_without_a_time) {
  const std::vector<Configuration> all{configuration("right", {1, 1, 1}),
                                       configuration("wrong", {}, "failed")};
  const std::vector<ComparisonRow> lines = compare(all, roof(), {row});
  BOOST_TEST(timed(lines[0]));
  BOOST_TEST(!timed(lines[1]));
  const perp::Table results = results_table(lines), failed = failed_table(lines);
  BOOST_TEST(std::isnan(results.number(1, "rate")));
  BOOST_TEST(results.number(1, "error") == 7);
  BOOST_TEST(results.number(1, "bound") == 1);
  BOOST_REQUIRE(failed.rows.size() == 1u);
  BOOST_TEST(perp::to_text(failed.at(0, "backend")) == "wrong");
  BOOST_TEST(perp::to_text(failed.at(0, "reason")) == "error 7, bound 1");
}

// The baseline has no verdict but its name; 1 % of noise tells a ratio of 2 and not one of 1.
BOOST_AUTO_TEST_CASE(rows_are_held_against_the_baseline) {
  const std::vector<Configuration> all{configuration("usual", {1.00, 1.01, 0.99, 1.0, 1.0}),
                                       configuration("slow", {2.01, 2.00, 1.99, 2.0, 2.02}),
                                       configuration("alike", {1.01, 1.00, 1.0, 0.99, 1.0}),
                                       configuration("fast", {0.5, 0.5, 0.51, 0.49, 0.5})};
  const std::vector<ComparisonRow> lines = compare(all, roof(), {row}, "usual");
  const char* expected[] = {"baseline", "slower", "not told apart", "faster"};
  for (std::size_t i = 0; i < 4; ++i) BOOST_TEST(lines[i].verdict == expected[i]);
  BOOST_TEST(lines[1].against.ratio == 2.0, boost::test_tools::tolerance(0.01));
  BOOST_TEST((1 < lines[1].detectable && lines[1].detectable < 1.1), lines[1].detectable);
  for (const ComparisonRow& l : compare(all, roof(), {row})) BOOST_TEST(l.verdict == "");
}

// In a family of 100 rows a p of .01 says nothing, though alone it would.
BOOST_AUTO_TEST_CASE(verdicts_are_adjusted_for_the_number_of_rows) {
  std::vector<Row> rows;
  Configuration usual, other;
  usual.backend.name = "usual";
  other.backend.name = "other";
  for (std::size_t n = 1; n <= 100; ++n) {
    rows.push_back({"gemm", Through::bare, Type::f32, {n, n, n}});
    for (Configuration* c : {&usual, &other}) c->checks[rows.back().name()] = {"ok", "", "", 0, 1, 0.1};
    usual.rounds[rows.back().name()] = {1, 1, 1, 1, 1};
    other.rounds[rows.back().name()] = {1.1, 1.05, 1.1, 1.01, 1.15};  // t = 3.6 with four degrees: p = .02
  }
  const std::vector<Configuration> all{usual, other};
  const std::vector<ComparisonRow> many = compare(all, roof(), rows, "usual"),
                                   one = compare(all, roof(), {rows[0]}, "usual");
  BOOST_TEST(one[1].verdict == "slower");
  BOOST_TEST(one[1].against.p < 0.05);
  for (std::size_t i = 1; i < many.size(); i += 2) BOOST_TEST(many[i].verdict == "not told apart");
  BOOST_TEST(many[1].detectable > one[1].detectable);
}

BOOST_AUTO_TEST_CASE(the_roof_is_the_lower_of_two_limits_and_only_rises) {
  Roof roof;
  roof.fma = {{"f32", 16, 1, 50.0}, {"f32", 64, 1, 200.0}, {"f64", 64, 1, 100.0}, {"f32", 64, 2, 390.0}};
  roof.bandwidth = {{"copy", 1, 10.0}, {"read", 1, 8.0}, {"copy", 2, 15.0}};
  BOOST_TEST(roof.of("f32", 1, 100, 50) == 20.0);     // two operations a byte, ten bytes a second
  BOOST_TEST(roof.of("f32", 1, 2000, 100) == 200.0);  // the ridge: twenty operations a byte
  BOOST_TEST(roof.of("f32", 1, 1e6, 1) == 200.0);
  BOOST_TEST(roof.of("f64", 1, 1e6, 1) == 100.0);
  BOOST_TEST(roof.of("f32", 2, 1e6, 1) == 390.0);
  BOOST_TEST(roof.of("f32", 2, 1, 1) == 15.0);
  BOOST_TEST(roof.of("f32", 1, 0, 4096) == 10.0);  // without operations bytes are the rate
  Roof other = roof, empty;
  other.fma[1].rate = 250;
  other.bandwidth[0].rate = 5;
  roof.raise(other);
  BOOST_TEST(roof.best_fma("f32", 1) == 250.0);
  BOOST_TEST(roof.best_bandwidth(1) == 10.0);
  empty.raise(other);
  BOOST_TEST(empty.best_fma("f32", 1) == 250.0);
}

// The bench held against itself: alarms are counted row by row and repeat by repeat.
BOOST_AUTO_TEST_CASE(a_calibration_counts_alarms_until_its_interval_is_narrow) {
  const auto side = [](const std::vector<double>& seconds) {
    Configuration c;
    for (int i = 0; i < 100; ++i) c.rounds[fmt::format("row{}", i)] = seconds;
    return c;
  };
  Calibration c{"mine, 1 thread", 3, 0, {}};
  Configuration again = side({1.02, 1.0, 1.01});
  again.rounds["row7"] = {2.0, 2.02, 1.98};  // surely different
  again.rounds.erase("row8");                // not run under the other name
  add_repeat(c, side({1, 1, 1}), again);
  BOOST_TEST(c.comparisons() == 99u);
  BOOST_TEST(c.different() == 1u);
  BOOST_TEST(!is_enough(c));
  for (int repeat = 1; repeat < 5; ++repeat) add_repeat(c, side({1, 1, 1}), side({1.02, 1.0, 1.01}));
  BOOST_TEST(c.comparisons() == 499u);
  BOOST_TEST(c.rate() == 1 / 499.0);
  BOOST_TEST(is_enough(c));
  BOOST_TEST(c.interval().high < 0.03);
  // A rate near one half needs more than 400 comparisons for an interval that narrow.
  for (const auto& [comparisons, different, enough] :
       {std::tuple{500U, 250U, false}, {2000U, 1000U, true}, {399U, 0U, false}})
    BOOST_TEST(is_enough({"mine", 5, 1, {{"row", comparisons, different, 0.1}}}) == enough, comparisons);

  const perp::test::Scratch scratch;
  const std::string folder = scratch.path().string();
  BOOST_TEST(!read_calibration(folder).has_value());
  write_calibration(c, folder);
  const Calibration back = read_calibration(folder).value();
  BOOST_TEST(back.configuration == c.configuration);
  BOOST_TEST(back.rounds == 3u);
  BOOST_TEST(back.repeats == 5u);
  BOOST_TEST(back.different() == 1u);
  BOOST_TEST(back.rows.at(1).spread == c.rows.at(1).spread, tiny);
  scratch.file("calibration.json", "{");
  BOOST_CHECK_THROW(read_calibration(folder), perp::Error);
}

BOOST_AUTO_TEST_SUITE_END()
