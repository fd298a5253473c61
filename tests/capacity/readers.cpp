// Bits by reader of claim A7: one cell against tests/capacity/reader_peer.py, theory, and what cannot be.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "studies/capacity/a7_measure.hpp"
#include "tests/capacity/quick.hpp"

using namespace perp;
using namespace perp::capacity;
using namespace perp::test;

namespace {

std::vector<ReaderBits> measured(const ReaderPlace& at) {
  return measure_readers(at, {1, "tests", "readers of " + at.positions});
}
/// Mean over codebooks of one reader.
template <class Get>
Estimate mean_of(const std::vector<ReaderBits>& rows, const std::string& reader, Get get) {
  Values values;
  for (const ReaderBits& row : rows)
    if (row.reader == reader) values.push_back(get(row));
  return over_codebooks(values);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(capacity_readers)

BOOST_AUTO_TEST_CASE(who_reads_the_sum_decides) {
  // The peer at d = 32, 256 words, 64 positions, where the best concatenation carries 90 %: best
  // concatenation less best sum, in bits, sixteen codebooks each.
  struct Known {
    const char* positions;
    double noise, linear, linear_error, joint, joint_error, separate, separate_error;
  };
  for (const Known& known : {Known{"random", 1.08, 1.057, 0.013, -0.358, 0.046, -0.202, 0.055},
                             {"sinusoidal", 0.79, 0.969, 0.019, NAN, 0, NAN, 0}}) {
    const auto rows = measured({32, 256, 64, known.positions, 90, "coarse", 8, 256, 10, 512, 256, 512});
    BOOST_TEST(rows.size() == 30U);
    const auto gain = [&](const char* reader) {
      return mean_of(rows, reader, [](const ReaderBits& row) { return row.gain(); });
    };
    // Chosen by eight codebooks of 256 samples: three digits of which the third may differ.
    BOOST_TEST(std::abs(rows.front().noise / known.noise - 1) < 0.03);
    BOOST_TEST(meets(gain("linear"), known.linear, known.linear_error), gain("linear").value);
    BOOST_TEST(*gain("linear").low > 0.14);  // the sign of the ideal reader is the other one, or none
    if (!std::isnan(known.joint)) {
      BOOST_TEST(meets(gain("joint"), known.joint, known.joint_error), gain("joint").value);
      BOOST_TEST(meets(gain("separate"), known.separate, known.separate_error), gain("separate").value);
    }
    // The share that the choosers set, on other codebooks; theory without a fitted number.
    const auto share =
        mean_of(rows, "linear", [](const ReaderBits& row) { return row.split / row.ceiling(); });
    BOOST_TEST(std::abs(share.value - 0.9) < 0.02);
    const auto missed =
        mean_of(rows, "linear", [](const ReaderBits& row) { return row.sum - row.predicted; });
    BOOST_TEST(meets(missed, 0, 0.02), missed.value);
    for (const ReaderBits& row : rows) {
      // A power of 3/2 a coordinate, however read; no reader gets more than the ideal one.
      const double white = 16 * std::log2(1 + 1.5 / (row.noise * row.noise));
      BOOST_TEST((row.split < std::min(14.0, white) && row.sum < std::min(14.0, white)));
      BOOST_TEST((row.codebook >= row.choosers && row.codebook < row.choosers + row.codebooks));
      BOOST_TEST(std::isnan(row.predicted) == (row.reader != "linear"));
    }
  }
}

// At one carried share the loss falls as 1/d: by closed forms (theory/reader.hpp) 3.8 and 1.8 % of 14 bits.
BOOST_AUTO_TEST_CASE(the_linear_reader_loses_less_in_wider_spaces) {
  for (const auto& [d, law] : {std::pair<std::size_t, double>{64, 0.0382}, {128, 0.0179}}) {
    const auto rows = measured({d, 256, 64, "random", 90, "coarse", 8, 128, 8, 512, 0, 0});
    const Estimate loss =
        mean_of(rows, "linear", [](const ReaderBits& row) { return row.gain() / row.ceiling(); });
    BOOST_TEST(meets(loss, law, 0.001), d << ": " << loss.value);
    BOOST_TEST(*loss.low > 0);
  }
}

// Where there are too many pairs for it the ideal reader is left out; what is chosen is the cell's.
BOOST_AUTO_TEST_CASE(large_tables_have_a_linear_reader_alone) {
  const auto rows = measured({16, 40000, 8, "centred", 50, "coarse", 1, 32, 2, 64, 0, 0});
  BOOST_TEST(rows.size() == 2U);
  for (const ReaderBits& row : rows) {
    BOOST_TEST((row.reader == "linear" && row.noise == rows[0].noise && row.sum_width == rows[0].sum_width));
    BOOST_TEST((row.split_width >= 2 && row.split_width <= 8 && row.sum_share > 0));
  }
  BOOST_TEST(rows[0].split != rows[1].split);
}

BOOST_AUTO_TEST_SUITE_END()
