// What claim D6 must find whatever the machine: theorems, and numbers known from elsewhere.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/theory/scores.hpp"
#include "studies/distance/d6_scores.hpp"
#include "studies/distance/scores.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::distance;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(distance_d6)

BOOST_AUTO_TEST_CASE(known_numbers_of_gpt2_shape) {
  // Over 1,500 draws of 768 x 64 weights: .081. With Q = K: .550. The ratio of expectations is not the mean
  // ratio; they are known to lie within .01 of each other here.
  BOOST_TEST(std::abs(theory::expected_for_random(sinusoid_kernel(512, 768)).share() - 0.081) <
             tolerance::expected_r2);
  BOOST_TEST(std::abs(theory::expected_for_tied(sinusoid_kernel(512, 768), 64).share() - 0.550) <
             tolerance::expected_r2);
}

BOOST_AUTO_TEST_SUITE_END()
