// The sinusoid's effective dimension against eigenvalues of the tables themselves.

#include "perp/theory/dimension.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp::theory;
using perp::test::check_refusal;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(theory_dimension)

BOOST_AUTO_TEST_CASE(lines_of_the_known_tables) {
  BOOST_TEST(std::abs(sinusoid_r99(512, 512, 1e4) - 109.1) < .05);
  BOOST_TEST(std::abs(sinusoid_r99(2048, 512, 1e4) - 186.1) < .05);
  BOOST_TEST(std::abs(sinusoid_r99(8192, 512, 1e4) - 263.0) < .05);
  BOOST_TEST(std::abs(sinusoid_r99(512, 384, 1e4) - 94.2) < .05);
  BOOST_TEST(std::abs(sinusoid_r99(512, 768, 1e4) - 129.1) < .05);
  // Centred, the formula evaluated separately in NumPy: x on either side of 1.
  BOOST_TEST(std::abs(sinusoid_r99_centred(512, 512, 1e4) - 111.3333) < 1e-3);
  BOOST_TEST(std::abs(sinusoid_r99_centred(2048, 512, 1e4) - 187.1922) < 1e-3);
  BOOST_TEST(std::abs(sinusoid_r99_centred(256, 1024, 1e4) - 78.2066) < 1e-3);
}

BOOST_AUTO_TEST_CASE(against_eigenvalues) {
  struct Row {
    std::size_t positions, d;
    double base;
    int whole, centred;
  };
  // NumPy eigvalsh of the Gram matrix in float64: fewest leading eigenvalues that reach .99 of the trace.
  const Row rows[] = {{16, 64, 1e3, 6, 6},        {128, 256, 1e3, 40, 40},    {512, 384, 1e3, 111, 111},
                      {512, 512, 1e3, 126, 127},  {2048, 512, 1e3, 229, 228}, {4096, 256, 1e3, 167, 166},
                      {8192, 512, 1e3, 331, 331}, {256, 768, 1e3, 78, 78},    {466, 1024, 1e3, 140, 142},
                      {2048, 64, 1e3, 50, 49},    {30000, 64, 1e3, 64, 64},   {50000, 128, 1e3, 127, 127},
                      {16, 64, 1e4, 6, 6},        {512, 384, 1e4, 94, 96},    {512, 512, 1e4, 109, 111},
                      {2048, 512, 1e4, 186, 187}, {8192, 512, 1e4, 263, 263}, {256, 768, 1e4, 76, 79},
                      {512, 768, 1e4, 129, 133},  {384, 1024, 1e4, 113, 117}, {512, 1024, 1e4, 142, 146},
                      {16, 64, 1e5, 6, 6},        {512, 512, 1e5, 96, 99},    {2048, 512, 1e5, 158, 160},
                      {8192, 512, 1e5, 220, 221}, {256, 768, 1e5, 73, 77},    {293, 1024, 1e5, 85, 90},
                      {512, 1024, 1e5, 130, 136}};
  for (const Row& row : rows) {
    const double x = sinusoid_crowding(row.positions, row.d, row.base);
    const double bound = perp::tolerance::sinusoid_dimension(x);
    BOOST_TEST_CONTEXT("L = " << row.positions << ", d = " << row.d << ", T = " << row.base
                              << ", x = " << x) {
      BOOST_TEST(std::abs(sinusoid_r99(row.positions, row.d, row.base) - row.whole) < bound);
      BOOST_TEST(std::abs(sinusoid_r99_centred(row.positions, row.d, row.base) - row.centred) < bound);
    }
  }
}

BOOST_AUTO_TEST_CASE(mean_share_of_the_tables) {
  // NumPy: squared norm of the mean row over d/2, d = 512.
  BOOST_TEST(std::abs(sinusoid_mean_share(16, 1e4) - .7971) < .003);
  BOOST_TEST(std::abs(sinusoid_mean_share(512, 1e4) - .4209) < .003);
  BOOST_TEST(std::abs(sinusoid_mean_share(8192, 1e4) - .1230) < .003);
  BOOST_TEST(std::abs(sinusoid_mean_share(512, 1e3) - .2302) < .003);
  BOOST_TEST(sinusoid_mean_share(8192, 1e3) == 0);
  BOOST_TEST(sinusoid_mean_share(1, 1e4) == 1);
}

BOOST_AUTO_TEST_CASE(limits) {
  BOOST_TEST(sinusoid_crowding(512, 512, 1e4) == 2.9317423955177113,
             tt::tolerance(perp::tolerance::closed_form));
  BOOST_TEST(sinusoid_r99(1, 512, 1e4) == 1);
  BOOST_TEST(sinusoid_r99_centred(1, 512, 1e4) == 0);
  BOOST_TEST(sinusoid_r99(1000000000, 512, 1e4) == .99 * 512);
  BOOST_TEST(sinusoid_r99_centred(1000000000, 512, 1e4) == .99 * 512);
  for (const std::size_t d : {2, 4, 16, 64})  // short of x = T the line alone would pass d
    for (std::size_t positions = 1; positions < 10000000; positions *= 3) {
      BOOST_TEST(sinusoid_r99(positions, d, 1e4) <= static_cast<double>(d));
      BOOST_TEST(sinusoid_r99(positions, d, 1e4) <= static_cast<double>(positions));
      BOOST_TEST(sinusoid_r99_centred(positions, d, 1e4) <= static_cast<double>(d));
    }
}

BOOST_AUTO_TEST_CASE(refusals) {
  const double infinity = std::numeric_limits<double>::infinity();
  check_refusal([] { sinusoid_r99(0, 64, 1e4); }, "sinusoid_r99: 0 positions given, expected at least 1");
  check_refusal([] { sinusoid_r99(8, 63, 1e4); },
                "sinusoid_r99: dimension 63 given, expected an even number");
  check_refusal([] { sinusoid_r99(8, 0, 1e4); }, "sinusoid_r99: dimension 0 given");
  check_refusal([] { sinusoid_r99(8, 64, 1); }, "sinusoid_r99: base 1 given, expected above 1");
  check_refusal([&] { sinusoid_r99(8, 64, infinity); }, "sinusoid_r99: base inf given");
  check_refusal([] { sinusoid_r99_centred(0, 64, 1e4); }, "sinusoid_r99_centred: 0 positions given");
  check_refusal([] { sinusoid_crowding(8, 1, 1e4); }, "sinusoid_crowding: dimension 1 given");
  check_refusal([] { sinusoid_mean_share(0, 1e4); }, "sinusoid_mean_share: 0 positions given");
}

BOOST_AUTO_TEST_SUITE_END()
