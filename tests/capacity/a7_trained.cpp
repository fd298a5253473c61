// Readers that learn, beside claim A7: against the linear reader, whose class softmax regression is, and the
// ideal one, whom nobody exceeds.

#include "studies/capacity/a7_trained.hpp"

#include <boost/test/unit_test.hpp>

using namespace perp;
using namespace perp::capacity;

namespace {

CellRecords read(std::size_t codebook, std::size_t samples) {
  const TrainedPlace at{"trained", 32, "random", 64, codebook, samples, 8192, 64};
  const Cell cell(coordinates_of(at));
  Rows rows(cell);
  measure_trained(at, {1, "tests", "a7_trained"}, rows);
  return {cell, rows.take()};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(capacity_a7_trained)

BOOST_AUTO_TEST_CASE(readers_learn_what_a_linear_one_knows_and_no_more_than_there_is) {
  const Cells cells{read(8, 150'000), read(9, 20'000)};
  const std::vector<Trained> readers = rows_of<Trained>(cells);
  BOOST_TEST_REQUIRE(readers.size() == 8U);
  for (const Trained& reader : std::span(readers).first(4)) {
    BOOST_TEST_CONTEXT(reader.joined << ", units: " << reader.units) {
      BOOST_TEST(reader.linear < reader.separate + 0.02);
      BOOST_TEST(reader.bits < reader.separate + 0.02);
      // A short training leaves half a bit of 14; softmax regression exceeds its own class's best by chance alone.
      BOOST_TEST(reader.bits > reader.linear - 0.7);
      if (reader.units == 0) BOOST_TEST(reader.bits < reader.linear + 0.05);
      if (reader.joined == "split") BOOST_TEST(std::abs(reader.linear - reader.separate) < 1e-3);
    }
  }
  BOOST_TEST(readers[0].linear > readers[2].linear + 0.5);
  BOOST_TEST((readers[2].linear == readers[3].linear && readers[2].noise == readers[7].noise));

  Summary summary("A7");
  add_trained_readers(cells, summary);
  const std::vector<Finding>& findings = summary.findings;
  BOOST_TEST_REQUIRE(findings.size() == 2U);
  BOOST_TEST(findings[1].id == "A7.trained_gain_share.random.d32.units64");
  const double both = readers[1].bits - readers[3].bits + readers[5].bits - readers[7].bits;
  BOOST_TEST(std::abs(findings[1].value - both / 2 / 14) < 1e-12);
  BOOST_TEST(findings[1].n == 2U);
}

BOOST_AUTO_TEST_SUITE_END()
