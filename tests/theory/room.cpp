#include "perp/theory/room.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/theory/cosine.hpp"
#include "perp/theory/dimension.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp::theory;
using perp::test::check_refusal;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(theory_room)

BOOST_AUTO_TEST_CASE(double_width_is_more_than_double_the_room) {
  BOOST_TEST(std::abs(free_dimensions(512, 384, 1e4) - 289.8) < .1);
  BOOST_TEST(std::abs(free_dimensions(512, 768, 1e4) - 638.9) < .1);
  // Beyond x = T the table holds .99 d, so that a hundredth of the width is free however long it is.
  BOOST_TEST(free_dimensions(1000000000, 2, 1e4) == 0.02, tt::tolerance(perp::tolerance::closed_form));
}

BOOST_AUTO_TEST_CASE(one_row_of_everything) {
  const Expectation row = expect(512, 20000, 512, 1e4);
  BOOST_TEST(row.chance_cosine == 1 / std::sqrt(512.), tt::tolerance(perp::tolerance::closed_form));
  BOOST_TEST(row.largest_words == 0.25706906803946722, tt::tolerance(perp::tolerance::inverse));  // mpmath
  BOOST_TEST(row.largest_word_position == largest_cosine_median(512, 20000. * 512));
  BOOST_TEST(row.largest_word_position < row.largest_words);
  BOOST_TEST(row.r99 == sinusoid_r99(512, 512, 1e4));
  BOOST_TEST(row.free_dimensions + row.r99 == 512, tt::tolerance(perp::tolerance::closed_form));
  BOOST_TEST(row.word_energy == row.r99 / 512, tt::tolerance(perp::tolerance::closed_form));
}

BOOST_AUTO_TEST_CASE(refusals) {
  check_refusal([] { expect(512, 1, 512, 1e4); }, "expect: 1 words given, expected at least 2");
  check_refusal([] { expect(511, 10, 512, 1e4); }, "dimension 511 given, expected an even number");
  check_refusal([] { expect(512, 10, 0, 1e4); }, "0 positions given");
  check_refusal([] { expect(512, 10, 5, 0); }, "base 0 given, expected above 1");
}

BOOST_AUTO_TEST_SUITE_END()
