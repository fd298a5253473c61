// A2: columns against plain sums, bands against their exact line.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/theory/columns.hpp"
#include "perp/theory/recovery.hpp"
#include "tests/capacity/quick.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(capacity_a2)

BOOST_AUTO_TEST_CASE(columns_by_the_definition) {
  const Table& rows = table("a2_dimensions.csv");
  BOOST_TEST(rows.rows.size() == 512U);
  for (const std::size_t j : {0U, 1U, 100U, 301U, 511U}) {
    double sum = 0, squares = 0;
    for (int t = 0; t < 512; ++t) {
      const double angle = t * std::pow(1e4, -2.0 * static_cast<double>(j / 2) / 512);
      const double entry = j % 2 ? std::cos(angle) : std::sin(angle);
      sum += entry;
      squares += entry * entry;
    }
    const double mean = sum / 512, square = squares / 512;
    const theory::ColumnMoments law = theory::sinusoid_column(512, 512, j, 1e4);
    BOOST_TEST(std::abs(rows.number(j, "mean") - mean) < tolerance::column_moment(512));
    BOOST_TEST(std::abs(rows.number(j, "mean") - law.mean) < 1e-13);
    BOOST_TEST(std::abs(rows.number(j, "variance") - law.variance) < 1e-13);
    BOOST_TEST(std::abs(rows.number(j, "variance") + mean * mean - square) < 1e-12);
    BOOST_TEST(to_text(rows.at(j, "wave")) == (j % 2 ? "cosine" : "sine"));
  }
}

BOOST_AUTO_TEST_CASE(the_last_quarter_of_what_varies) {
  const Table& rows = table("a2_dimensions.csv");
  double all = 0, last = 0;
  for (std::size_t j = 0; j < 512; ++j) (j < 384 ? all : last) += rows.number(j, "variance");
  BOOST_TEST(std::abs(value("A2.last_share.d512.l512") - last / (all + last)) < 1e-12);
}

BOOST_AUTO_TEST_CASE(words_of_a_quarter_meet_their_chance) {
  // A quarter of every position has the squared length d/8: one disturbance, one chance. Student's 99 % over eight
  // codebooks, half as wide again: 99.9 %.
  const Finding& found = finding("A2.first_quarter.v1000");
  const double line = theory::word_from_dimensions(128, 1000, 64);
  BOOST_TEST(found.value - 1.6 * (found.value - *found.low) < line);
  BOOST_TEST(found.value + 1.6 * (*found.high - found.value) > line);
}

BOOST_AUTO_TEST_SUITE_END()
