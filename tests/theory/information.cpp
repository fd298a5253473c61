// Ceilings and regions, against values by hand and against one another.

#include "perp/theory/information.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp::theory;
using perp::test::check_refusal;
namespace tt = boost::test_tools;

namespace {
constexpr double closed_form = perp::tolerance::closed_form;
}

BOOST_AUTO_TEST_SUITE(theory_information)

BOOST_AUTO_TEST_CASE(by_hand) {
  BOOST_TEST(white_bits(1, 1, 1) == 0.5, tt::tolerance(closed_form));
  BOOST_TEST(white_bits(2, 6, 1) == 2, tt::tolerance(closed_form));
  BOOST_TEST(white_bits(4, 1, 0.5) == 2, tt::tolerance(closed_form));
  BOOST_TEST(white_bits(0, 1, 1) == 0);
  BOOST_TEST(white_bits(3, 0, 1) == 0);
}

BOOST_AUTO_TEST_CASE(even_power_is_best) {
  // One dimension of power 9 and seven of power 1, together 16; all of it in half of the dimensions.
  for (const double noise : {0.1, 1.0, 10.0}) {
    BOOST_TEST(white_bits(1, 9, noise) + white_bits(7, 7, noise) < white_bits(8, 16, noise));
    BOOST_TEST(white_bits(4, 16, noise) < white_bits(8, 16, noise));
  }
}

BOOST_AUTO_TEST_CASE(the_pentagon_contains_frequency_division) {
  for (const double noise : {0.25, 1.0, 4.0}) {
    const Pentagon p = white_pentagon(32, 32, 16, noise);
    BOOST_TEST(p.both < p.word + p.position);
    BOOST_TEST(p.both > p.word);
    double closest = p.both;
    for (int i = 0; i <= 3200; ++i) {
      const Rates r = frequency_division(32, i / 100.0, 32, 16, noise);
      BOOST_TEST(r.word <= p.word * (1 + closed_form));
      BOOST_TEST(r.position <= p.position * (1 + closed_form));
      BOOST_TEST(r.both() <= p.both * (1 + closed_form));
      closest = std::min(closest, p.both - r.both());
    }
    // They touch where dimensions are shared as powers are: 2 to 1.
    BOOST_TEST(frequency_division(32, 32.0 / 3, 32, 16, noise).both() == p.both, tt::tolerance(closed_form));
    BOOST_TEST(closest < 1e-5);
  }
}

BOOST_AUTO_TEST_CASE(ends_of_the_curve) {
  const Pentagon p = white_pentagon(32, 32, 16, 1.5);
  BOOST_TEST(frequency_division(32, 0, 32, 16, 1.5).word == p.word);
  BOOST_TEST(frequency_division(32, 0, 32, 16, 1.5).position == 0);
  BOOST_TEST(frequency_division(32, 32, 32, 16, 1.5).position == p.position);
  BOOST_TEST(std::abs(p.word - 16 * std::log2(1 + 1 / 2.25)) < 1e-12);
}

BOOST_AUTO_TEST_CASE(refusals) {
  check_refusal([] { white_bits(1, 1, -1); }, "white_bits: noise -1");
  check_refusal([] { white_bits(1, 1, std::numeric_limits<double>::infinity()); }, "white_bits: noise inf");
  check_refusal([] { white_bits(-1, 1, 1); }, "power 1 in -1 dimensions");
  check_refusal([] { white_bits(1, -1, 1); }, "power -1 in 1 dimensions");
  check_refusal([] { frequency_division(32, 33, 32, 16, 1); }, "33 of 32 dimensions");
  check_refusal([] { frequency_division(32, -1, 32, 16, 1); }, "-1 of 32 dimensions");
}

BOOST_AUTO_TEST_SUITE_END()
