// Q2: read-outs against cases whose answer is known.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>

#include "perp/random/uniform.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/q2_measure.hpp"
#include "tests/distance/quick.hpp"
#include "tests/support/refusal.hpp"

using namespace perp;
using namespace perp::distance;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(distance_q2)

BOOST_AUTO_TEST_CASE(a_linear_place_is_read_exactly) {
  // Place 3 a - 2 b of two of the columns; the third is noise, the fourth does not vary.
  const std::size_t n = 200;
  Matrix<double> y = normal(n, 4, 1);
  std::vector<std::uint32_t> places = below(stream(1, "tests", "q2", 0, "places"), n, 100);
  for (std::size_t r = 0; r < n; ++r) {
    y(r, 0) = (places[r] + 2 * y(r, 1)) / 3;
    y(r, 3) = 7;
  }
  BOOST_TEST(1 - readout_r2(y, places, 100) < 1e-6);  // the ridge's share
  // Noise alone: the held-out R² of nothing, near 1 - (n+1)(n-2)/(n(n-p-2)) = -.04 ± its own spread (Stein 1960).
  BOOST_TEST(std::abs(readout_r2(normal(n, 4, 2), places, 100)) < 0.3);
  check_refusal([&] { readout_r2(y, places, 4); }, "4 to learn from");
  check_refusal([&] { readout_r2(y, places, 199); }, "199 to learn from");
}

BOOST_AUTO_TEST_CASE(nearest_by_cosine) {
  const Matrix<double> table = sinusoidal<double>(20, 16);
  std::vector<std::uint32_t> places(20);
  std::iota(places.begin(), places.end(), 0u);
  Matrix<double> scaled = table;
  for (std::size_t i = 0; i < scaled.size(); ++i) scaled.data()[i] *= 3;
  BOOST_TEST(nearest_share(scaled, table, places) == 1);
  std::swap(places[0], places[19]);
  BOOST_TEST(nearest_share(scaled, table, places) == 0.9);
}

BOOST_AUTO_TEST_SUITE_END()
