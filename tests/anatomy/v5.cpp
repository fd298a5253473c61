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

BOOST_AUTO_TEST_CASE(profile_by_plain_sums_and_its_law) {
  const Table &profile = table("v5_profile.csv"), &widths = table("v5_similarity.csv");
  for (std::size_t row = 0; row < profile.rows.size(); row += 7)
    BOOST_TEST(std::abs(profile.number(row, "share") -
                        plain_share(profile.number(row, "lag"), std::size_t(profile.number(row, "d")))) <
               tolerance::plain_sum);
  for (std::size_t row = 0; row < widths.rows.size(); ++row)
    BOOST_TEST(widths.number(row, "rise") == widths.number(row, "rise_theory"));
  BOOST_TEST(widths.number(1, "departure") < tolerance::limit_at_512);
}

BOOST_AUTO_TEST_SUITE_END()
