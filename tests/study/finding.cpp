#include "perp/study/finding.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "tests/support/refusal.hpp"

namespace perp {
namespace {

using test::check_refusal;

BOOST_AUTO_TEST_SUITE(finding)

BOOST_AUTO_TEST_CASE(the_id_of_the_contract) {
  BOOST_TEST(finding_id("O4", "largest_cosine",
                        {{"d", std::int64_t{512}}, {"k", std::int64_t{64}}, {"r", std::int64_t{128}}}) ==
             "O4.largest_cosine.d512.k64.r128");
  BOOST_TEST(finding_id("O4", "largest_cosine") == "O4.largest_cosine");
  BOOST_TEST(finding_id("A1", "error", {{"rho", 0.25}}) == "A1.error.rho0p25");
  BOOST_TEST(finding_id("A1", "error", {{"log_noise", std::int64_t{-3}}}) == "A1.error.log_noisem3");
  BOOST_TEST(finding_id("O2", "spread", {{"family", "gaussian"}}) == "O2.spread.gaussian");
  check_refusal([] { finding_id("O2", "spread", {{"family", "my-Words"}}); }, "'my-Words' holds 'W'");
  check_refusal([] { finding_id("O2", "a b"); }, "'a b' holds ' '");
}

BOOST_AUTO_TEST_CASE(a_sampled_number_says_of_how_many) {
  const auto with = [](Kind kind, std::optional<std::uint64_t> n) {
    return perp::finding("O1", "share", Coordinates{}, {.5}, {.n = n, .kind = kind, .meaning = "A share."});
  };
  check_refusal([&] { with(Kind::sampled, {}); }, "O1.share is sampled and does not say of how many (n)");
  BOOST_TEST(with(Kind::sampled, 7).n == 7U);
  BOOST_TEST(with(Kind::rounded, {}).n == 1U);
}

BOOST_AUTO_TEST_CASE(a_mean_over_replicates_has_students_interval) {
  const std::vector<double> values{1, 2, 3, 4, 5};
  const Estimate mean = estimated(values);
  BOOST_TEST(mean.value == 3.);
  // t(0.995) with four degrees of freedom is 4.604094871, the standard error √(2.5/5).
  BOOST_TEST(*mean.low == 3 - 4.604094871 * std::sqrt(.5), boost::test_tools::tolerance(1e-9));
  BOOST_TEST(*mean.high == 3 + 4.604094871 * std::sqrt(.5), boost::test_tools::tolerance(1e-9));
  BOOST_TEST(*mean.level == shown_level);
  BOOST_TEST(mean.spread->replicates == 5U);
}

BOOST_AUTO_TEST_CASE(a_single_replicate_has_no_interval_and_none_no_mean) {
  const Estimate one = estimated(std::vector<double>{.25});
  BOOST_TEST(one.value == .25);
  BOOST_TEST((!one.low && !one.high && !one.level && !one.spread));
  check_refusal([] { estimated(std::vector<double>{}); }, "no values were added");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp
