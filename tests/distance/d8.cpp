// D8: the columns' cosines, against plain sums.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/vectors/positions.hpp"
#include "tests/distance/quick.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(distance_d8)

BOOST_AUTO_TEST_CASE(shares_by_the_definition) {
  const Table& table = perp::test::table("d8_share.csv");
  constexpr std::size_t pairs = 64 * 63 / 2;
  std::size_t checked = 0;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const auto length = static_cast<std::size_t>(table.number(row, "positions"));
    if (table.number(row, "d") != 64 || length > 512) continue;
    const Matrix<double> columns = sinusoidal<double>(length, 64);
    const auto product = [&](std::size_t a, std::size_t b) {
      double sum = 0;
      for (std::size_t t = 0; t < length; ++t) sum += columns(t, a) * columns(t, b);
      return sum;
    };
    double small = 0;
    for (std::size_t a = 0; a < 64; ++a)
      for (std::size_t b = 0; b < a; ++b)
        small += std::abs(product(a, b)) < 0.1 * std::sqrt(product(a, a) * product(b, b));
    BOOST_TEST(std::abs(table.number(row, "share") - small / pairs) < 1.5 / pairs);
    BOOST_TEST(table.number(row, "pairs") == pairs);
    ++checked;
  }
  BOOST_TEST(checked == 2U);
}

BOOST_AUTO_TEST_SUITE_END()
