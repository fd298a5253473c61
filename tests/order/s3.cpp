// S3: parts of a block under permutations, and what a row says of its place.

#include <boost/test/unit_test.hpp>
#include <string>

#include "studies/order/claims.hpp"
#include "tests/order/quick.hpp"
#include "tests/support/rule.hpp"

using namespace perp;
using namespace perp::order;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(order_s3)

BOOST_AUTO_TEST_CASE(every_part_without_mask_or_encoding_follows_the_permutation) {
  for (const Part& part : parts)
    for (const char* precision : {"float64", "float32"}) {
      const bool masked = part.name == "masked_attention";
      const double none = value(fmt::format("S3.defect.{}.none.{}", part.name, precision));
      BOOST_TEST((none > 1) == masked, part.name << " " << precision << " " << none);
      BOOST_TEST(value(fmt::format("S3.defect.{}.sinusoidal.{}", part.name, precision)) > 1e3);
    }
}

BOOST_AUTO_TEST_CASE(defects_and_bounds_by_hand) {
  const Table& defects = table("s3_defect.csv");
  BOOST_TEST(defects.rows.size() == parts.size() * 4);
  for (std::size_t i = 0; i < defects.rows.size(); ++i) {
    const double u = to_text(defects.at(i, "precision")) == "float32" ? 0x1p-24 : 0x1p-53;
    double products = 0;
    for (const Part& part : parts)
      if (part.name == to_text(defects.at(i, "part"))) products = static_cast<double>(part.products);
    BOOST_TEST(defects.number(i, "bound") == 2 * products * 16 * u);  // √256
    BOOST_TEST(defects.number(i, "least") <= defects.number(i, "largest"));
    BOOST_TEST(defects.number(i, "over") == defects.number(i, "largest") / defects.number(i, "bound"));
  }
}

BOOST_AUTO_TEST_CASE(a_row_says_nothing_until_it_is_told) {
  for (const char* part : {"query", "key", "value"}) {
    BOOST_TEST(value(fmt::format("S3.read.{}.none", part)) < 0.05);
    BOOST_TEST(value(fmt::format("S3.read.{}.sinusoidal", part)) > 0.4);
  }
}

BOOST_AUTO_TEST_CASE(false_for_queries_keys_and_values) {
  const Results& results = results_of("S3");
  const Claim& claim = results.claims.front();
  BOOST_TEST(shape(claim) == "core 3 limit 0: rows");
  BOOST_TEST(outcomes(claim) == "fails fails fails");
  BOOST_TEST(to_text(claim.judgement) == "false");
  std::vector<Finding> findings = results.findings;
  for (Finding& each : findings)
    if (each.id == "S3.defect.key.none.float64") each.value = 2;
  const Judgement other = judge(findings, claim.rule);
  BOOST_TEST((other.verdict == Verdict::depends));
  BOOST_TEST(other.factor == "rows");
}

BOOST_AUTO_TEST_SUITE_END()
