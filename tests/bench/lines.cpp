// From rounds to contrasts and roofs, and what verdicts are worth: by hand.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "bench/tables.hpp"
#include "bench/verdict.hpp"
#include "tests/support/scratch.hpp"

using namespace perp::bench;
using boost::test_tools::tolerance;

namespace {

const auto tiny = tolerance(1e-12);

}  // namespace

BOOST_AUTO_TEST_SUITE(bench_lines)

// By hand: logs of ratios 0.1, 0.2, 0.3 have mean .2, standard deviation .1, t = .2/(.1/√3) = 3.4641 with two
// degrees of freedom, for which P(|T| > t) = 1 - t/√(2 + t²); t of 97.5 % is 4.302653.
BOOST_AUTO_TEST_CASE(a_paired_contrast_is_students_t_on_logarithms) {
  const Contrast c = paired_contrast({std::exp(0.1), std::exp(0.2), std::exp(0.3)});
  const double t = 0.2 / (0.1 / std::sqrt(3.0));
  BOOST_TEST(c.ratio == std::exp(0.2), tiny);
  BOOST_TEST(c.p == 1 - t / std::sqrt(2 + t * t), tiny);
  BOOST_TEST(std::log(c.high) == 0.2 + 4.302653 * 0.1 / std::sqrt(3.0), tolerance(1e-6));
  BOOST_TEST(std::log(c.low) == 0.2 - 4.302653 * 0.1 / std::sqrt(3.0), tolerance(1e-6));
  BOOST_TEST(paired_contrast({2.0}).p == 1.0);
  BOOST_TEST(paired_contrast({1.0, 1.0, 1.0}).p == 1.0);
  BOOST_TEST(paired_contrast({2.0, 2.0, 2.0}).p == 0.0);
}

BOOST_AUTO_TEST_CASE(a_verdict_needs_an_adjusted_p_at_the_level) {
  BOOST_TEST((Contrast{0.5, 0, 0, 0.05, 5}.told()));
  BOOST_TEST((!Contrast{2, 0, 0, 0.051, 5}.told()));
  BOOST_TEST((paired_ratios({2, 20, 4}, {1, 10}) == std::vector<double>{2, 2}));
}

BOOST_AUTO_TEST_CASE(the_roof_is_the_lower_of_two_limits_and_only_rises) {
  Roof roof;
  roof.limits = {{"fma", "f32", 128, 1, 50.0},  {"fma", "f32", 512, 1, 200.0}, {"fma", "f64", 512, 1, 100.0},
                 {"fma", "f32", 512, 2, 390.0}, {"copy", "", 0, 1, 10.0},      {"read", "", 0, 1, 8.0},
                 {"copy", "", 0, 2, 15.0}};
  BOOST_TEST(roof.of("f32", 1, 100, 50) == 20.0);     // two operations a byte, ten bytes a second
  BOOST_TEST(roof.of("f32", 1, 2000, 100) == 200.0);  // the ridge: twenty operations a byte
  BOOST_TEST(roof.of("f32", 1, 1e6, 1) == 200.0);
  BOOST_TEST(roof.of("f64", 1, 1e6, 1) == 100.0);
  BOOST_TEST(roof.of("f32", 2, 1e6, 1) == 390.0);
  BOOST_TEST(roof.of("f32", 2, 1, 1) == 15.0);
  Roof other = roof, empty;
  other.limits[1].rate = 250;
  other.limits[4].rate = 5;
  roof.raise(other);
  BOOST_TEST(roof.best("f32", 1) == 250.0);
  BOOST_TEST(roof.best("", 1) == 10.0);
  empty.raise(other);
  BOOST_TEST(empty.best("f32", 1) == 250.0);
}

BOOST_AUTO_TEST_SUITE_END()
