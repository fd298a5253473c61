// What claim A5 must find whatever the machine.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <map>

#include "studies/capacity/claims.hpp"
#include "studies/capacity/split.hpp"
#include "tests/capacity/quick.hpp"

using namespace perp;
using namespace perp::capacity;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(capacity_a5)

BOOST_AUTO_TEST_CASE(known_numbers) {
  // Words without limit, against 640,000 samples of a program of its own: 1.666 and 1.837 bits of position,
  // each ± .002, the word's ½·32 log₂(1 + 1/2.25) and 12 log₂(1 + (32/24)/2.25). Standard errors of the quick
  // preset: .01 for the sum, .03 for the split.
  BOOST_TEST(std::abs(value("A5.unlimited.adding") - 9.704) < 0.06);
  BOOST_TEST(std::abs(value("A5.unlimited_position.adding") - 1.666) < 0.06);
  BOOST_TEST(std::abs(value("A5.unlimited.width8") - 9.894) < 0.15);
  BOOST_TEST(std::abs(value("A5.unlimited_position.width8") - 1.837) < 0.15);
  BOOST_TEST(value("A5.unlimited.width8") > value("A5.unlimited.adding"));
}

BOOST_AUTO_TEST_CASE(both_corners_of_a_sum_carry_the_same_bits) {
  // Chain rule: I(x, p; y) whichever is decoded first (Cover & Thomas 2006, section 15.3).
  const Table& region = table(results_of("A5"), "a5_region.csv");
  const auto text = [&](std::size_t i, const char* column) {
    return std::get<std::string>(region.at(i, column));
  };
  std::map<std::string, std::vector<double>> sums;
  for (std::size_t i = 0; i < region.rows.size(); ++i)
    if (text(i, "words") == "unlimited" && text(i, "kind") != "split")
      sums[text(i, "positions")].push_back(region.number(i, "word") + region.number(i, "position"));
  BOOST_TEST(sums.size() == 3U);
  for (const auto& [positions, corners] : sums) {
    BOOST_TEST_REQUIRE(corners.size() == 2U, positions);
    BOOST_TEST(std::abs(corners[0] - corners[1]) < 1e-9, positions);
  }
}

BOOST_AUTO_TEST_CASE(what_is_chosen_is_chosen_on_the_codebooks_before) {
  // Eight codebooks, each a group; at noise 2 the third would choose width 8, the others 12.
  const auto changing = [](std::size_t width, std::size_t book) {
    return (width == 8) == (book == 2) ? 4 : 0;
  };
  const auto steady = [](std::size_t width) { return width == 8 ? 1 : 5; };
  std::vector<CellRecords> cells;
  for (std::size_t book = 0; book < 8; ++book) {
    const Book at{32, 256, 64, book, 1024};
    const Cell cell(coordinates_of(at));
    Rows rows(cell);
    for (const Positions positions : all_positions)
      for (const double noise : joined_noises)
        for (const std::string joined : {"split", "sum"})
          for (const std::size_t width : {4U, 8U, 12U}) {
            // An eighth is by far the best split, and no split that counts.
            const double bits = width == 4                  ? (joined == "split" ? 100 : 0)
                                : noise == joined_noises[0] ? steady(width)
                                                            : changing(width, book);
            rows.add(Joined{at, name_of(positions), noise, joined, width, -1, -1, bits, -1, -1});
          }
    cells.push_back({cell, rows.take()});
  }
  for (std::size_t book = 0; book < 2; ++book) {
    Records rates;
    for (const std::size_t width : {0U, 8U}) {
      Record record{"Rates", {{"noise", 1.5}, {"positions", "sinusoidal"}, {"width", whole(width)}}};
      for (const char* other : {"word", "position", "word_known", "position_known", "unlimited",
                                "unlimited_word", "unlimited_position"})
        record.values.emplace_back(other, 0.0);
      rates.push_back(record);
    }
    cells.push_back({Cell(coordinates_of(Book{32, 256, 64, book, 1024})), rates});
  }
  const Outcome outcome = choosing_a_split({}).summarise(cells);
  const auto loss = [&](const char* id) { return value(outcome, id); };
  // The third's choice at noise 2 costs the fourth four bits at noise one half.
  for (const char* id : {"A5.moved_loss.split.sinusoidal.d32", "A5.moved_loss.sum.random.d32",
                         "A5.width_loss.split.sinusoidal.d32"}) {
    BOOST_TEST(loss(id) == 0.5);
    // Student's interval of 0 seven times and 4: the chance of the choice is in it.
    BOOST_TEST(finding(outcome, id).spread->replicates == 8U);
    BOOST_TEST(std::abs(*finding(outcome, id).high - (0.5 + 3.499483 * 0.5)) < 1e-5);
  }
  const Table& books = table(outcome, "a5_codebooks.csv");
  for (std::size_t i = 0; i < books.rows.size(); ++i)
    BOOST_TEST(books.number(i, "moved") == (books.number(i, "codebook") == 3 ? 1 : 5));
  // The share of power is the same at both.
  BOOST_TEST(loss("A5.share_loss.split.sinusoidal.d32") == 0);
  BOOST_TEST(loss("A5.eighth_loss.sinusoidal") == 0);
}

BOOST_AUTO_TEST_CASE(points_lie_inside_the_pentagon) {
  const Table &points = table("a5_region.csv"), &curve = table("a5_curve.csv");
  const double word = curve.number(0, "word"), position = curve.number(3, "position"),
               both = word + curve.number(1, "position");
  for (std::size_t i = 0; i < points.rows.size(); ++i) {
    BOOST_TEST(points.number(i, "word_low") <= word);
    BOOST_TEST(points.number(i, "position_low") <= position);
    BOOST_TEST(points.number(i, "word_low") + points.number(i, "position_low") <= both);
  }
}

BOOST_AUTO_TEST_SUITE_END()
