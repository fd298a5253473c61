// D1: what holds on every machine about products of positions in short formats.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/theory/distance.hpp"
#include "perp/vectors/format.hpp"
#include "perp/vectors/positions.hpp"
#include "tests/distance/quick.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(distance_d1)

BOOST_AUTO_TEST_CASE(the_first_product_that_strays) {
  // Position by position, from the formats' own roundings.
  for (const Format angle : {Format::bfloat16, Format::float16}) {
    const std::vector<double> kernel = kernel_of_format(512, angle, 128);
    std::vector<std::vector<double>> rows;
    std::size_t first = 0;
    for (std::size_t t = 0; first == 0 && t < 2000; ++t) {
      std::vector<double>& here = rows.emplace_back();
      for (const double w : frequencies(512)) {
        const double a = round_to(angle, round_to(angle, w) * round_to(angle, static_cast<double>(t)));
        here.insert(here.end(), {std::sin(a), std::cos(a)});
      }
      for (std::size_t s = t < 127 ? 0 : t - 127; s <= t; ++s) {
        double sum = 0;
        for (std::size_t j = 0; j < 512; ++j) sum += here[j] * rows[s][j];
        if (std::abs(sum - kernel[t - s]) >= 2.56) first = t;
      }
    }
    BOOST_TEST(value(fmt::format("D1.first_failure.float64.{}", to_text(angle))) ==
               static_cast<double>(first));
  }
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
