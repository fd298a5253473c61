// D1: what holds on every machine about products of positions in short formats.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/theory/distance.hpp"
#include "perp/vectors/format.hpp"
#include "perp/vectors/positions.hpp"
#include "tests/distance/quick.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(distance_d1)

BOOST_AUTO_TEST_CASE(stated_numbers) {
  const Table& pairs = table("d1_pairs.csv");
  for (std::size_t i = 0; i < 3; ++i)  // printed to four decimals
    BOOST_TEST(std::abs(pairs.number(i, "float64") - pairs.number(i, "stated")) <
               tolerance::printed_to_four_places);
  // d u for the sum and u ω_i t for the angles, t < 106.
  BOOST_TEST(std::abs(pairs.number(0, "float64") - theory::kernel_exact(16, usual_base, 1)) <
             tolerance::kernel_sum(theory::angle_rounding_bound(16, usual_base, 0x1p-53, 105, 106), 8));
}

BOOST_AUTO_TEST_CASE(rounding_stays_within_its_bound) {
  const Table& positions = table("d1_positions.csv");
  BOOST_TEST(positions.rows.size() == 10 * 10u + 2 * 7u);  // float16 angles end before 65,520
  for (std::size_t i = 0; i < positions.rows.size(); ++i) {
    BOOST_TEST(positions.number(i, "worst") > 0);
    BOOST_TEST(positions.number(i, "worst") < positions.number(i, "bound"));
  }
  const Table& lags = table("d1_lags.csv");
  BOOST_TEST(lags.rows.size() > 0);
  for (std::size_t i = 0; i < lags.rows.size(); ++i) {
    BOOST_TEST(lags.number(i, "worst") < lags.number(i, "bound"));
    BOOST_TEST(lags.number(i, "pairs") == lags.number(i, "l") - lags.number(i, "lag"));
  }
}

BOOST_AUTO_TEST_CASE(angles_must_hold_the_position) {
  // Neighbours of bfloat16 are 4096 apart at a million: the 128 positions fall on one.
  BOOST_TEST(value("D1.distinct.bfloat16.bfloat16") == 1);
  BOOST_TEST(value("D1.distinct.bfloat16.float32") == 128);
  // A table's rounding: the largest of many is above the typical one, (u/4)√d of d/2.
  const double typical = theory::table_rounding_rms(512, 0x1p-8) / 256;
  BOOST_TEST(value("D1.deviation_share.bfloat16.float64") > typical);
  // A float16 table holds three bits more.
  BOOST_TEST(value("D1.text_share.float16.float32") < value("D1.text_share.bfloat16.float32"));
  BOOST_TEST(value("D1.defect.float64.float64.d64.l4096") < tolerance::exact_defect);
  // Places up to 10,127 are some of all.
  const Table& positions = table("d1_positions.csv");
  double short_angles = 0;
  for (std::size_t i = 0; i < positions.rows.size(); ++i)
    if (to_text(positions.at(i, "table")) == "float64" && to_text(positions.at(i, "angle")) == "float16" &&
        positions.number(i, "position") < 20'000)
      short_angles = std::max(short_angles, positions.number(i, "worst") / 256);
  BOOST_TEST(value("D1.text_share.float64.float16") == short_angles);
}

BOOST_AUTO_TEST_CASE(the_first_product_that_strays) {
  // Position by position, from the formats' own roundings.
  for (const Format angle : {Format::bfloat16, Format::float16}) {
    const auto in_format = [=](double x) { return round_to(angle, x); };
    const std::vector<double> kernel = kernel_of_format(512, angle, 128), omega = frequencies(512);
    const double found = value(fmt::format("D1.first_failure.float64.{}", to_text(angle)));
    std::vector<std::vector<double>> rows;
    std::size_t first = 0;
    for (std::size_t t = 0; first == 0 && t < 2000; ++t) {
      std::vector<double> here;
      for (const double w : omega) {
        const double a = in_format(in_format(w) * in_format(static_cast<double>(t)));
        here.insert(here.end(), {std::sin(a), std::cos(a)});
      }
      rows.push_back(here);
      for (std::size_t s = t < 127 ? 0 : t - 127; s <= t; ++s) {
        double sum = 0;
        for (std::size_t j = 0; j < 512; ++j) sum += here[j] * rows[s][j];
        if (std::abs(sum - kernel[t - s]) >= 2.56 && first == 0) first = t;
      }
    }
    BOOST_TEST(found == static_cast<double>(first), to_text(angle));
  }
}

BOOST_AUTO_TEST_CASE(kernel_of_the_frequencies_that_the_format_holds) {
  const std::vector<double> exact = kernel_of_format(64, Format::float64, 100),
                            held = kernel_of_format(64, Format::bfloat16, 100);
  // u ω_i k for angles in float64, and the sum's 32 roundings of terms below 1.
  for (std::size_t k = 0; k < 100; ++k)
    BOOST_TEST(std::abs(exact[k] - theory::kernel_exact(64, usual_base, static_cast<double>(k))) <
               tolerance::kernel_sum(theory::angle_rounding_bound(64, usual_base, 0x1p-53, 0, 100), 32));
  double sum = 0;
  for (const double w : frequencies(64)) sum += std::cos(round_to(Format::bfloat16, w) * 99);
  BOOST_TEST(std::abs(held[99] - sum) < 32 * tolerance::plain_sum);
  BOOST_TEST(std::abs(held[99] - exact[99]) > 1e-3);  // so that the line above tells them apart
}

BOOST_AUTO_TEST_CASE(bound_counts_the_position_that_is_not_exact) {
  const auto bound = [](double last) {
    return product_rounding_bound(Format::bfloat16, Format::bfloat16, 64, usual_base, last);
  };
  const double u = 0x1p-8, table = theory::table_rounding_bound(64, u);
  BOOST_TEST(bound(256) == table + theory::angle_rounding_bound(64, usual_base, u, 256, 256, 1));
  BOOST_TEST(bound(257) == table + theory::angle_rounding_bound(64, usual_base, u, 257, 257, 2));
}

BOOST_AUTO_TEST_SUITE_END()
