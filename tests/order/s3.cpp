// S3: parts of a block under permutations.

#include <boost/test/unit_test.hpp>
#include <string>

#include "studies/order/claims.hpp"
#include "tests/order/quick.hpp"

using namespace perp;
using namespace perp::order;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(order_s3)

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
    // Without mask or encoding every part follows the permutation.
    if (to_text(defects.at(i, "encoding")) == "none")
      BOOST_TEST((defects.number(i, "over") > 1) == (to_text(defects.at(i, "part")) == "masked_attention"));
    else
      BOOST_TEST(defects.number(i, "least") / defects.number(i, "bound") > 1e3);
  }
}

BOOST_AUTO_TEST_SUITE_END()
