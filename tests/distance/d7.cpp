// D7: bands, reach and turns, held against plain sums over the frequencies.

#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>

#include "studies/distance/claims.hpp"
#include "studies/distance/d7_measure.hpp"
#include "tests/distance/quick.hpp"
#include "tests/support/rule.hpp"
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

}  // namespace

BOOST_AUTO_TEST_SUITE(distance_d7)

BOOST_AUTO_TEST_CASE(quarters_of_the_distance) {
  const std::array<double, 4> loss = losses(4096);
  double sum = 0, shares = 0;
  for (const double part : loss) sum += part;
  for (int q = 1; q <= 4; ++q) {
    const double share = value(fmt::format("D7.distance_share.q{}.lag4096", q));
    // 128 squares of rounded entries; the angles' rounding, up to u (place + lag), is the largest part.
    BOOST_TEST(std::abs(share - loss[q - 1] / sum) < tolerance::band_share);
    shares += share;
  }
  BOOST_TEST(std::abs(shares - 1) < tolerance::share_of_one);
}

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
  std::array<double, 4> changes{}, means{};
  for (int k = 256; k < 512; ++k) {
    const std::array<double, 4> near = losses(k), far = losses(2 * k);
    for (int q = 0; q < 4; ++q) {
      changes[q] += std::abs(far[q] - near[q]);
      means[q] += far[q] - near[q];
    }
  }
  double all = 0, all_means = 0;
  for (int q = 0; q < 4; ++q) all += changes[q], all_means += std::abs(means[q]);
  for (int q = 0; q < 4; ++q) {
    const distance::ChangeShare share = distance::change_share(512, 1e4, q + 1, 256);
    BOOST_TEST(std::abs(share.single - changes[q] / all) < tolerance::plain_sum);
    BOOST_TEST(std::abs(share.mean - std::abs(means[q]) / all_means) < tolerance::plain_sum);
  }
  BOOST_TEST(value("D7.change_share.q3.from256") == distance::change_share(512, 1e4, 3, 256).single);
  const Table& octaves = table("d7_octaves.csv");
  std::size_t compared = 0;
  for (std::size_t i = 0; i < octaves.rows.size(); ++i) {
    if (octaves.number(i, "base") != 10000 || octaves.number(i, "first") != 256) continue;
    const int q = static_cast<int>(octaves.number(i, "quarter")) - 1;
    BOOST_TEST(std::abs(octaves.number(i, "change") - means[q] / (256. * 256)) < tolerance::plain_sum);
    ++compared;
  }
  BOOST_TEST(compared == 4U);
  double whole = 0;
  for (std::size_t q = 1; q <= 4; ++q) whole += distance::change_share_limit(1e4, q, 16).single;
  BOOST_TEST(std::abs(whole - 1) < tolerance::share_of_one);
}

BOOST_AUTO_TEST_CASE(wavelengths_reached) {
  const Table& waves = table("d7_wavelengths.csv");
  for (std::size_t row = 0; row < waves.rows.size(); ++row)
    BOOST_TEST(std::abs(waves.number(row, "ratio") -
                        std::pow(waves.number(row, "base"), -2 / waves.number(row, "d"))) <
               tolerance::plain_sum);
}

BOOST_AUTO_TEST_CASE(turns_and_standing_columns) {
  const Table& columns = table("d7_columns.csv");
  for (std::size_t row = 0; row < columns.rows.size(); ++row) {
    const double base = columns.number(row, "base"), steps = columns.number(row, "positions") - 1;
    int slow = 0;
    for (int i = 0; i < 256; ++i) slow += std::pow(base, -2.0 * i / 512) * steps < 2 * std::numbers::pi;
    BOOST_TEST(columns.number(row, "less_than_once") == slow / 256.0);
    // Whole columns against a line: two of 256 frequencies, sines and cosines each.
    BOOST_TEST(std::abs(columns.number(row, "less_than_once") - columns.number(row, "less_line")) <
               2 / 256.0);
    BOOST_TEST(std::abs(columns.number(row, "standing") - columns.number(row, "standing_line")) < 2 / 256.0);
  }
}

BOOST_AUTO_TEST_CASE(first_lag_apart) {
  const Table& noises = table("d7_noise.csv");
  for (std::size_t row = 0; row < noises.rows.size(); ++row) {
    if (noises.number(row, "noise") != 1) continue;
    const double base = noises.number(row, "base");
    int lag = 0;
    double loss = 0;
    while (loss < 128) {  // ‖p_t - p_{t+k}‖² = 2 loss against ‖p‖² = 256
      ++lag;
      loss = 0;
      for (int i = 0; i < 256; ++i) loss += 1 - std::cos(lag * std::pow(base, -2.0 * i / 512));
    }
    BOOST_TEST(noises.number(row, "reached") == lag);
  }
}

BOOST_AUTO_TEST_CASE(confusions_are_counted_as_often_as_theory_says) {
  // Q(D/2n) by its definition; each count within five standard errors, false alarm 6e-7.
  const Table& errors = table("d7_errors.csv");
  for (std::size_t row = 0; row < errors.rows.size(); ++row) {
    const double lag = errors.number(row, "lag"), line = errors.number(row, "line");
    double loss = 0;
    for (int i = 0; i < 256; ++i) loss += 1 - std::cos(lag * std::pow(1e4, -2.0 * i / 512));
    const double apart = std::sqrt(2 * loss / 256);
    BOOST_TEST(std::abs(line - std::erfc(apart / 0.5 / std::sqrt(2.0)) / 2) < tolerance::closed_form);
    BOOST_TEST(std::abs(errors.number(row, "share") - line) <
               tolerance::hit_share(line, errors.number(row, "trials")));
  }
}

BOOST_AUTO_TEST_CASE(rule_of_the_claim) {
  const Results& results = results_of("D7");
  const Claim& claim = results.claims.front();
  BOOST_TEST(to_text(with(results.findings, claim.rule, "D7.change_share.q3.from256", .6)) ==
             "true, with limits");
}

BOOST_AUTO_TEST_SUITE_END()
