// D7: changes by quarter, held against plain sums over the frequencies.

#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/distance/quick.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;

namespace {

/// Σ(1 - cos ωk) by quarter, d = 512, T = 10,000.
std::array<double, 4> losses(double lag) {
  std::array<double, 4> sums{};
  for (int i = 0; i < 256; ++i) sums[i / 64] += 1 - std::cos(lag * std::pow(1e4, -2.0 * i / 512));
  return sums;
}
double sum_of(const std::array<double, 4>& parts) { return parts[0] + parts[1] + parts[2] + parts[3]; }

}  // namespace

BOOST_AUTO_TEST_SUITE(distance_d7)

BOOST_AUTO_TEST_CASE(changes_of_every_lag) {
  // Σ_k |g_q(k) - g_q(2k)| over all k from 256 to 511, from the definition.
  std::array<double, 4> changes{}, means{}, sizes{};
  for (int k = 256; k < 512; ++k) {
    const std::array<double, 4> near = losses(k), far = losses(2 * k);
    for (int q = 0; q < 4; ++q) {
      changes[q] += std::abs(far[q] - near[q]);
      means[q] += far[q] - near[q];
    }
  }
  for (int q = 0; q < 4; ++q) sizes[q] = std::abs(means[q]);
  BOOST_TEST(std::abs(value("D7.change_share.q3.from256") - changes[2] / sum_of(changes)) <
             tolerance::plain_sum);
  BOOST_TEST(std::abs(value("D7.mean_change_share.q3.from256") - sizes[2] / sum_of(sizes)) <
             tolerance::plain_sum);
}

BOOST_AUTO_TEST_SUITE_END()
