// D7: bands, reach and turns, held against plain sums over the frequencies.

#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>

#include "studies/distance/claims.hpp"
#include "studies/distance/d7_ranges.hpp"
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

}  // namespace

BOOST_AUTO_TEST_SUITE(distance_d7)

BOOST_AUTO_TEST_CASE(quarters_of_the_distance) {
  for (const int lag : {1, 4096}) {
    const std::array<double, 4> loss = losses(lag);
    double sum = 0, shares = 0;
    for (const double part : loss) sum += part;
    for (int q = 1; q <= 4; ++q) {
      const double share = value("D7.distance_share.q" + std::to_string(q) + ".lag" + std::to_string(lag));
      // 128 squares of rounded entries; the angles' rounding, up to u (place + lag), is the largest part.
      BOOST_TEST(std::abs(share - loss[q - 1] / sum) < tolerance::band_share);
      shares += share;
    }
    BOOST_TEST(std::abs(shares - 1) < tolerance::share_of_one);
  }
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

BOOST_AUTO_TEST_CASE(quarters_take_turns) {
  for (const char* id : {"q1.from1", "q2.from16", "q3.from256", "q4.from2048"}) {
    const std::string name = std::string("D7.change_share.") + id;
    BOOST_TEST(value(name) > 0.5);
    // Aliases of amplitude √(2/(d ln T)) = .021 a lag, averaged, against changes of about .1.
    BOOST_TEST(std::abs(value(name) - *find(results_of("D7").findings, name)->theory) < 0.15);
  }
}

BOOST_AUTO_TEST_CASE(wavelengths_reached) {
  BOOST_TEST(value("D7.wavelength_departure") < tolerance::plain_sum);
  for (const double d : {16.0, 64.0, 512.0})
    BOOST_TEST(std::abs(value("D7.wavelength_ratio.d" + std::to_string(static_cast<int>(d))) -
                        std::pow(1e4, -2 / d)) < tolerance::plain_sum);
  BOOST_TEST((results_of("D7").claims.at(0).verdict == Verdict::conditional));
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
  for (const double base : {1e2, 1e4, 1e6}) {
    int lag = 0;
    double loss = 0;
    while (loss < 128) {  // ‖p_t - p_{t+k}‖² = 2 loss against ‖p‖² = 256
      ++lag;
      loss = 0;
      for (int i = 0; i < 256; ++i) loss += 1 - std::cos(lag * std::pow(base, -2.0 * i / 512));
    }
    BOOST_TEST(value("D7.separation.base" + std::to_string(static_cast<int>(base))) == lag);
  }
}

BOOST_AUTO_TEST_CASE(confusions_are_counted_as_often_as_theory_says) {
  // Q(D/2n) by its definition; each count within five standard errors, false alarm 6e-7.
  for (const int lag : {1, 64, 4096}) {
    const Finding& f = finding("D7.confused.lag" + std::to_string(lag));
    double loss = 0;
    for (int i = 0; i < 256; ++i) loss += 1 - std::cos(lag * std::pow(1e4, -2.0 * i / 512));
    const double apart = std::sqrt(2 * loss / 256);
    BOOST_TEST(std::abs(*f.theory - std::erfc(apart / 0.5 / std::sqrt(2.0)) / 2) < tolerance::closed_form);
    BOOST_TEST(std::abs(f.value - *f.theory) < tolerance::hit_share(*f.theory, static_cast<double>(f.n)));
  }
}

BOOST_AUTO_TEST_SUITE_END()
