// V1: what stands still in the matrix, by the definition.

#include <cmath>

#include "tests/anatomy/quick.hpp"

using namespace perp;
using namespace perp::test;

namespace {

/// Dimensions from the right end that stay within .1 of 0 (even) or 1 (odd) at all of `l` positions.
int plain_still(std::size_t d, int l) {
  int still = 0;
  for (std::size_t j = d; j-- > 0; ++still)
    for (int t = 0; t < l; ++t)
      if (std::abs(entry(t, j, d) - static_cast<double>(j % 2)) > 0.1) return still;
  return still;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(anatomy_v1)

BOOST_AUTO_TEST_CASE(what_stands_still) {
  BOOST_TEST(value("V1.still.d32.l16") == plain_still(32, 16));
  BOOST_TEST(value("V1.still.d512.l128") == plain_still(512, 128));
  BOOST_TEST(value("V1.still.d512.l512") == plain_still(512, 512));
}

BOOST_AUTO_TEST_SUITE_END()
