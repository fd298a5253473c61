// V5: the matrix and its profile against exact sums, the law and known numbers.

#include <cmath>

#include "tests/anatomy/quick.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;

namespace {

double plain_share(double lag, std::size_t d) {
  double sum = 0;
  for (std::size_t i = 0; i < d / 2; ++i)
    sum += std::cos(lag * std::pow(1e4, -2.0 * static_cast<double>(i) / static_cast<double>(d)));
  return sum / (static_cast<double>(d) / 2);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(anatomy_v5)

BOOST_AUTO_TEST_CASE(every_entry_of_the_matrix) {
  const Table& matrix = table("v5_matrix.csv");
  BOOST_TEST_REQUIRE(matrix.rows.size() == 128U);
  double worst = 0, uneven = 0;
  for (std::size_t t = 0; t < 128; ++t)
    for (std::size_t s = 0; s < 128; ++s) {
      const double shown = to_number(matrix.rows[t][s + 1]), lag = std::abs(double(t) - double(s));
      worst = std::max(worst, std::abs(shown - plain_share(lag, 512)));
      uneven = std::max(uneven, std::abs(shown - to_number(matrix.rows[s][t + 1])));
    }
  BOOST_TEST(worst < to_four_places);
  BOOST_TEST(uneven == 0);
}

BOOST_AUTO_TEST_CASE(profile) {
  const Table& profile = table("v5_profile.csv");
  BOOST_TEST_REQUIRE(profile.rows.size() == 3U * 512);
  for (std::size_t row = 0; row < profile.rows.size(); row += 7)
    BOOST_TEST(std::abs(profile.number(row, "share") -
                        plain_share(profile.number(row, "lag"), static_cast<std::size_t>(profile.number(
                                                                    row, "d")))) < tolerance::plain_sum);
}

BOOST_AUTO_TEST_CASE(known_numbers) {
  BOOST_TEST(std::abs(value("V5.share.lag1") - 0.9731) < tolerance::printed_to_four_places);
  BOOST_TEST(std::abs(value("V5.share.lag10") - 0.6789) < tolerance::printed_to_four_places);
  BOOST_TEST(std::abs(value("V5.share.lag100") - 0.4373) < tolerance::printed_to_four_places);
  BOOST_TEST(value("V5.lag_alone") < 1);
  const Table& widths = table("v5_similarity.csv");
  for (std::size_t row = 0; row < widths.rows.size(); ++row)
    BOOST_TEST(widths.number(row, "rise") == widths.number(row, "rise_theory"));
  BOOST_TEST(widths.number(1, "departure") < tolerance::limit_at_512);
  BOOST_TEST(widths.number(2, "departure") < widths.number(1, "departure"));
}

BOOST_AUTO_TEST_SUITE_END()
