// The matched filter's line where it is known exactly.

#include "perp/theory/bag.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp::theory;
using perp::test::check_refusal;
namespace tolerance = perp::tolerance;

namespace {

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

double shared(std::size_t n, const Rival& rival, bool random, std::size_t d = 512, std::size_t words = 1000) {
  return matched_filter_share(d, words, std::vector<Rival>(n - 1, rival), random);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(theory_bag)

BOOST_AUTO_TEST_CASE(one_word_and_one_stranger) {
  // The difference is normal, mean 1, variance 1/d.
  for (const std::size_t d : {1U, 2U, 4U, 9U})
    BOOST_TEST(std::abs(matched_filter_share(d, 2, {}, false) -
                        normal_cdf(std::sqrt(static_cast<double>(d)))) < tolerance::closed_form);
}

BOOST_AUTO_TEST_CASE(equal_keys_leave_chance) {
  // κ = 1: the key says nothing, and n words tie; strangers are far away in so many dimensions.
  for (const std::size_t n : {2U, 3U, 8U})
    BOOST_TEST(std::abs(shared(n, {1, 1}, false, 1000000, n + 5) - unpaired_share(n)) < 1e-9, n);
}

BOOST_AUTO_TEST_CASE(known_readings) {
  BOOST_TEST(shared(8, random_signs, true) > 0.9999);  // 1.00 at d = 512, 8 words of 1,000
  // More words, fewer dimensions and more overlap all make it worse.
  BOOST_TEST(shared(16, random_signs, true) < shared(8, random_signs, true));
  BOOST_TEST(shared(8, random_signs, true, 128) < shared(8, random_signs, true, 256));
  BOOST_TEST(shared(8, {0.9, 0.85}, false) < shared(8, {0.5, 0.5}, false));
  // Turns scatter a rival's own energy less than signs do.
  BOOST_TEST(shared(32, random_turns, true) > shared(32, random_signs, true));
}

BOOST_AUTO_TEST_CASE(variances) {
  BOOST_TEST(std::abs(rival_variance(512, 8, random_signs, true) - (2 * 6 + 2 + 2 + 1) / 512.0) < 1e-15);
  BOOST_TEST(std::abs(rival_variance(512, 8, {0.6, 0.5}, false) - (12 + 0.8 + 2 * 0.14) / 512.0) < 1e-15);
  BOOST_TEST(rival_variance(512, 2, {1, 1}, false) == 0);
  BOOST_TEST(stranger_variance(512, 8) == 15 / 512.0);
}

BOOST_AUTO_TEST_CASE(refusals) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  check_refusal([] { rival_variance(8, 1, random_signs, true); }, "1 words in 8");
  check_refusal([] { rival_variance(8, 2, {1.2, 1}, true); }, "1.2");
  check_refusal([] { rival_variance(8, 2, {nan, 1}, true); }, "nan");
  check_refusal([] { rival_variance(8, 2, {0.5, 0.2}, true); }, "0.2");
  check_refusal([] { stranger_variance(0, 2); }, "2 words in 0");
  check_refusal([] { matched_filter_share(8, 1, std::vector<Rival>(1), true); }, "2 words in the sum, of 1");
  check_refusal([] { unpaired_share(0); }, "0 words");
}

BOOST_AUTO_TEST_SUITE_END()
