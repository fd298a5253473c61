// Numbers that are known: of real tables where PERP_DATA names them, of tables made here everywhere.

#include <numeric>

#include "perp/io/csv.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/measures/position_readout.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/random/uniform.hpp"
#include "studies/inspect/by_model.hpp"
#include "studies/inspect/description.hpp"
#include "tests/inspect/made.hpp"
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

bool rounds_to(double value, double known, double last_digit) {
  return std::abs(value - known) <= tolerance::rounded(last_digit);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(inspect_known)

BOOST_AUTO_TEST_CASE(word2vec_beside_a_sinusoid, *needs_tables()) {
  const auto words = real_table("word2vec-google-1000x300.txt");
  if (!words) return;
  const Made made;
  const Measurement s = measured({{"words", words->string()},
                                  {"positions", made.table("positions.npy", sinusoidal<double>(512, 300))},
                                  {"rank-words", "270"},
                                  {"rank-positions", "82"}});
  BOOST_TEST(s.words->numbers.centred.r90 == 179U);
  BOOST_TEST(s.words->numbers.centred.r99 == 273U);
  BOOST_TEST(rounds_to(s.words->numbers.centred.participation_ratio, 111.951, 1e-3));
  BOOST_TEST(rounds_to(s.words->numbers.mean_cosine, 0.119415, 1e-6));
  BOOST_TEST(s.positions->toeplitz_defect < tolerance::plain_sum);
  BOOST_TEST(s.positions->numbers.r99_uncentred == 82U);
  BOOST_TEST(rounds_to(s.between->mean_square_cosine.value, 0.0031607, 1e-7));
  BOOST_TEST(rounds_to(s.between->mean_square_cosine.departure(), -0.6, 0.1));  // O2's published z
  BOOST_TEST(rounds_to(s.between->max_abs_cosine.value, 0.300916, 1e-6));
  BOOST_TEST(rounds_to(s.between->energy.value, 0.279870, 1e-6));
  // k + r > d: subspaces of 270 and 82 dimensions out of 300 share 52 directions.
  BOOST_TEST(s.between->principal_cosines.size() == 82U);
  BOOST_TEST(s.between->largest_cosine.chance == 1);
  BOOST_TEST(std::abs(s.between->principal_cosines[51] - 1) < 1e-6);
  BOOST_TEST(s.between->principal_cosines[52] < 0.9999);
}

BOOST_AUTO_TEST_CASE(gpt2_positions, *needs_tables()) {
  const auto table = real_table("gpt2-small-wpe.npy");
  if (!table) return;
  const Measurement all = measured({{"positions", table->string()}});
  BOOST_TEST((!all.words && !all.between));
  BOOST_TEST(rounds_to(all.positions->numbers.centred.participation_ratio, 3.5870, 1e-4));
  BOOST_TEST(all.positions->numbers.centred.r90 == 3U);
  BOOST_TEST(all.positions->numbers.centred.r99 == 10U);
  BOOST_TEST(all.positions->numbers.centred.r999 == 27U);
  BOOST_TEST(rounds_to(all.positions->toeplitz_defect, 0.44420, 1e-5));
  BOOST_TEST(rounds_to(all.positions->toeplitz_r2, 0.80200, 1e-5));
  BOOST_TEST(all.positions->null_toeplitz_r2 == 2.0 / 1025);
  for (const char* option : {"rows", "rows-positions"}) {
    const Measurement some = measured({{"positions", table->string()}, {option, "1:512"}});
    BOOST_TEST(some.positions->numbers.rows == 511U);
    BOOST_TEST(rounds_to(some.positions->numbers.centred.stable_rank, 2.054, 1e-3));
  }
}

// The numbers that reports/templates/inspect/published.csv says are reproduced, as their authors measured them.
BOOST_AUTO_TEST_CASE(published_numbers_of_gpt2_positions, *needs_tables()) {
  const auto table = real_table("gpt2-small-wpe.npy");
  if (!table) return;
  const Csv data =
      read_csv(std::filesystem::path(PERP_SOURCE_DIR) / "reports/templates/inspect/published.csv");
  const auto reproduced = [&](const std::string& measure) {
    const auto is_of = [&](const std::vector<std::string>& row) {
      return row[data.column("measure")] == measure;
    };
    return data.number(std::size_t(std::ranges::find_if(data.rows, is_of) - data.rows.begin()),
                       data.column("reproduced"));
  };
  const Matrix<double> all = read_npy<double>(*table), first = leading_rows(all, 512),
                       wave = sinusoidal<double>(512, cols(all));
  const std::vector<double> trained = spectrum(block(all, 1, 512), Centring::centred),
                            whole = spectrum(all, Centring::centred);
  BOOST_TEST(rounds_to(effective_dimension(trained).stable_rank, reproduced("stable_rank"), 1e-3));
  BOOST_TEST(rounds_to((whole[0] + whole[1] + whole[2]) / std::accumulate(whole.begin(), whole.end(), 0.0),
                       reproduced("three_directions"), 1e-4));
  // Shuffled folds move the error by .06; five of those.
  const auto folds = even_folds(permutation(stream(1, "test", "published", 0, "folds"), 512), 5);
  BOOST_TEST(std::abs(index_error(first, folds, 5, 1e-12) - reproduced("index_error")) < 0.3);
  BOOST_TEST(index_error(wave, folds, 5, 1e-12) - reproduced("index_error_sinusoid") < 1e-3);
  // Random query and key weights of rank 64: over draws .08 with a standard deviation of .05, and skew.
  const auto weights = [&](const char* what) {
    return normal_matrix<double>(cols(wave), 64, stream(1, "test", "published", 0, what));
  };
  const double lost =
      toeplitz_r2(lag_statistics(product(wave, weights("query")), product(wave, weights("key")), 1));
  BOOST_TEST(std::abs(lost - reproduced("sinusoid_random_weights")) < 0.25);
}

// Two sinusoids of different bases are as related as can be; normal words are not.
BOOST_AUTO_TEST_CASE(unrelated_tables_are_at_chance) {
  const Made made;
  const Matrix<double> wave = sinusoidal<double>(60, 32), other = sinusoidal<double>(50, 32, 5000);
  const std::string positions = made.table("wave.npy", wave);
  const Measurement apart =
      measured({{"words", made.table("words.npy", normals("words", 400, 32))}, {"positions", positions}});
  BOOST_TEST(std::abs(apart.between->mean_square_cosine.departure()) < 4.5);
  BOOST_TEST(std::abs(apart.between->energy.departure()) < 4.5);
  const Measurement alike = measured({{"words", made.table("other.npy", other)}, {"positions", positions}});
  BOOST_TEST(alike.between->mean_square_cosine.departure() > 5);
  // The mean cosine's null: a random rotation leaves the means' cosine a standard deviation of 1/√d.
  const std::vector<double> a = column_means(wave), b = column_means(other);
  const double expected = dot(a, b) / std::sqrt(dot(a, a) * dot(b, b) / 32);
  BOOST_TEST(expected > 3);
  BOOST_TEST(std::abs(alike.between->mean_cosine.departure() - expected) < 1e-5 * expected);
}

// Every direction of an axis has the same energy, so that 99 % of it needs all of them.
BOOST_AUTO_TEST_CASE(ranks_are_halved_until_they_fill_half_of_the_space_and_no_further) {
  const Made made;
  const auto axes = [&](std::size_t from, std::size_t count) {
    Matrix<double> table = zeros<double>(count, 16);
    for (std::size_t i = 0; i < count; ++i) table(i, from + i) = 1;
    return made.table(fmt::format("{}.npy", count + from), table);
  };
  for (const auto& [words, rank] : {std::pair{4U, 4U}, {5U, 2U}}) {
    const Measurement of = measured({{"words", axes(0, words)}, {"positions", axes(8, 4)}});
    BOOST_TEST(of.between->rank_words == rank);
    BOOST_TEST(of.between->rank_positions == rank);
  }
}

BOOST_AUTO_TEST_CASE(three_standard_deviations_are_no_longer_chance) {
  BOOST_TEST(in_words(2.9) == "within three standard deviations of chance (+2.9)");
  BOOST_TEST(in_words(-2.9) == "within three standard deviations of chance (-2.9)");
  BOOST_TEST(in_words(3.1) == "3.1 standard deviations above chance");
  BOOST_TEST(in_words(-300) == "more than 100 standard deviations below chance");
}

BOOST_AUTO_TEST_CASE(zero_and_equal_rows) {
  const Made made;
  const auto text = [&](const char* name, const char* rows) { return made.file(name, rows).string(); };
  const Measurement one = measured({{"words", text("a.txt", "a 1 2 2\nb 0 0 0\nc 3 0 4\n")}});
  BOOST_TEST(one.words->numbers.zero_rows == 1U);
  BOOST_TEST(std::abs(one.words->numbers.mean_norm - 8.0 / 3) < tolerance::plain_sum);
  BOOST_TEST(std::abs(one.words->numbers.mean_cosine - 11.0 / 15) < 1e-6);
  const std::string equal_rows = text("b.txt", "a 1 2 2\nb 1 2 2\n");
  const Measurement equal = measured({{"words", equal_rows}, {"positions", equal_rows}});
  BOOST_TEST(std::isnan(equal.words->numbers.centred.stable_rank));
  BOOST_TEST(std::isnan(equal.positions->toeplitz_r2));
  BOOST_TEST(equal.positions->toeplitz_defect < 1e-12);
  BOOST_TEST(std::abs(equal.between->largest_cosine.value - 1) < 1e-6);
  check_refusal(
      [&] {
        measured({{"words", text("d.txt", "a 0 0 0\n")}, {"positions", equal_rows}});
      },
      "words: every row is 0");
}

BOOST_AUTO_TEST_SUITE_END()
