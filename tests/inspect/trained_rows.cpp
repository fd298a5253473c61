// Which rows training never met, by their lengths.

#include "studies/inputs/trained_rows.hpp"

#include <boost/test/unit_test.hpp>

using namespace perp;

BOOST_AUTO_TEST_SUITE(inputs_trained_rows)

BOOST_AUTO_TEST_CASE(rows_below_half_of_the_median_are_left_out) {
  const std::vector<bool> trained = trained_rows({0.99, 2, 1, 0, 3, 2, 2});  // median 2
  BOOST_TEST((trained == std::vector<bool>{false, true, true, false, true, true, true}));
  BOOST_TEST(trained_rows({}).empty());
  BOOST_TEST((trained_rows({0, 0}) == std::vector<bool>{false, false}));
}

BOOST_AUTO_TEST_CASE(the_longest_run_is_the_first_of_several) {
  const auto run = [](const std::vector<bool>& trained) { return trained_run(trained).text(); };
  BOOST_TEST(run({true, true, true}) == "0:3");
  BOOST_TEST(run({false, true, true, false, true, true, false}) == "1:3");
  BOOST_TEST(run({true, false, true, true}) == "2:4");
  BOOST_TEST(run({true, true, false}) == "0:2");
  BOOST_TEST(trained_run({false, false}).count() == 0U);
  BOOST_TEST(trained_run({}).count() == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
