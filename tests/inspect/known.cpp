// Numbers that are known: of real tables where PERP_DATA names them, of tables made here everywhere.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/io/npy.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/inspect/by_model.hpp"
#include "studies/inspect/description.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch.hpp"
#include "tests/support/tables.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::inspect;
using namespace perp::test;

namespace {

Measurement measured(std::map<std::string, std::string> extra) {
  Options options;
  options.extra = std::move(extra);
  const Tables tables = open_tables(models_of(options).front());
  return measure_tables(tables, tables.word_stream(), 0, 2);
}

/// The file in PERP_DATA, or nothing.
std::optional<std::string> given(const char* name) {
  const auto path = real_table(name);
  return path ? std::optional(path->string()) : std::nullopt;
}

bool rounds_to(double value, double known, double last_digit) {
  return std::abs(value - known) <= tolerance::rounded(last_digit);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(inspect_known)

BOOST_AUTO_TEST_CASE(word2vec_beside_a_sinusoid, *needs_tables()) {
  const auto words = given("word2vec-google-1000x300.txt");
  if (!words) return;
  const Scratch scratch;
  const Matrix<double> sinusoid = sinusoidal<double>(512, 300);
  write_npy(scratch / "positions.npy", sinusoid);
  const Measurement s = measured({{"words", *words},
                                  {"positions", (scratch / "positions.npy").string()},
                                  {"rank-words", "270"},
                                  {"rank-positions", "82"}});
  BOOST_TEST(s.words->numbers.centred.r90 == 179U);
  BOOST_TEST(s.words->numbers.centred.r99 == 273U);
  BOOST_TEST(rounds_to(s.words->numbers.centred.participation_ratio, 111.951, 1e-3));
  BOOST_TEST(rounds_to(s.words->numbers.mean_cosine, 0.119415, 1e-6));
  BOOST_TEST(s.positions->toeplitz_defect < tolerance::plain_sum);
  BOOST_TEST(s.positions->numbers.r99_uncentred == 82U);
  BOOST_TEST(rounds_to(s.between->mean_square_cosine.value, 0.0031607, 1e-7));
  BOOST_TEST(rounds_to(s.between->max_abs_cosine.value, 0.300916, 1e-6));
  BOOST_TEST(rounds_to(s.between->energy.value, 0.279870, 1e-6));
  // k + r > d: subspaces of 270 and 82 dimensions out of 300 share 52 directions.
  BOOST_TEST(s.between->principal_cosines.size() == 82U);
  BOOST_TEST(s.between->largest_cosine.chance == 1);
  BOOST_TEST(std::abs(s.between->principal_cosines[51] - 1) < 1e-6);
  BOOST_TEST(s.between->principal_cosines[52] < 0.9999);
  // The published z of O2 for these tables.
  BOOST_TEST(rounds_to(s.between->mean_square_cosine.departure(), -0.6, 0.1));
}

BOOST_AUTO_TEST_CASE(gpt2_positions, *needs_tables()) {
  const auto table = given("gpt2-small-wpe.npy");
  if (!table) return;
  const Measurement all = measured({{"positions", *table}});
  BOOST_TEST(!all.words);
  BOOST_TEST(!all.between);
  BOOST_TEST(rounds_to(all.positions->numbers.centred.participation_ratio, 3.5870, 1e-4));
  BOOST_TEST(all.positions->numbers.centred.r90 == 3U);
  BOOST_TEST(all.positions->numbers.centred.r99 == 10U);
  BOOST_TEST(all.positions->numbers.centred.r999 == 27U);
  BOOST_TEST(rounds_to(all.positions->toeplitz_defect, 0.44420, 1e-5));
  BOOST_TEST(rounds_to(all.positions->toeplitz_r2, 0.80200, 1e-5));
  BOOST_TEST(all.positions->null_toeplitz_r2 == 2.0 / 1025);
  for (const char* option : {"rows", "rows-positions"}) {
    const Measurement some = measured({{"positions", *table}, {option, "1:512"}});
    BOOST_TEST(some.positions->numbers.rows == 511U);
    BOOST_TEST(rounds_to(some.positions->numbers.centred.stable_rank, 2.054, 1e-3));
  }
}

BOOST_AUTO_TEST_CASE(unrelated_tables_are_at_chance) {
  // Two sinusoids of different bases are as related as can be; normal words are not.
  const Scratch scratch;
  std::string words;
  for (int i = 0; i < 400; ++i) {
    words += fmt::format("w{}", i);
    for (int j = 0; j < 32; ++j) words += fmt::format(" {}", std::sin(12.9898 * (i * 32 + j) * (i + j + 1)));
    words += "\n";
  }
  const Matrix<double> wave = sinusoidal<double>(60, 32), other = sinusoidal<double>(50, 32, 5000);
  write_npy(scratch / "wave.npy", wave);
  write_npy(scratch / "other.npy", other);
  const Measurement apart = measured(
      {{"words", scratch.file("words.txt", words).string()}, {"positions", (scratch / "wave.npy").string()}});
  BOOST_TEST(std::abs(apart.between->mean_square_cosine.departure()) < 4.5);
  BOOST_TEST(std::abs(apart.between->energy.departure()) < 4.5);
  const Measurement alike =
      measured({{"words", (scratch / "other.npy").string()}, {"positions", (scratch / "wave.npy").string()}});
  BOOST_TEST(alike.between->mean_square_cosine.departure() > 5);
  BOOST_TEST(alike.between->mean_cosine.departure() > 3);
  // The mean cosine's null: a random rotation leaves the means' cosine a standard deviation of 1/√d.
  std::vector<double> a(32, 0.0), b(32, 0.0);
  double product = 0, square_a = 0, square_b = 0;
  for (std::size_t j = 0; j < 32; ++j) {
    for (std::size_t t = 0; t < 60; ++t) a[j] += wave(t, j) / 60;
    for (std::size_t t = 0; t < 50; ++t) b[j] += other(t, j) / 50;
    product += a[j] * b[j], square_a += a[j] * a[j], square_b += b[j] * b[j];
  }
  const double expected = product / std::sqrt(square_a * square_b) * std::sqrt(32.0);
  BOOST_TEST(std::abs(alike.between->mean_cosine.departure() - expected) < 1e-5 * expected);
  // Default ranks: those of 99 %, halved until they fit.
  BOOST_TEST(2 * (alike.between->rank_words + alike.between->rank_positions) <= 32U);
}

BOOST_AUTO_TEST_CASE(ranks_are_halved_until_they_fill_half_of_the_space_and_no_further) {
  // Every direction of an axis has the same energy, so that 99 % of it needs all of them.
  const Scratch scratch;
  const auto axes = [&](const char* name, std::size_t from, std::size_t count) {
    Matrix<double> table = zeros<double>(count, 16);
    for (std::size_t i = 0; i < count; ++i) table(i, from + i) = 1;
    write_npy(scratch / name, table);
    return (scratch / name).string();
  };
  const std::string positions = axes("p.npy", 8, 4);
  const Measurement fills = measured({{"words", axes("four.npy", 0, 4)}, {"positions", positions}}),
                    exceeds = measured({{"words", axes("five.npy", 0, 5)}, {"positions", positions}});
  BOOST_TEST(fills.between->rank_words == 4U);
  BOOST_TEST(fills.between->rank_positions == 4U);
  BOOST_TEST(exceeds.between->rank_words == 2U);
  BOOST_TEST(exceeds.between->rank_positions == 2U);
}

BOOST_AUTO_TEST_CASE(three_standard_deviations_are_no_longer_chance) {
  BOOST_TEST(in_words(2.9) == "at chance, +2.9 standard deviations");
  BOOST_TEST(in_words(-2.9) == "at chance, -2.9 standard deviations");
  BOOST_TEST(in_words(3.1) == "3.1 standard deviations above chance");
  BOOST_TEST(in_words(-300) == "more than 100 standard deviations below chance");
}

BOOST_AUTO_TEST_CASE(zero_and_equal_rows) {
  const Scratch scratch;
  const Measurement one =
      measured({{"words", scratch.file("a.txt", "a 1 2 2\nb 0 0 0\nc 3 0 4\n").string()}});
  BOOST_TEST(one.words->numbers.zero_rows == 1U);
  BOOST_TEST(std::abs(one.words->numbers.mean_norm - 8.0 / 3) < tolerance::plain_sum);
  BOOST_TEST(std::abs(one.words->numbers.mean_cosine - 11.0 / 15) < 1e-6);
  const Measurement equal = measured({{"words", scratch.file("b.txt", "a 1 2 2\nb 1 2 2\n").string()},
                                      {"positions", scratch.file("c.txt", "a 1 2 2\nb 1 2 2\n").string()}});
  BOOST_TEST(std::isnan(equal.words->numbers.centred.stable_rank));
  BOOST_TEST(std::isnan(equal.positions->toeplitz_r2));
  BOOST_TEST(equal.positions->toeplitz_defect < 1e-12);
  BOOST_TEST(std::abs(equal.between->largest_cosine.value - 1) < 1e-6);
  check_refusal(
      [&] {
        measured({{"words", scratch.file("d.txt", "a 0 0 0\n").string()},
                  {"positions", scratch.file("e.txt", "a 1 2 2\n").string()}});
      },
      "words: every row is 0");
}

BOOST_AUTO_TEST_SUITE_END()
