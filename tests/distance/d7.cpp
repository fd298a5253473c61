// D7: laws, bands and turns, held against plain sums over the frequencies.

#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "studies/distance/d7_measure.hpp"
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

BOOST_AUTO_TEST_CASE(limits_are_integrals) {
  // Midpoint rule over ln ω, fine enough that a step turns by less than a hundredth at the largest lag.
  for (const double lag : {1.0, 30.0, 1000.0})
    for (std::size_t q = 1; q <= 4; ++q) {
      constexpr int steps = 400000;
      double share = 0, sum = 0, change = 0;
      for (int i = 0; i < steps; ++i) {
        const double x = (i + 0.5) / steps, omega = std::pow(1e4, -x);
        const double loss = 1 - std::cos(omega * lag);
        sum += loss;
        if (static_cast<std::size_t>(4 * x) != q - 1) continue;
        share += loss;
        change += std::cos(omega * lag) - std::cos(2 * omega * lag);
      }
      BOOST_TEST(std::abs(distance::distance_share_limit(1e4, q, lag) - share / sum) < tolerance::quadrature);
      BOOST_TEST(std::abs(distance::change_limit(1e4, q, lag) - change / steps) < tolerance::quadrature);
    }
}

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
  double limits = 0;
  for (int q = 0; q < 4; ++q) {
    const distance::ChangeShare share = distance::change_share(512, 1e4, q + 1, 256);
    BOOST_TEST(std::abs(share.single - changes[q] / sum_of(changes)) < tolerance::plain_sum);
    BOOST_TEST(std::abs(share.mean - sizes[q] / sum_of(sizes)) < tolerance::plain_sum);
    limits += distance::change_share_limit(1e4, q + 1, 16).single;
  }
  BOOST_TEST(std::abs(limits - 1) < tolerance::share_of_one);
  const Table& octaves = table("d7_octaves.csv");
  std::size_t compared = 0;
  for (std::size_t i = 0; i < octaves.rows.size(); ++i) {
    if (octaves.number(i, "first") != 256) continue;
    const int q = static_cast<int>(octaves.number(i, "quarter")) - 1;
    BOOST_TEST(std::abs(octaves.number(i, "change") - means[q] / (256. * 256)) < tolerance::plain_sum);
    ++compared;
  }
  BOOST_TEST(compared == 4U);
}

BOOST_AUTO_TEST_SUITE_END()
