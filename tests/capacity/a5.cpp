// What claim A5 must find whatever the machine.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "studies/capacity/claims.hpp"
#include "studies/capacity/split.hpp"
#include "tests/capacity/quick.hpp"

using namespace perp;
using namespace perp::capacity;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(capacity_a5)

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
    Records records;
    for (const Positions positions : all_positions)
      for (const double noise : joined_noises)
        for (const std::string joined : {"split", "sum"})
          for (const std::size_t width : {4U, 8U, 12U}) {
            // An eighth is by far the best split, and no split that counts.
            const double bits = width == 4                  ? (joined == "split" ? 100 : 0)
                                : noise == joined_noises[0] ? steady(width)
                                                            : changing(width, book);
            for (const double share : shares)
              records.push_back({"joined",
                                 {{"positions", name_of(positions)},
                                  {"noise", noise},
                                  {"joined", joined},
                                  {"width", whole(width)},
                                  {"share", share},
                                  {"bits", share == plain_share ? bits : -1}}});
          }
    cells.push_back({cell, records});
  }
  const Outcome outcome = choosing_a_split({}).summarise(cells);
  const auto loss = [&](const char* id) { return value(outcome, id); };
  // The third's choice at noise 2 costs the fourth four bits at noise one half.
  for (const char* id : {"A5.moved_loss.split.sinusoidal.d32", "A5.moved_loss.sum.random.d32"}) {
    BOOST_TEST(loss(id) == 0.5);
    // Student's interval of 0 seven times and 4: the chance of the choice is in it.
    BOOST_TEST(finding(outcome, id).spread->replicates == 8U);
    BOOST_TEST(std::abs(*finding(outcome, id).high - (0.5 + 3.499483 * 0.5)) < 1e-5);
  }
  BOOST_TEST(loss("A5.eighth_loss.sinusoidal") == 0);
}

BOOST_AUTO_TEST_SUITE_END()
