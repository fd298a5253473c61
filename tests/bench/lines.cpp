// From rounds to contrasts, roofs and what verdicts are worth: by hand, and of planted effects.

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "bench/calibration.hpp"
#include "bench/planted.hpp"
#include "bench/tables.hpp"
#include "bench/verdict.hpp"
#include "tests/support/scratch.hpp"

using namespace perp::bench;
using boost::test_tools::tolerance;

namespace {

const auto tiny = tolerance(1e-12);

}  // namespace

BOOST_AUTO_TEST_SUITE(bench_lines)

// By hand: logs of ratios 0.1, 0.2, 0.3 have mean .2, standard deviation .1, t = .2/(.1/√3) = 3.4641 with two
// degrees of freedom, for which P(|T| > t) = 1 - t/√(2 + t²); t of 97.5 % is 4.302653.
BOOST_AUTO_TEST_CASE(a_paired_contrast_is_students_t_on_logarithms) {
  const Contrast c = paired_contrast({std::exp(0.1), std::exp(0.2), std::exp(0.3)});
  const double t = 0.2 / (0.1 / std::sqrt(3.0));
  BOOST_TEST(c.ratio == std::exp(0.2), tiny);
  BOOST_TEST(c.p == 1 - t / std::sqrt(2 + t * t), tiny);
  BOOST_TEST(std::log(c.high) == 0.2 + 4.302653 * 0.1 / std::sqrt(3.0), tolerance(1e-6));
  BOOST_TEST(std::log(c.low) == 0.2 - 4.302653 * 0.1 / std::sqrt(3.0), tolerance(1e-6));
  BOOST_TEST(paired_contrast({2.0}).p == 1.0);
  BOOST_TEST(paired_contrast({1.0, 1.0, 1.0}).p == 1.0);
  BOOST_TEST(paired_contrast({2.0, 2.0, 2.0}).p == 0.0);
}

BOOST_AUTO_TEST_CASE(a_verdict_needs_an_adjusted_p_at_the_level) {
  BOOST_TEST((Contrast{0.5, 0, 0, 0.05, 5}.told()));
  BOOST_TEST((!Contrast{2, 0, 0, 0.051, 5}.told()));
  BOOST_TEST((paired_ratios({2, 20, 4}, {1, 10}) == std::vector<double>{2, 2}));
}

// Of 200 made-up benches, the same in each run, as many as stand on the page: false alarms at most the claimed 5%, and
// what a t of 5 rounds can do (by hand for one operation of 4 rows and a factor of 2: log 2 over .2/(2 √5) is a t of 15 at 4
// degrees of freedom, p = 1e-4 before Holm over 98 comparisons, which asks for 5e-4).
BOOST_AUTO_TEST_CASE(planted_effects_are_found_as_often_as_a_test_can) {
  const auto share = [](Plant plant, double factor, bool by_operation) {
    for (const Planted& p : planted())
      if (p.plant == plant && p.factor == factor && p.by_operation == by_operation) {
        std::size_t called = 0;
        for (std::uint64_t draw = 0; draw < 200; ++draw) called += is_called(p, draw);
        return static_cast<double>(called) / 200;
      }
    return -1.0;
  };
  // .05 and 2.6 standard deviations of a share of 200: 1 in 200 sound tests would be above.
  for (const auto& [plant, factor, by_operation] : {std::tuple{Plant::nothing, 1.0, false},
                                                    {Plant::nothing, 1.0, true},
                                                    {Plant::dead, 0.5, false},
                                                    {Plant::drift, 1.5, false},
                                                    {Plant::outliers, 10.0, false}}) {
    const double alarms = share(plant, factor, by_operation);
    BOOST_TEST((alarms >= 0 && alarms <= 0.09), static_cast<int>(plant) << ": " << alarms);
  }
  const double least = share(Plant::operation, 1.2, true), middle = share(Plant::operation, 1.5, true);
  const double most = share(Plant::operation, 2, true);
  BOOST_TEST((least < middle && middle < most));
  BOOST_TEST(most > 0.85);
  BOOST_TEST(share(Plant::regime, 1.2, false) > 0.5);
  BOOST_TEST(share(Plant::regime, 1.5, false) > 0.99);
}

// What stops half-way is faster in the rows that it has, and no answer.
BOOST_AUTO_TEST_CASE(made_up_times_have_the_effect_where_it_was_planted) {
  const auto ratio = [](const Planted& p, std::string_view operation) {
    double sum = 0, many = 0;
    for (std::uint64_t draw = 0; draw < 40; ++draw) {
      const std::vector<Configuration> all = made_up(p, draw);
      for (const auto& [row, seconds] : all[3].rounds)
        if (row.starts_with(operation))
          for (std::size_t r = 0; r < seconds.size(); ++r, ++many)
            sum += std::log(seconds[r] / all[0].rounds.at(row)[r]);
    }
    return std::exp(sum / many);
  };
  // The mean of 40 draws x 5 rounds x 4 rows errs by .2/√800 = .007.
  BOOST_TEST(ratio({"x", Plant::operation, 2}, "potrf/") == 2.0, tolerance(0.03));
  BOOST_TEST(ratio({"x", Plant::operation, 2}, "qr/") == 1.0, tolerance(0.03));
  BOOST_TEST(ratio({"x", Plant::regime, 1.5}, "qr/bare/f32/512x128") == 1.5, tolerance(0.06));
  BOOST_TEST(ratio({"x", Plant::regime, 1.5}, "qr/bare/f32/512x64") == 1.0, tolerance(0.06));
  BOOST_TEST(made_up({"x", Plant::dead, 0.5}, 0)[3].rounds.size() == all_rows(true).size() / 2);
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
  Roof other = roof, empty;
  other.limits[1].rate = 250;
  other.limits[4].rate = 5;
  roof.raise(other);
  BOOST_TEST(roof.best("f32", 1) == 250.0);
  BOOST_TEST(roof.best("", 1) == 10.0);
  empty.raise(other);
  BOOST_TEST(empty.best("f32", 1) == 250.0);
}

// The bench held against itself: alarms are counted row by row and repeat by repeat.
BOOST_AUTO_TEST_CASE(a_calibration_counts_alarms) {
  const auto side = [](const std::vector<double>& seconds) {
    Configuration c;
    for (int i = 0; i < 100; ++i) c.rounds[fmt::format("row{}", i)] = seconds;
    return c;
  };
  Calibration c;
  Configuration again = side({1.02, 1.0, 1.01});
  again.rounds["row7"] = {2.0, 2.02, 1.98};  // surely different
  again.rounds.erase("row8");                // not run under the other name
  add_repeat(c, side({1, 1, 1}), again);
  add_repeat(c, side({1, 1, 1}), side({1.02, 1.0, 1.01}));
  BOOST_REQUIRE(c.size() == 100u);
  std::size_t comparisons = 0, different = 0;
  for (const Calibrated& row : c) {
    comparisons += row.comparisons;
    different += row.different;
  }
  BOOST_TEST(comparisons == 199u);
  BOOST_TEST(different == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
