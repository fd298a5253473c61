// From rounds to lines, roofs and what verdicts are worth, with times that are made up.

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "bench/calibration.hpp"
#include "bench/tables.hpp"

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
  roof.limits = {{"fma", "f32", 512, 1, 1e9}, {"copy", "", 0, 1, 1e12}};
  return roof;
}

const auto tiny = boost::test_tools::tolerance(1e-12);

}  // namespace

BOOST_AUTO_TEST_SUITE(bench_lines)

// What is wrong has no time, and says why.
BOOST_AUTO_TEST_CASE(a_line_holds_the_median_and_its_share_of_the_roof) {
  const std::vector<Configuration> all{configuration("right", {1, 10, 2, 1, 4}),
                                       configuration("wrong", {}, "failed")};
  const std::vector<Line> lines = lines_of(all, roof(), {row});
  BOOST_REQUIRE(lines.size() == 2u);
  BOOST_TEST((lines[0].timed() && !lines[1].timed()));
  BOOST_TEST((ends_of_threads(lines) == std::pair<std::size_t, std::size_t>{1, 1}));
  const perp::Table results = results_table(lines), failed = status_table(lines, "failed");
  const double rate = row.cost().operations / 2;
  for (const auto& [column, right, wrong] : {std::tuple{"seconds", 2.0, NAN},
                                             {"geometric", std::pow(80.0, 0.2), NAN},
                                             {"rate", rate, NAN},
                                             {"roof_share", rate / 1e9, NAN},
                                             {"error", 7.0, 7.0},
                                             {"bound", 1.0, 1.0}}) {
    BOOST_TEST(results.number(0, column) == right, tiny);
    BOOST_TEST((results.number(1, column) == wrong || std::isnan(wrong)), column);
    BOOST_TEST(std::isnan(results.number(1, column)) == std::isnan(wrong), column);
  }
  BOOST_REQUIRE(failed.rows.size() == 1u);
  BOOST_TEST(to_csv(failed) ==
             "shown,threads,row,reason\nwrong,1,gemm/bare/f32/64x64x64,\"error 7, bound 1\"\n");
}

BOOST_AUTO_TEST_CASE(the_roof_is_the_lower_of_two_limits_and_only_rises) {
  Roof roof;
  roof.limits = {{"fma", "f32", 128, 1, 50.0},  {"fma", "f32", 512, 1, 200.0}, {"fma", "f64", 512, 1, 100.0},
                 {"fma", "f32", 512, 2, 390.0}, {"copy", "", 0, 1, 10.0},      {"read", "", 0, 1, 8.0},
                 {"copy", "", 0, 2, 15.0}};
  BOOST_TEST(roof.of("f32", 1, 100, 50) == 20.0);     // two operations a byte, ten bytes a second
  BOOST_TEST(roof.of("f32", 1, 2000, 100) == 200.0);  // the ridge: twenty operations a byte
  BOOST_TEST(roof.of("f32", 1, 1e6, 1) == 200.0);
  BOOST_TEST(roof.of("f64", 1, 1e6, 1) == 100.0);
  BOOST_TEST(roof.of("f32", 2, 1e6, 1) == 390.0);
  BOOST_TEST(roof.of("f32", 2, 1, 1) == 15.0);
  BOOST_TEST(roof.of("f32", 1, 0, 4096) == 10.0);  // without operations bytes are the rate
  Roof other = roof, empty;
  other.limits[1].rate = 250;
  other.limits[4].rate = 5;
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
  Calibration c{"mine, 1 thread", 3};
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
    BOOST_TEST(is_enough({"mine", 5, {{"row", comparisons, different, 0.1}}}) == enough, comparisons);
}

BOOST_AUTO_TEST_SUITE_END()
