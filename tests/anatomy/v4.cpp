// V4: wavelengths against the formula and known numbers.

#include <cmath>
#include <numbers>

#include "tests/anatomy/quick.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(anatomy_v4)

BOOST_AUTO_TEST_CASE(every_wavelength) {
  const Table& pairs = table("v4_wavelengths.csv");
  BOOST_TEST_REQUIRE(pairs.rows.size() == 8U + 32 + 256);
  for (std::size_t row = 0; row < pairs.rows.size(); ++row) {
    const double place = pairs.number(row, "place");
    const double line = 2 * std::numbers::pi * std::pow(1e4, place);
    BOOST_TEST(std::abs(pairs.number(row, "wavelength") / line - 1) < 1e-11);
    BOOST_TEST(std::abs(pairs.number(row, "line") / line - 1) < 1e-13);
  }
}

BOOST_AUTO_TEST_CASE(longer_than_a_text) {
  BOOST_TEST(value("V4.longer.d512") == 133.0 / 256);  // 2πT^(i/256) > 512 from i = 123 on
}

BOOST_AUTO_TEST_SUITE_END()
