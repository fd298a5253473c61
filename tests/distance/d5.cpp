// D5: plain numbers as positions, held against integers and sums that know nothing of the study.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/vectors/encoding.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/d5_index.hpp"
#include "tests/distance/quick.hpp"

using namespace perp;
using namespace perp::test;

namespace {

/// Collisions of t s m'^2 = t' s' m^2 in whole numbers; m = m' = 1 for the plain index.
std::uint64_t whole_number_collisions(std::uint64_t longest, bool normalised) {
  std::uint64_t count = 0;
  for (std::uint64_t n = 4; 4 * n <= longest; ++n)
    for (std::uint64_t m = 4 * n; m <= longest; ++m) {
      const std::uint64_t by_short = normalised ? (n - 1) * (n - 1) : 1,
                          by_long = normalised ? (m - 1) * (m - 1) : 1;
      for (std::uint64_t t = 1; t < n; ++t)
        for (std::uint64_t s = t + 1; s < n; ++s)
          for (std::uint64_t far = 1; far < m; ++far) {
            const std::uint64_t product = t * s * by_long;
            if (product % (far * by_short) != 0) continue;
            const std::uint64_t other = product / (far * by_short);
            count += other < m && other > far && other - far >= 4 * (s - t);
          }
    }
  return count;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(distance_d5)

BOOST_AUTO_TEST_CASE(collisions_are_those_of_whole_numbers) {
  BOOST_TEST(value("D5.collisions.index") == static_cast<double>(whole_number_collisions(64, false)));
  BOOST_TEST(value("D5.collisions.normalised_index") ==
             static_cast<double>(whole_number_collisions(64, true)));
  BOOST_TEST(value("D5.collisions.sinusoidal") == 0);
  BOOST_TEST(value("D5.collisions.random") == 0);  // false alarm: expected count, below 1e-4
}

BOOST_AUTO_TEST_CASE(compared_pairs_are_counted) {
  const EncodingPointer encoding = index_encoding();
  const std::vector<distance::ScoredPair> shorter = distance::scored_pairs(encoding->vectors(5, 4, Stream{})),
                                          longer = distance::scored_pairs(encoding->vectors(20, 4, Stream{}));
  std::uint64_t compared = 0;
  for (const auto& near : shorter)
    for (const auto& far : longer) compared += far.s - far.t >= 4 * (near.s - near.t);
  BOOST_TEST(distance::collisions(shorter, longer).compared == compared);
  BOOST_TEST(shorter.size() == 6u);  // pairs of positions 1 … 4
}

BOOST_AUTO_TEST_CASE(the_example_of_four_and_sixteen_words) {
  // (1, 2) of 4 and (5, 10) of 16: 2/9 = 50/225.
  for (const Table& table : results_of("D5").tables) {
    if (table.file != "d5_examples.csv") continue;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      const double m = table.number(i, "short_length") - 1, n = table.number(i, "long_length") - 1;
      const double near = table.number(i, "near_first") * table.number(i, "near_second"),
                   far = table.number(i, "far_first") * table.number(i, "far_second");
      if (std::get<std::string>(table.at(i, "encoding")) == "normalised_index")
        BOOST_TEST(near * n * n == far * m * m);
      else
        BOOST_TEST(near == far);
    }
    BOOST_TEST(table.rows.size() == 2u);
  }
}

BOOST_AUTO_TEST_CASE(river_and_bank) {
  BOOST_TEST(distance::words_of(distance::near_sentence).size() == 6u);
  BOOST_TEST(distance::words_of(distance::far_sentence).size() == 14u);
  BOOST_TEST(value("D5.river_bank.index.near") == 4.0 * 5);
  BOOST_TEST(value("D5.river_bank.index.far") == 6.0 * 13);
  // Dot products of 64 terms of one sign: 64 u each and u for every factor.
  constexpr double rounding = 128 * 0x1p-53;
  BOOST_TEST(std::abs(value("D5.river_bank.normalised_index.near") / (20.0 / 25) - 1) < rounding);
  BOOST_TEST(std::abs(value("D5.river_bank.normalised_index.far") / (78.0 / 169) - 1) < rounding);
  double near = 0, far = 0;
  for (int i = 0; i < 32; ++i) {
    near += std::cos(std::pow(1e4, -2.0 * i / 64));
    far += std::cos(7 * std::pow(1e4, -2.0 * i / 64));
  }
  // Sums of 64 terms up to 1 in absolute value, with angles up to 13.
  BOOST_TEST(std::abs(value("D5.river_bank.sinusoidal.near") - near) < 64 * 32 * 0x1p-53);
  BOOST_TEST(std::abs(value("D5.river_bank.sinusoidal.far") - far) < 64 * 32 * 0x1p-53);
}

BOOST_AUTO_TEST_CASE(lengths) {
  const Finding* spread = find(results_of("D5").findings, "D5.neighbour_spread.sinusoidal");
  BOOST_REQUIRE(spread);
  BOOST_TEST(spread->value < *spread->theory);
  BOOST_TEST(*spread->theory < 1e-11);
  BOOST_TEST(value("D5.neighbour_spread.index") == 1);
  BOOST_TEST(value("D5.neighbour_spread.normalised_index") == 1);
  BOOST_TEST(std::abs(value("D5.norm_ratio.index") / ((3162.0 - 1) / 3) - 1) < 128 * 0x1p-53);
  BOOST_TEST((results_of("D5").claims.at(0).verdict == Verdict::supported));
  BOOST_TEST(results_of("D5").claims.at(0).condition.empty());
}

BOOST_AUTO_TEST_SUITE_END()
