// D8: the columns' cosines, against plain sums and the closed forms.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/distance/quick.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;

namespace {

/// Column j of the interleaved sinusoid at position t, d = 64.
double entry(std::size_t t, std::size_t j) {
  const double angle = static_cast<double>(t) * std::pow(1e4, -2.0 * static_cast<double>(j / 2) / 64);
  return j % 2 ? std::cos(angle) : std::sin(angle);
}

/// Share of |cosines| below a tenth among the columns, by the definition.
double plain_share(std::size_t length) {
  std::size_t small = 0;
  const auto product = [&](std::size_t a, std::size_t b) {
    double sum = 0;
    for (std::size_t t = 0; t < length; ++t) sum += entry(t, a) * entry(t, b);
    return sum;
  };
  for (std::size_t a = 0; a < 64; ++a)
    for (std::size_t b = 0; b < a; ++b)
      small += std::abs(product(a, b)) < 0.1 * std::sqrt(product(a, a) * product(b, b));
  return static_cast<double>(small) / (64 * 63 / 2);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(distance_d8)

BOOST_AUTO_TEST_CASE(overlaps_follow_their_closed_form) {
  BOOST_TEST(value("D8.departure") < tolerance::overlap_closed_form);
}

BOOST_AUTO_TEST_CASE(shares_by_the_definition) {
  const Table& table = results_of("D8").tables.front();
  std::size_t checked = 0;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (table.number(row, "d") != 64 || table.number(row, "positions") > 512) continue;
    const auto length = static_cast<std::size_t>(table.number(row, "positions"));
    BOOST_TEST(std::abs(table.number(row, "share") - plain_share(length)) < 1.5 / (64 * 63 / 2));
    BOOST_TEST(table.number(row, "pairs") == 64 * 63 / 2);
    ++checked;
  }
  BOOST_TEST(checked == 2U);
}

BOOST_AUTO_TEST_SUITE_END()
