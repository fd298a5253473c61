#include "perp/statistics/line.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "tests/statistics/support.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(line)

BOOST_AUTO_TEST_CASE(agrees_with_scipy) {
  // scipy.stats.linregress (SciPy 1.10.1).
  const std::vector<double> x{1, 2, 3, 4.5, 7, 8}, y{2.1, 3.9, 6.2, 8.8, 14.5, 15.1};
  const Line line = least_squares_line(x, y);
  BOOST_TEST(line.slope == 1.9382636655948553, tt::tolerance(tolerance::special_function));
  BOOST_TEST(line.intercept == 0.1957127545551991,
             tt::tolerance(1e-12));  // a difference: ten times its error
  BOOST_TEST(line.slope_error == 0.07959568775830221, tt::tolerance(1e-11));  // of the residual: 150 times
  BOOST_TEST(line.correlation == 0.9966442238467241, tt::tolerance(tolerance::special_function));
}

BOOST_AUTO_TEST_CASE(what_a_line_does_not_define_is_nan) {
  const std::vector<double> x{0, 1}, flat{3, 3}, down{1, -1};
  BOOST_TEST(least_squares_line(x, flat).slope == 0.0);
  BOOST_TEST(std::isnan(least_squares_line(x, flat).correlation));
  BOOST_TEST(least_squares_line(x, down).correlation == -1.0);
  BOOST_TEST(std::isnan(least_squares_line(x, down).slope_error));
}

BOOST_AUTO_TEST_CASE(refusals) {
  const std::vector<double> one{1}, equal{0.1, 0.1, 0.1}, three{1, 2, 3}, nan{1, 2, NAN};
  BOOST_CHECK_EXCEPTION(
      least_squares_line(one, one), Error,
      support::says("least_squares_line: 1 and 1 values, expected equally many, at least 2"));
  BOOST_CHECK_THROW(least_squares_line(one, three), Error);
  BOOST_CHECK_EXCEPTION(
      least_squares_line(equal, three), Error,
      support::says("least_squares_line: x from 0.1 has no spread, or a value is not finite"));
  BOOST_CHECK_THROW(least_squares_line(three, nan), Error);
  BOOST_CHECK_THROW(least_squares_line(nan, three), Error);
}

BOOST_AUTO_TEST_SUITE_END()
