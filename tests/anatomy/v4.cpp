// V4: wavelengths against the formula and known numbers.

#include <cmath>
#include <numbers>

#include "tests/anatomy/quick.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(anatomy_v4)

BOOST_AUTO_TEST_CASE(known_ends) {
  const double pi = std::numbers::pi;
  BOOST_TEST(value("V4.first_departure") < 1e-15);
  BOOST_TEST(std::abs(value("V4.last.d512") - 60611.477) < 1e-3);
  BOOST_TEST(std::abs(value("V4.last.d16") / (2 * pi * std::pow(1e4, 0.875)) - 1) < 1e-11);
  BOOST_TEST(std::abs(value("V4.share.d512") - std::pow(1e4, -1.0 / 256)) < 1e-11);
  BOOST_TEST(std::abs(value("V4.share.d16") - std::sqrt(0.1)) < 1e-11);
  for (const char* d : {"d16", "d64", "d512"}) {
    const std::string id = std::string("V4.last.") + d;
    BOOST_TEST(std::abs(value(id) / theory(id) - 1) < 1e-11, id);
  }
}

BOOST_AUTO_TEST_CASE(every_wavelength) {
  const Table& pairs = table("v4_wavelengths.csv");
  BOOST_TEST_REQUIRE(pairs.rows.size() == 8U + 32 + 256);
  for (std::size_t row = 0; row < pairs.rows.size(); ++row) {
    const double place = pairs.number(row, "place");
    const double line = 2 * std::numbers::pi * std::pow(1e4, place);
    BOOST_TEST(place < 1);
    BOOST_TEST(std::abs(pairs.number(row, "wavelength") / line - 1) < 1e-11);
    BOOST_TEST(std::abs(pairs.number(row, "line") / line - 1) < 1e-13);
  }
  BOOST_TEST(value("V4.ratio_departure") < 2e-11);
}

BOOST_AUTO_TEST_CASE(longer_than_a_text) {
  // 2πT^(i/256) > 512 from i = 123 on.
  BOOST_TEST(value("V4.longer.d512") == 133.0 / 256);
  BOOST_TEST(value("V4.longer.d512") == theory("V4.longer.d512"));
}

BOOST_AUTO_TEST_SUITE_END()
