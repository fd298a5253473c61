#include "perp/study/finding.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "perp/base/error.hpp"

namespace perp {
namespace {

bool says(const Error& error, const std::string& text) {
  return std::string(error.what()).find(text) != std::string::npos && error.exit() == Exit::unusable;
}

BOOST_AUTO_TEST_SUITE(finding)

BOOST_AUTO_TEST_CASE(the_id_of_the_contract) {
  const Coordinates at{{"d", std::int64_t{512}}, {"k", std::int64_t{64}}, {"r", std::int64_t{128}}};
  BOOST_TEST(finding_id("O4", "largest_cosine", at) == "O4.largest_cosine.d512.k64.r128");
  BOOST_TEST(finding_id("O4", "largest_cosine") == "O4.largest_cosine");
}

BOOST_AUTO_TEST_CASE(points_minus_signs_and_texts) {
  BOOST_TEST(finding_id("A1", "error", {{"rho", 0.25}}) == "A1.error.rho0p25");
  BOOST_TEST(finding_id("A1", "error", {{"log_noise", std::int64_t{-3}}}) == "A1.error.log_noisem3");
  BOOST_TEST(finding_id("O2", "spread", {{"family", std::string("gaussian")}}) == "O2.spread.gaussian");
}

BOOST_AUTO_TEST_CASE(other_characters_are_refused_as_they_were_given) {
  BOOST_CHECK_EXCEPTION(finding_id("O2", "spread", {{"family", std::string("my-Words")}}), Error,
                        [](const Error& error) { return says(error, "'my-Words' holds 'W'"); });
  BOOST_CHECK_EXCEPTION(finding_id("O2", "a b"), Error,
                        [](const Error& error) { return says(error, "'a b' holds ' '"); });
}

BOOST_AUTO_TEST_CASE(kinds_there_and_back) {
  for (const Kind kind : {Kind::exact, Kind::count, Kind::rounded, Kind::sampled})
    BOOST_TEST((kind_from(to_text(kind)) == kind));
  BOOST_CHECK_EXCEPTION(kind_from("random"), Error,
                        [](const Error& error) { return says(error, "kind 'random' is none of exact"); });
}

BOOST_AUTO_TEST_CASE(finding_by_id) {
  std::vector<Finding> findings(2);
  findings[0].id = "O1.a";
  findings[1].id = "O1.b";
  BOOST_TEST(find(findings, "O1.b") == &findings[1]);
  BOOST_TEST(find(findings, "O1") == nullptr);
}

BOOST_AUTO_TEST_CASE(a_sampled_number_says_of_how_many) {
  const auto with = [](Kind kind, std::optional<std::uint64_t> n) {
    return perp::finding("O1", "share", Coordinates{}, {.5}, {.n = n, .kind = kind, .meaning = "A share."});
  };
  BOOST_CHECK_EXCEPTION(with(Kind::sampled, {}), Error, [](const Error& error) {
    return says(error, "O1.share is sampled and does not say of how many (n)");
  });
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
  BOOST_CHECK_EXCEPTION(estimated(std::vector<double>{}), Error,
                        [](const Error& error) { return says(error, "no values were added"); });
}

BOOST_AUTO_TEST_CASE(replicates_are_added_one_by_one) {
  std::vector<double> values(1000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<double>(i));
  MomentSums sums;
  for (const double value : values) sums.add(value);
  const Estimate mean = estimated(values), expected = estimated(sums.moments());
  BOOST_TEST(mean.value == expected.value);
  BOOST_TEST(*mean.low == *expected.low);
  BOOST_TEST(*mean.high == *expected.high);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp
