// A linear reader's bits: against NumPy (tests/capacity/reader_peer.py), against ideal readers, against theory
// where interference is white, and against the numbers that other programs found.

#include "perp/measures/reader.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/statistics/moments.hpp"
#include "perp/theory/reader.hpp"
#include "tests/measures/made.hpp"
#include "tests/support/reference_table.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/waves.hpp"
#include "tests/tolerance.hpp"

using namespace perp;

namespace {

/// Words and positions in a sum, and what was sent of them.
struct Sum {
  Matrix<float> words, positions, noise;
  std::vector<std::size_t> sent, sent_positions;

  Sum(Matrix<float> words_, Matrix<float> positions_, Matrix<float> noise_)
      : words(std::move(words_)), positions(std::move(positions_)), noise(std::move(noise_)) {
    for (std::size_t i = 0; i < rows(noise); ++i) {
      sent.push_back(i % rows(words));
      sent_positions.push_back(i / rows(words) % rows(positions));
    }
  }
  LinearReader word() const { return {words, sent, noise, Interference(positions), sent_positions}; }
  LinearReader position() const { return {positions, sent_positions, noise, Interference(words), sent}; }
  LinearReader alone() const { return {words, sent, noise}; }
};

/// Words and random positions of variance 1 in d coordinates, 2,048 samples of the codebook `number`.
Sum random_sum(std::size_t words, std::size_t positions, std::size_t d, std::uint64_t number) {
  return {made::normal<float>(words, d, 3 * number), made::normal<float>(positions, d, 3 * number + 1),
          made::normal<float>(2048, d, 3 * number + 2)};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(measures_reader)

BOOST_AUTO_TEST_CASE(bits_of_the_peer) {
  for (const test::ReferenceRow& row : test::reference_table("measures_reader")) {
    const std::size_t d = row.whole("d");
    const Sum sum(made::times(1.5, test::waves<float>(row.whole("words"), d, 2)),
                  test::waves<float>(row.whole("positions"), d, 5),
                  test::waves<float>(row.whole("samples"), d, 8));
    const double n = row["noise"];
    BOOST_TEST(std::abs(sum.word().bits(n).value - row["linear_word"]) < tolerance::reader_bits, row.place);
    BOOST_TEST(std::abs(sum.position().bits(n).value - row["linear_position"]) < tolerance::reader_bits,
               row.place);
    // Of the scales, here in the tables, either may stand outside.
    const Sum plain(test::waves<float>(row.whole("words"), d, 2), made::times(4, sum.positions), sum.noise);
    BOOST_TEST(std::abs(plain.word().bits(n, {1.5, 0.25}).value - row["linear_word"]) <
               tolerance::reader_bits);
    // The ideal readers of the same samples.
    const CodeProducts word = code_products(sum.words, sum.noise, sum.sent),
                       position = code_products(sum.positions, sum.noise, sum.sent_positions);
    const SharedBits ideal = shared_bits(word, position, cross_table(sum.words, sum.positions), n);
    for (const auto& [got, want] : {std::pair{ideal.both.value, "pair"},
                                    {ideal.word.value, "word"},
                                    {ideal.position.value, "position"}})
      BOOST_TEST(std::abs(got - row[want]) < tolerance::reader_bits, row.place << ' ' << want);
  }
}

BOOST_AUTO_TEST_CASE(alone_it_is_ideal) {
  const Sum sum = random_sum(3000, 5, 40, 0);  // rows over three tiles
  const CodeProducts products = code_products(sum.words, sum.noise, sum.sent);
  for (const double n : {0.5, 2.0, 5.0})
    for (const double a : {1.0, 0.7}) {
      const Bits linear = sum.alone().bits(n, {a, 1}), ideal = channel_bits(products, n, a);
      BOOST_TEST(std::abs(linear.value - ideal.value) < tolerance::reader_bits);
      // Beside one position, which the reader knows, as alone.
      const Sum one(sum.words, test::waves<float>(1, 40, 3), sum.noise);
      BOOST_TEST(std::abs(one.word().bits(n, {a, 3}).value - ideal.value) < tolerance::reader_bits);
    }
}

BOOST_AUTO_TEST_CASE(refusals) {
  const Matrix<float> words = made::normal<float>(4, 3, 1), noise = made::normal<float>(2, 3, 2),
                      narrow = made::normal<float>(5, 2, 3), empty = zeros<float>(0, 3);
  const std::vector<std::size_t> sent{0, 3}, outside{0, 4};
  test::check_refusals(
      {{"table is 0 x 3", [&] { LinearReader(empty, sent, noise); }},
       {"noise 2 x 3, 1 rows sent", [&] { LinearReader(words, {0}, noise); }},
       {"row 4 sent of a table of 4", [&] { LinearReader(words, outside, noise); }},
       {"noise 5 x 2, 1 rows", [&] { LinearReader(narrow, {0}, narrow, Interference(words), {0}); }},
       {"2 columns to turn, expected at least 3", [&] { Interference(words).turned(narrow); }},
       {"row 4 sent of a table of 4", [&] { Interference(words).sent(outside); }},
       {"a table of 0 x 3", [&] { Interference{empty}; }},
       {"2 rows sent, 1 of", [&] { LinearReader(words, sent, noise, Interference(narrow), {0}); }},
       {"noise 0", [&] { LinearReader(words, sent, noise).nats(0); }},
       {"scales 0 and 1", [&] {
          LinearReader(words, sent, noise).nats(1, {0, 1});
        }}});
}

BOOST_AUTO_TEST_SUITE_END()
