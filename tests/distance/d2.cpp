// D2: where the kernel may rise, and what "nearest" finds.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/measures/nearness.hpp"
#include "perp/theory/distance.hpp"
#include "tests/distance/quick.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(distance_d2)

BOOST_AUTO_TEST_CASE(nearness_of_a_small_kernel) {
  const std::vector<double> kernel{10, 4, 3, 5, 1, 2};
  const Nearness n = nearness(kernel);
  BOOST_TEST(n.first_rise == 2);
  BOOST_TEST(n.best == 3);
  BOOST_TEST(n.best_beyond == 5);
  BOOST_TEST(n.largest_rise == 2);
  BOOST_TEST(ordered_share(kernel, 6) == 0.7);         // (1,3), (2,3) and (4,5) are not
  const std::vector<double> plateau{4, 3, 3, 2, 2.5};  // standing still is no rise
  BOOST_TEST(nearness(plateau).first_rise == 3);
  BOOST_TEST(ordered_share(plateau, 4) == 2.0 / 3);  // and two lags of one value are in no order
  BOOST_TEST(error_of([&] { nearness(std::span(kernel).first(3)); }).has_value());
  BOOST_TEST(error_of([&] { ordered_share(kernel, 7); }).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
