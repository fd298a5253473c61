// V6: what each dimension is given, against plain sums and the closed forms.

#include <cmath>

#include "tests/anatomy/quick.hpp"
#include "tests/support/rule.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(anatomy_v6)

BOOST_AUTO_TEST_CASE(dimensions_by_the_definition) {
  const Table& dimensions = table("v6_dimensions.csv");
  BOOST_TEST_REQUIRE(dimensions.rows.size() == 512U);
  for (const std::size_t j : {0U, 1U, 100U, 301U, 400U, 511U}) {
    double sum = 0, squares = 0;
    for (int t = 0; t < 512; ++t) {
      sum += entry(t, j, 512);
      squares += entry(t, j, 512) * entry(t, j, 512);
    }
    const double mean = sum / 512;
    BOOST_TEST(std::abs(dimensions.number(j, "shift") - mean * mean) < tolerance::column_moment(512));
    BOOST_TEST(std::abs(dimensions.number(j, "moves") - (squares / 512 - mean * mean)) <
               2 * tolerance::column_moment(512));
  }
  BOOST_TEST(value("V6.departure") < 1e-13);
}

BOOST_AUTO_TEST_CASE(quarters) {
  const Table& quarters = table("v6_quarters.csv");
  for (std::size_t row = 0; row < quarters.rows.size(); ++row) {
    BOOST_TEST(std::abs(quarters.number(row, "power") - 0.5) < 1e-13);
    BOOST_TEST(std::abs(quarters.number(row, "share") - quarters.number(row, "share_line")) < 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(rules_are_worded) {
  for (const char* id : {"V1", "V2", "V3", "V4", "V5", "V6"}) check_wording(results_of(id));
}

BOOST_AUTO_TEST_CASE(nine_tenths) {
  const Table& dimensions = table("v6_dimensions.csv");
  double all = 0, part = 0;
  for (std::size_t j = 0; j < 512; ++j) all += dimensions.number(j, "moves");
  const auto count = static_cast<std::size_t>(value("V6.ninety.l512"));
  for (std::size_t j = 0; j + 1 < count; ++j) part += dimensions.number(j, "moves");
  BOOST_TEST(part < 0.9 * all);
  BOOST_TEST(part + dimensions.number(count - 1, "moves") >= 0.9 * all);
}

BOOST_AUTO_TEST_SUITE_END()
