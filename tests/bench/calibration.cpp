// The bench held against itself, with times that are made up.

#include "bench/calibration.hpp"

#include <boost/test/unit_test.hpp>

#include "perp/base/error.hpp"
#include "tests/support/scratch.hpp"

using namespace perp::bench;

namespace {

Configuration side(std::vector<double> seconds) {
  Configuration c;
  for (int i = 0; i < 100; ++i) c.rounds[fmt::format("row{}", i)] = seconds;
  return c;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bench_calibration)

BOOST_AUTO_TEST_CASE(alarms_are_counted_row_by_row_and_repeat_by_repeat) {
  Calibration c{"mine, 1 thread", 3, 0, {}};
  Configuration again = side({1.02, 1.0, 1.01});
  again.rounds["row7"] = {2.0, 2.02, 1.98};  // surely different
  again.rounds.erase("row8");                // not run under the other name
  add_repeat(c, side({1, 1, 1}), again);
  BOOST_TEST(c.comparisons() == 99u);
  BOOST_TEST(c.different() == 1u);
  BOOST_TEST(!is_enough(c));
  for (int repeat = 1; repeat < 5; ++repeat) add_repeat(c, side({1, 1, 1}), side({1.02, 1.0, 1.01}));
  BOOST_TEST(c.repeats == 5u);
  BOOST_TEST(c.comparisons() == 499u);
  BOOST_TEST(c.rate() == 1 / 499.0);
  BOOST_TEST(is_enough(c));
  BOOST_TEST(c.interval().high < 0.03);
}

// A rate near one half needs more than 400 comparisons for an interval that narrow.
BOOST_AUTO_TEST_CASE(enough_is_when_the_interval_is_narrow) {
  Calibration c{"mine", 5, 1, {{"row", 500, 250, 0.1}}};
  BOOST_TEST(!is_enough(c));
  c.rows[0] = {"row", 2000, 1000, 0.1};
  BOOST_TEST(is_enough(c));
  c.rows[0] = {"row", 399, 0, 0.1};
  BOOST_TEST(!is_enough(c));
}

BOOST_AUTO_TEST_CASE(it_comes_back_from_its_folder) {
  const perp::test::Scratch scratch;
  BOOST_TEST(!read_calibration(scratch.path().string()).has_value());
  const Calibration c{"mine, 1 thread", 5, 4, {{"a", 4, 1, 0.125}, {"b", 4, 0, 0.25}}};
  write_calibration(c, scratch.path().string());
  const auto back = read_calibration(scratch.path().string());
  BOOST_REQUIRE(back.has_value());
  BOOST_TEST(back->configuration == c.configuration);
  BOOST_TEST(back->rounds == 5u);
  BOOST_TEST(back->repeats == 4u);
  BOOST_TEST(back->different() == 1u);
  BOOST_TEST(back->rows.at(1).spread == 0.25);
  scratch.file("calibration.json", "{");
  BOOST_CHECK_THROW(read_calibration(scratch.path().string()), perp::Error);
}

BOOST_AUTO_TEST_SUITE_END()
