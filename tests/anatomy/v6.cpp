// V6: what each dimension is given, against plain sums and the closed forms.

#include <cmath>

#include "tests/anatomy/quick.hpp"
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
    BOOST_TEST(to_text(dimensions.at(j, "wave")) == (j % 2 ? "cosine" : "sine"));
  }
  BOOST_TEST(value("V6.departure") < 1e-13);
}

BOOST_AUTO_TEST_CASE(a_pair_makes_one) {
  const Table& dimensions = table("v6_dimensions.csv");
  for (std::size_t j = 0; j < 512; j += 2) {
    double power = 0;
    for (const std::size_t k : {j, j + 1})
      power += dimensions.number(k, "shift") + dimensions.number(k, "moves");
    BOOST_TEST(std::abs(power - 1) < 1e-13);
  }
}

BOOST_AUTO_TEST_CASE(quarters) {
  for (const char* l : {"l50", "l128", "l512", "l8192"}) {
    double share = 0;
    for (const char* quarter : {"first", "second", "third", "last"}) {
      const std::string at = std::string(quarter) + "." + l;
      BOOST_TEST(std::abs(value("V6.power." + at) - 0.5) < 1e-13, at);
      BOOST_TEST(std::abs(value("V6.share." + at) - theory("V6.share." + at)) < 1e-12, at);
      share += value("V6.share." + at);
    }
    BOOST_TEST(std::abs(share - 1) < 1e-13, l);
    BOOST_TEST(value(std::string("V6.ninety.") + l) == theory(std::string("V6.ninety.") + l));
  }
  BOOST_TEST(value("V6.share.last.l50") < value("V6.share.last.l512"));
  BOOST_TEST(value("V6.share.last.l512") < value("V6.share.last.l8192"));
  BOOST_TEST(claim("V6").of.empty());
  BOOST_TEST(conditions(claim("V6").rule, Role::core) == 2U);
  BOOST_TEST(conditions(claim("V6").rule, Role::limit) == 0U);
  BOOST_TEST(factors(claim("V6").rule) == "quarter");
  BOOST_TEST(to_text(claim("V6").judgement) == "true");
  BOOST_TEST(value("V6.share.last.l8192") > 0.05);
  BOOST_TEST(to_text(with(results_of("V6").findings, claim("V6").rule, "V6.share.last.l50", .06)) ==
             "depends");
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
