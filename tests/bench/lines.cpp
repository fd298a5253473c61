// From rounds to contrasts, lines, roofs and what verdicts are worth: against tables, by hand, and by simulation.

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "bench/calibration.hpp"
#include "bench/tables.hpp"
#include "perp/random/normal.hpp"

using namespace perp::bench;
using boost::test_tools::tolerance;

namespace {

const Row row{"gemm", Through::bare, Type::f32, {64, 64, 64}};

const auto tiny = tolerance(1e-12);

}  // namespace

BOOST_AUTO_TEST_SUITE(bench_lines)

// By hand: logs of ratios 0.1, 0.2, 0.3 have mean .2, standard deviation .1, t = .2/(.1/√3) = 3.4641 with two
// degrees of freedom, for which P(|T| > t) = 1 - t/√(2 + t²); t of 97.5 % is 4.302653.
BOOST_AUTO_TEST_CASE(a_paired_contrast_is_students_t_on_logarithms) {
  const Contrast c = paired_contrast({std::exp(0.1), std::exp(0.2), std::exp(0.3)});
  const double t = 0.2 / (0.1 / std::sqrt(3.0));
  BOOST_TEST(c.ratio == std::exp(0.2), tiny);
  BOOST_TEST(c.spread == 0.1, tiny);
  BOOST_TEST(c.p == 1 - t / std::sqrt(2 + t * t), tiny);
  BOOST_TEST(std::log(c.high) == 0.2 + 4.302653 * 0.1 / std::sqrt(3.0), tolerance(1e-6));
  BOOST_TEST(std::log(c.low) == 0.2 - 4.302653 * 0.1 / std::sqrt(3.0), tolerance(1e-6));
  BOOST_TEST(paired_contrast({2.0}).p == 1.0);
  BOOST_TEST(paired_contrast({1.0, 1.0, 1.0}).p == 1.0);
  BOOST_TEST(paired_contrast({2.0, 2.0, 2.0}).p == 0.0);
}

// Equal variances and counts: Welch's t is Student's with 2n - 2 degrees of freedom. Here t = 3.4641/√2
// = 2.449 with four, for which P(|T| > t) = 0.0705.
BOOST_AUTO_TEST_CASE(a_separate_contrast_is_welchs_t) {
  const Times a = times_of({std::exp(0.1), std::exp(0.2), std::exp(0.3)}),
              b = times_of({std::exp(0.3), std::exp(0.4), std::exp(0.5)});
  const Contrast c = separate_contrast(a, b);
  BOOST_TEST(c.ratio == std::exp(0.2), tiny);
  BOOST_TEST(c.p == 0.0705, tolerance(1e-3));
  BOOST_TEST(separate_contrast(a, a).p == 1.0);
}

BOOST_AUTO_TEST_CASE(a_verdict_needs_an_adjusted_p_at_the_level) {
  BOOST_TEST((Contrast{0.5, 0, 0, 0, 0.05, 5}.verdict()) == "faster");
  BOOST_TEST((Contrast{2, 0, 0, 0, 0.05, 5}.verdict()) == "slower");
  BOOST_TEST((Contrast{2, 0, 0, 0, 0.051, 5}.verdict()) == "not told apart");
  BOOST_TEST((paired_ratios({2, 20, 4}, {1, 10}) == std::vector<double>{2, 2}));
}

// Of 4,000 comparisons a share of .05 lies within .05 ± .0152 in all but one run in 10^5 (4.4 standard deviations of
// √(.05 · .95/4000)), one of .8 within .028. The numbers are keyed: the test gives the same each time.
BOOST_AUTO_TEST_CASE(sides_are_called_different_as_often_as_claimed) {
  constexpr double spread = 0.02;
  for (const auto& [rounds, factor, claimed, within] : {std::tuple{5U, 1.0, 0.05, 0.0152},
                                                        {5U, detectable(spread, 5), 0.8, 0.028},
                                                        {11U, detectable(spread, 11), 0.8, 0.028}}) {
    std::size_t told = 0;
    std::vector<double> ratios(rounds);
    for (std::uint64_t i = 0; i < 4000; ++i) {
      perp::fill_normal(perp::stream(1, "bench", "verdict", i, "ratio"), std::span<double>(ratios));
      for (double& x : ratios) x = factor * std::exp(spread * x);
      told += paired_contrast(ratios).p <= false_alarms;
    }
    BOOST_TEST(std::abs(static_cast<double>(told) / 4000 - claimed) < within, rounds << ", " << factor);
  }
  BOOST_TEST(std::isnan(detectable(0.02, 1)));
  BOOST_TEST(detectable(0.02, 5) > detectable(0.01, 5));
}

// What is wrong has no time, and says why.
BOOST_AUTO_TEST_CASE(a_line_holds_the_median_and_its_share_of_the_roof) {
  const std::string name = row.name();
  const std::vector<Configuration> all{
      {{"right", "", ""}, 1, {}, {{name, {"ok", "", "", 7, 1, 0.1}}}, {{name, {1, 10, 2, 1, 4}}}},
      {{"wrong", "", ""}, 1, {}, {{name, {"failed", "error 7, bound 1", "", 7, 1, 0.1}}}}};
  const Roof roof{{{"fma", "f32", 512, 1, 1e9}, {"copy", "", 0, 1, 1e12}}};
  const std::vector<Line> lines = lines_of(all, roof, {row});
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
