// D4: sines alone, against plain sums.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/measures/kernel.hpp"
#include "studies/distance/scores.hpp"
#include "tests/distance/quick.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;

namespace {

/// ‖G - Toep(G)‖/‖G‖ of sines alone by the definition, entry by entry.
double plain_defect(std::size_t length, std::size_t d) {
  std::vector<std::vector<double>> g(length, std::vector<double>(length));
  double total = 0, within = 0;
  for (std::size_t t = 0; t < length; ++t)
    for (std::size_t s = 0; s < length; ++s) {
      for (std::size_t i = 0; i < d; ++i) {
        const double omega = std::pow(1e4, -static_cast<double>(i) / static_cast<double>(d));
        g[t][s] += std::sin(omega * static_cast<double>(t)) * std::sin(omega * static_cast<double>(s));
      }
      total += g[t][s] * g[t][s];
    }
  for (std::size_t lag = 0; lag < length; ++lag) {
    double mean = 0;
    for (std::size_t t = 0; t + lag < length; ++t) mean += g[t][t + lag] / static_cast<double>(length - lag);
    for (std::size_t t = 0; t + lag < length; ++t)
      within += (lag ? 2 : 1) * (g[t][t + lag] - mean) * (g[t][t + lag] - mean);
  }
  return std::sqrt(within / total);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(distance_d4)

BOOST_AUTO_TEST_CASE(many_dimensions_meet_the_limit) {
  const Finding& wide = finding("D4.defect.sine_only.d512.l512");
  BOOST_TEST(std::abs(wide.value - *wide.theory) < tolerance::limit_at_512);
  BOOST_TEST(std::abs(sine_alone_defect(64, 1e4) - plain_defect(64, 2048)) < 1e-3);
}

BOOST_AUTO_TEST_CASE(the_closed_form_is_the_defect) {
  for (const std::size_t d : {8, 32}) {
    const std::vector<double> kernel = distance::sinusoid_kernel(2 * 64 - 1, 2 * d);
    BOOST_TEST(std::abs(sine_alone_defect(64, kernel) - plain_defect(64, d)) < tolerance::plain_sum);
    check_refusal([&] { sine_alone_defect(65, kernel); }, "127 lags for 65 positions");
  }
  BOOST_TEST(value("D4.defect_largest.sinusoidal") < tolerance::exact_defect);
  // The smallest over many lengths is no larger than at one of them.
  BOOST_TEST(value("D4.defect_law.d64") <= value("D4.defect.sine_only.d64.l512") + tolerance::plain_sum);
}

BOOST_AUTO_TEST_SUITE_END()
