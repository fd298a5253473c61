// What claim A7 must find whatever the machine: ways to join, bits by reader against
// tests/studies/capacity/reader_peer.py and theory, and what released tables lose to each other.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <map>

#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/reader.hpp"
#include "perp/measures/rows.hpp"
#include "perp/random/draws.hpp"
#include "perp/vectors/words.hpp"
#include "studies/capacity/a7_measure.hpp"
#include "studies/capacity/split.hpp"
#include "tests/studies/capacity/quick.hpp"

using namespace perp;
using namespace perp::capacity;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(capacity_a7)

namespace {

constexpr std::size_t ways = 12;  // seven splits and five sums

/// A split's bits, and the narrow sum's with the same table of positions: one codebook of 256 words at 64 positions,
/// d = 32, by the formula of split.hpp written out.
struct Joins {
  double split, narrow;
};
Joins joins(const Streams& streams, Positions family, std::size_t width, double share, double noise,
            std::size_t samples) {
  const std::size_t d = shown_d, v = shown_words, l = shown_length;
  const Matrix<float> words = word_table(v, d, streams("words"));
  const Samples sent = draw_samples(samples, v, d, streams("sent"), streams("noise"));
  const double power = 48, b = std::sqrt(share * power);
  const auto word_scale_of = [&](std::size_t d_x) {
    return std::sqrt((1 - share) * power / static_cast<double>(d_x));
  };
  const Matrix<float> table = position_table(family, l, width, streams("positions", width));
  const CodeProducts position = position_products(table, sent);
  const std::size_t rest = d - width;
  const CodeProducts word = code_products(columns(words, 0, rest), columns(sent.noise, 0, rest), sent.words);
  return {channel_bits(word, noise, word_scale_of(rest)).value + channel_bits(position, noise, b).value,
          shared_bits(code_products(words, sent.noise, sent.words), position, narrow_cross(words, table),
                      noise, {word_scale_of(d), b})
              .both.value};
}

}  // namespace

BOOST_AUTO_TEST_CASE(cells_measure_what_the_formula_says) {
  const Book at{shown_d, shown_words, shown_length, 3, 128};
  const Streams streams{1, "tests", "one cell"};
  const std::vector<Joined> found = measure_joined(at, streams);
  BOOST_TEST(found.size() == 3 * 2 * ways * std::size(shares));
  std::size_t checked = 0;
  for (const Joined& row : found)
    for (const Positions family : all_positions) {
      const bool is_checked = row.share == shares[0] || row.share == shares[2] || row.share == shares[4];
      if (row.positions != name_of(family) || row.width % 8 != 0 || !is_checked) continue;
      if (row.width == shown_d) continue;
      const Joins bits = joins(streams, family, row.width, row.share, row.noise, at.samples);
      // Sums of products in another order: what is left of 2^-24 of exponents of the order 100.
      BOOST_TEST(std::abs(row.bits - (row.joined == "split" ? bits.split : bits.narrow)) < 1e-3);
      ++checked;
    }
  BOOST_TEST(checked == 3U * 2 * 3 * (3 + 2));
}

BOOST_AUTO_TEST_CASE(both_sides_choose_on_other_codebooks) {
  // Two arms, three codebooks: the first codebook alone would turn the choice.
  const std::vector<Arm> two{{"split", 32, 4, 0.5, {10, 0, 0}}, {"split", 32, 8, 0.5, {0, 4, 4}}};
  const Choice choice = choose(two);
  BOOST_TEST((choice.bits == Values{0, 0, 0}));
  BOOST_TEST(choice.arms[0].width == 8U);
  BOOST_TEST(choice.arms[1].width == 4U);
  BOOST_TEST(choice.overall.width == 4U);
  // Chosen where another arm is steadily the better one.
  const std::vector<Arm> steady{{"split", 32, 4, 0.5, {1, 1, 1}}, {"split", 32, 8, 0.5, {5, 5, 5}}};
  BOOST_TEST((choose(two, steady).bits == Values{0, 4, 4}));
  // Level arms: the first counts, whichever rounding puts ahead; what is more than level does not.
  for (const auto& [ahead, width] : {std::pair{-1e-9, 4U}, {1e-9, 4U}, {2e-6, 8U}}) {
    const Values level(3, 14 + ahead);
    BOOST_TEST(choose({{"split", 32, 4, 0.5, {14, 14, 14}}, {"split", 32, 8, 0.5, level}}).overall.width ==
               width);
  }
}

BOOST_AUTO_TEST_CASE(a_group_of_codebooks_chooses_for_the_next) {
  // Sixteen codebooks in pairs. The second pair as a whole, though not its first codebook, chooses width 4,
  // for the third pair; all others choose width 8.
  const Values none(16, 0.0), ones(16, 1.0);
  std::vector<Arm> arms{{"split", 32, 4, 0.5, none}, {"split", 32, 8, 0.5, ones}};
  arms[0].bits[3] = 3;
  Values expected(16, 1.0);
  expected[4] = expected[5] = 0;
  const Choice choice = choose(arms, arms, Choosers::group_before);
  BOOST_TEST((choice.bits == expected));
  BOOST_TEST(choice.overall.width == 8U);
  // Means of the pairs: 1 seven times and 0, of standard error 1/8.
  const Estimate mean = over_groups(choice.bits);
  BOOST_TEST(mean.value == 7 / 8.0);
  BOOST_TEST(mean.spread->replicates == 8U);
  BOOST_TEST(std::abs(mean.spread->mean->error - 1 / 8.0) < 1e-15);
}

