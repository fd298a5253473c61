// A2: columns against plain sums, bands against their exact line.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/theory/columns.hpp"
#include "studies/capacity/a1_measure.hpp"
#include "tests/capacity/quick.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(capacity_a2)

BOOST_AUTO_TEST_CASE(columns_by_the_definition) {
  const Table& rows = table("a2_dimensions.csv");
  const double constant = table("a2_quarters.csv").number(1, "constant");
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
    BOOST_TEST(std::abs(rows.number(j, "mean") - mean) < tolerance::column_moment(512));
    BOOST_TEST(std::abs(rows.number(j, "as_is") * square - 1) < 1e-9);
    BOOST_TEST(to_text(rows.at(j, "wave")) == (j % 2 ? "cosine" : "sine"));
    // Scaled back to the power they had. The slowest cosine varies by 2e-7 of a square near 1.
    const double scaled = 1 / (1 - constant);
    BOOST_TEST(std::abs(rows.number(j, "centred") * scaled * (square - mean * mean) - 1) < 1e-7);
  }
  BOOST_TEST(value("A2.departure") < 1e-13);
}

BOOST_AUTO_TEST_CASE(constants) {
  const Table& rows = table("a2_quarters.csv");  // d = 32, L = 64; d = L = 512
  double varying = 0;
  for (const char* quarter : {"first", "second", "third", "last"}) varying += rows.number(1, quarter);
  BOOST_TEST(std::abs(varying / 4 + rows.number(1, "constant") - 1) < 1e-12);
  BOOST_TEST(std::abs(value("A2.last_share.d512.l512") - value("A2.varying.last") / varying) < 1e-12);
}

BOOST_AUTO_TEST_CASE(measured_shares_meet_their_line) {
  const Table& words = table("a2_words.csv");
  const double alike = *finding("A2.recovered.as_is.first.a4").theory;
  std::size_t checked = 0;
  for (std::size_t i = 0; i < words.rows.size(); ++i) {
    if (words.number(i, "noise") > 0) continue;
    // Student's 99 % over eight codebooks, half as wide again: 99.9 %; and the error of the line's grid.
    const double share = words.number(i, "share"), line = words.number(i, "line");
    BOOST_TEST(share - 1.6 * (share - words.number(i, "low")) - 2e-3 < line, i);
    BOOST_TEST(share + 1.6 * (words.number(i, "high") - share) + 2e-3 > line, i);
    // Every quarter is disturbed alike: float positions, and the line read off a grid.
    if (to_text(words.at(i, "centred")) == "as_is" && words.number(i, "factor") == 4 &&
        words.number(i, "order") <= 4)
      BOOST_TEST(std::abs(line - alike) < 1e-6, i);
    ++checked;
  }
  BOOST_TEST(checked == 6U * 2 * 2);
}

BOOST_AUTO_TEST_CASE(centred_positions_have_the_power_they_had) {
  // By another program, 16 codebooks: 24.5, 25.2, 85 and 100 % at A = 4; here 8 of 1,000 words, which lets
  // more through: the exact chances stand beside. Not scaled back the first two would find as much as before.
  double last = 0;
  for (const char* quarter : {"first", "second", "third", "last"}) {
    const double line = *finding(fmt::format("A2.recovered.centred.{}.a4", quarter)).theory;
    BOOST_TEST(line > last);
    last = line;
  }
  const Matrix<float> table = capacity::unit_power_positions(512, 512, true);
  double square = 0;  // of the first quarter, in squared lengths of all
  for (std::size_t t = 0; t < 512; ++t)
    for (std::size_t j = 0; j < 128; ++j) square += double(table(t, j)) * table(t, j) / 512;
  const double disturbance = 16 * 256 * square;
  BOOST_TEST(std::abs(theory::word_from_dimensions(128, 1000, disturbance) -
                      *finding("A2.recovered.centred.first.a4").theory) < 0.005);
}

BOOST_AUTO_TEST_SUITE_END()