BOOST_AUTO_TEST_CASE(powers_are_equal) {
  const Stream drawn = stream(1, "tests", "split", 0, "table");
  for (const std::size_t width : position_widths(64))
    for (const Positions family : all_positions) {
      const Matrix<float> table = position_table(family, 50, width, drawn);
      BOOST_TEST(cols(table) == width);
      BOOST_TEST(std::abs(mean_square_length(table) - 1) < 1e-6);
      // a² d_x + b² of a split and of a sum.
      for (const double share : shares)
        for (const std::size_t word_width : {std::size_t{64}, 64 - width})
          BOOST_TEST(
              std::abs(std::pow(word_amplitude(64, word_width, share), 2) * static_cast<double>(word_width) +
                       std::pow(position_amplitude(64, share), 2) - 96) < 1e-12);
    }
  BOOST_TEST((position_widths(32) == std::vector<std::size_t>{4, 8, 12, 16, 20, 24, 28}));
  for (const double mean : column_means(position_table(Positions::centred, 50, 16, drawn)))
    BOOST_TEST(std::abs(mean) < 4 * 0x1p-24);
}

BOOST_AUTO_TEST_CASE(fewer_samples_than_positions_are_spread_over_all_of_them) {
  BOOST_TEST((Samples{Sizes(4), {}}.positions(10) == Sizes{0, 2, 5, 7}));
  BOOST_TEST((Samples{Sizes(4), {}}.positions(3) == Sizes{0, 1, 2, 0}));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(capacity_a7_released)

namespace {

Matrix<float> normals(std::size_t rows, std::size_t cols, const char* what) {
  return normal_matrix<float>(rows, cols, stream(1, "tests", "capacity a7_released", 0, what));
}
/// Rows by standing.
std::map<std::string, std::vector<ReleasedBits>> measured(const Matrix<float>& words,
                                                          const Matrix<float>& positions) {
  std::map<std::string, std::vector<ReleasedBits>> found;
  for (const ReleasedBits& row : measure_reading(1024, words, positions, {1, "tests", "a7_released"}))
    found[row.standing].push_back(row);
  return found;
}

}  // namespace

BOOST_AUTO_TEST_CASE(orthogonal_tables_lose_nothing) {
  // Words in the first twelve coordinates, positions in the last four.
  Matrix<float> words = normals(200, 16, "words"), positions = normals(32, 16, "positions");
  for (std::size_t i = 0; i < rows(words); ++i) std::ranges::fill(row(words, i).last(4), 0.5F);
  for (std::size_t i = 0; i < rows(positions); ++i) std::ranges::fill(row(positions, i).first(12), -2.0F);
  auto found = measured(words, positions);
  const ReleasedBits own = found["as_released"].front();
  BOOST_TEST(std::abs(own.lost) < 1e-3);
  BOOST_TEST(std::abs(own.alone / std::log2(200.0 * 32) - 0.9) < 1e-5);
  for (const ReleasedBits& random : found["random"])
    BOOST_TEST(random.lost > 0.2 + 3 * random.lost_error, random.rotation);
  BOOST_TEST(found["random"].size() == 8U);
  BOOST_TEST(found["random"][0].lost != found["random"][1].lost);
}

BOOST_AUTO_TEST_CASE(tables_of_equal_rows_are_left_out) {
  Matrix<float> words = normals(64, 8, "words");
  for (std::size_t i = 0; i < 48; ++i) std::ranges::copy(row(words, 63), row(words, i).begin());
  BOOST_TEST(measured(words, normals(8, 8, "positions")).empty());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(capacity_readers)

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

// Words as often as Zipf's law has them, in noise and at a setting chosen for words all alike: the peer, 24 codebooks of
// 4,096 samples, loses .0837 ± .0009 of the bits sent, all alike, and .0619 ± .0011 of the entropy.
BOOST_AUTO_TEST_CASE(rare_words_cost_a_sum_less) {
  const ReaderPlace at{32, 256, 64, "random", 90, "coarse", 24, 512, 24, 1024, 0, 0};
  const auto loss = [&](bool is_zipf, double sent) {
    return mean_of(measure_readers(at, {1, "tests", "rare words"}, {.is_zipf = is_zipf}), "linear",
                   [sent](const ReaderBits& row) { return row.gain() / sent; });
  };
  // ∑ 1/i of 256 is 6.1243; the entropy of these chances, by the sum in NumPy, 6.22168 bits.
  const Values chances = zipf_chances(256);
  BOOST_TEST(std::abs(1 / chances[0] - 6.12434) < 1e-5);
  BOOST_TEST(std::abs(entropy_bits(chances) - 6.22168) < 1e-5);
  const Estimate even = loss(false, 14), zipf = loss(true, 6 + entropy_bits(chances));
  BOOST_TEST(meets(even, 0.0837, 0.0009), even.value);
  BOOST_TEST(meets(zipf, 0.0619, 0.0011), zipf.value);
  BOOST_TEST(zipf.value < 0.85 * even.value);
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
