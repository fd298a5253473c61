// Numbers that are known: of real tables where PERP_DATA names them, of tables made here everywhere; how often
// chance alone is said to be more than that.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/io/csv.hpp"
#include "perp/io/model_tables.hpp"
#include "perp/measures/concentration.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/measures/rows.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/measures/subspaces.hpp"
#include "perp/random/draws.hpp"
#include "perp/theory/subspaces.hpp"
#include "studies/distance/heads.hpp"
#include "studies/inspect/description.hpp"
#include "studies/inspect/opening.hpp"
#include "tests/studies/inspect/made.hpp"
#include "tests/support/tables.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::inspect;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(inspect_known)

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

// Mean absolute error, in rows, of the row number read off the row by least squares with an intercept, each row by a map
// fitted without its fold (Wang & Chen 2020, arXiv 2010.04903, section 4.1). Row i is of fold place[i] % folds.
double index_error(const Matrix<double>& table, const std::vector<std::uint32_t>& place,
                   std::uint32_t folds) {
  const std::size_t d = cols(table);
  double error = 0;
  for (std::uint32_t fold = 0; fold < folds; ++fold) {
    std::vector<std::size_t> fitted;
    for (std::size_t t = 0; t < rows(table); ++t)
      if (place[t] % folds != fold) fitted.push_back(t);
    const auto n = static_cast<double>(fitted.size());
    const double centre = std::accumulate(fitted.begin(), fitted.end(), 0.0) / n;
    std::vector<double> mean(d, 0.0), weights(d, 0.0);
    for (std::size_t j = 0; j < d; ++j)
      for (const std::size_t t : fitted) mean[j] += table(t, j) / n;
    Matrix<double> centred = matrix<double>(fitted.size(), d);
    for (std::size_t i = 0; i < fitted.size(); ++i)
      for (std::size_t j = 0; j < d; ++j) centred(i, j) = table(fitted[i], j) - mean[j];
    const Singular<double> parts = singular_decomposition(std::move(centred));
    for (std::size_t k = 0; k < parts.values.size() && parts.values[k] > 1e-12 * parts.values[0]; ++k) {
      double along = 0;
      for (std::size_t i = 0; i < fitted.size(); ++i)
        along += parts.left(i, k) * (static_cast<double>(fitted[i]) - centre);
      for (std::size_t j = 0; j < d; ++j) weights[j] += along / parts.values[k] * parts.right(k, j);
    }
    for (std::size_t t = 0; t < rows(table); ++t) {
      if (place[t] % folds != fold) continue;
      double read = centre;
      for (std::size_t j = 0; j < d; ++j) read += weights[j] * (table(t, j) - mean[j]);
      error += std::abs(read - static_cast<double>(t));
    }
  }
  return error / static_cast<double>(rows(table));
}

// The numbers that studies/inspect/published.csv says are reproduced, as their authors measured them.
BOOST_AUTO_TEST_CASE(published_numbers_of_gpt2_positions, *needs_tables()) {
  const auto table = real_table("gpt2-small-wpe.npy");
  if (!table) return;
  const Csv data = read_csv(std::filesystem::path(PERP_SOURCE_DIR) / "studies/inspect/published.csv");
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
  const auto place = permutation(stream(1, "test", "published", 0, "folds"), 512);
  BOOST_TEST(std::abs(index_error(first, place, 5) - reproduced("index_error")) < 0.3);
  BOOST_TEST(index_error(wave, place, 5) - reproduced("index_error_sinusoid") < 1e-3);
  // Random query and key weights of rank 64: over draws .08 with a standard deviation of .05, and skew.
  const auto weights = [&](const char* what) {
    return normal_matrix<double>(cols(wave), 64, stream(1, "test", "published", 0, what));
  };
  const double lost =
      toeplitz_r2(lag_statistics(product(wave, weights("query")), product(wave, weights("key")), 1));
  BOOST_TEST(std::abs(lost - reproduced("sinusoid_random_weights")) < 0.25);
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

BOOST_AUTO_TEST_SUITE(inspect_opening)

namespace {

struct Looked {
  Measurement measured;
  Opening opening;
  std::string text;
};
Looked look(std::map<std::string, std::string> extra, std::size_t threads = 2, std::uint64_t seed = 1) {
  Options options;
  options.extra = std::move(extra);
  const Model model = models_of(options).front();
  const Tables tables = open_tables(model);
  Looked out{measure_tables(tables, tables.word_stream(), 0, threads), {}, ""};
  out.opening = measure_opening(tables, out.measured, Layers::of(model, std::nullopt), seed, threads);
  out.text = as_text(out.opening, out.measured);
  return out;
}

Matrix<float> scaled(Matrix<float> table, float by) {
  for (float& x : table) x *= by;
  return table;
}

/// Rows and a row of zeros behind each.
Matrix<double> with_zero_rows(const Matrix<double>& table) {
  Matrix<double> out = zeros<double>(2 * rows(table), cols(table));
  for (std::size_t i = 0; i < rows(table); ++i) std::ranges::copy(row(table, i), row(out, 2 * i).begin());
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(sums_are_read_back_by_size) {
  const Made made;
  const std::string words = made.table("words.npy", normals("words", 20'000, 32));
  const auto share = [&](float size) {
    const std::string positions = made.table("p.npy", scaled(normals("positions", 64, 32), size));
    const Looked found = look({{"words", words}, {"positions", positions}});
    BOOST_TEST(std::abs(found.opening.read_back->size - size) < 0.1 * size);
    BOOST_TEST(found.opening.read_back->words.n == 512U);
    return std::pair{found.opening.read_back->words.share(), found.opening.read_back->positions.share()};
  };
  const auto small = share(0.05F), alike = share(0.5F), large = share(20);
  BOOST_TEST((small.first > 0.99 && small.second < 0.3));
  BOOST_TEST((alike.first > 0.9 && alike.second > 0.5));
  BOOST_TEST((large.first < 0.1 && large.second > 0.99));
}

BOOST_AUTO_TEST_CASE(the_overlap_is_that_of_rows_that_are_not_zero) {
  const Made made;
  const Matrix<double> words = converted<double>(normals("w", 300, 12)),
                       positions = sinusoidal<double>(50, 12);
  const double expected = overlap(covariance(words), covariance(positions));
  for (const bool with_zeros : {false, true}) {
    const Looked found =
        look({{"words", made.table("w.npy", with_zeros ? with_zero_rows(words) : words)},
              {"positions", made.table("p.npy", with_zeros ? with_zero_rows(positions) : positions)}});
    BOOST_TEST(std::abs(found.opening.overlap->value - expected) < 1e-5);
    BOOST_TEST(found.opening.overlap->chance == 1);
    BOOST_TEST(found.opening.overlap->sd > 0);
  }
}

/// One blank between words, wherever the lines end.
std::string unwrapped(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  text.erase(std::unique(text.begin(), text.end(), [](char a, char b) { return a == ' ' && b == ' '; }),
             text.end());
  return text;
}

BOOST_AUTO_TEST_CASE(few_coordinates_and_many) {
  const Made made;
  Matrix<float> few = scaled(normals("few", 100, 40), 0.01F);
  for (std::size_t i = 0; i < rows(few); ++i) few(i, 5) *= 1000, few(i, 17) *= 1000;
  const Looked narrow = look({{"positions", made.table("few.npy", few)}});
  BOOST_TEST(narrow.opening.participation->value < 2.5);
  BOOST_TEST(narrow.opening.share->value > 0.99);
  BOOST_TEST(narrow.opening.participation->departure() < -3);
  BOOST_TEST(unwrapped(narrow.text).find("concentrated in few.") != std::string::npos);
  const Looked even = look({{"positions", made.table("even.npy", normals("even", 100, 40))}});
  BOOST_TEST(std::abs(even.opening.participation->departure()) < 4.5);
  BOOST_TEST(unwrapped(even.text).find("spread as in any rotation.") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(heads_of_the_first_layer_read_the_positions_through_its_norm) {
  const Made made;
  const std::string file = made.file("m.safetensors", file_of(small_bert())).string(),
                    positions = file + ":embeddings.position_embeddings.weight";
  const Looked found = look({{"positions", positions}, {"layers", file}, {"heads", "6"}});
  Options by_name;
  const std::string self = file + ":encoder.layer.0.attention.self.", norm = file + ":embeddings.LayerNorm.";
  by_name.extra = {{"positions", positions},        {"query", self + "query.weight"},
                   {"key", self + "key.weight"},    {"query-bias", self + "query.bias"},
                   {"key-bias", self + "key.bias"}, {"layernorm", norm + "weight," + norm + "bias"},
                   {"transpose", "weights"},        {"heads", "6"}};
  const GivenPositions given = *load_weights({"m", by_name});
  BOOST_TEST(found.opening.heads == distance::head_r2(*given.positions, given));
  BOOST_TEST(found.text.find("(median of 6 heads, from ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(tables_of_several_files) {
  const Made made;
  const std::string words = made.file("glove.txt", "a 1 2\nb 3 4\n").string(),
                    positions = made.table("wpe.npy", normals("p", 4, 2));
  const FoundModel found = find_model({words, positions});
  BOOST_TEST(found.tables.at("words") == words);
  BOOST_TEST(found.tables.at("positions") == positions);
  check_refusal([&] { find_model({"absent.npy"}); }, "'absent.npy'");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(inspect_chance)

namespace {

/// A count of so many draws, a thousandth of which is expected at most: a right program has more once in 10^6 runs
/// (Poisson's tail from 46 at a mean of 20, and from 17 at a mean of 4).
struct Rate {
  std::size_t draws, most;
};
constexpr Rate many{20'000, 46}, few{4'000, 17};

Stream draws_of(const char* what) { return stream(1, "test", "chance", 0, what); }

TableNumbers numbers_of(const Matrix<double>& table) {
  std::vector<double> sum(cols(table), 0.0);
  for (std::size_t i = 0; i < rows(table); ++i) {
    const double norm = std::sqrt(dot(row(table, i), row(table, i)));
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += table(i, j) / norm;
  }
  TableNumbers out;
  out.rows = rows(table);
  out.dim = cols(table);
  const double n = rows(table);
  out.mean_cosine = (dot(sum, sum) - n) / (n * (n - 1));
  return out;
}

/// An eigenvalue each of a spectrum that falls off as a power of its place.
std::vector<double> power(std::size_t d, double exponent, std::size_t rank) {
  std::vector<double> values(d, 0.0);
  for (std::size_t i = 0; i < rank; ++i) values[i] = std::pow(i + 1.0, -exponent);
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  for (double& x : values) x /= sum;
  return values;
}

theory::TraceMoments moments(const std::vector<double>& values) {
  theory::TraceMoments out;
  for (const double x : values) out.first += x, out.second += x * x, out.third += x * x * x;
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_common_direction_of_independent_rows_is_one_in_a_thousand) {
  for (const auto& [n, d] : {std::pair{30, 4}, {100, 2}, {8, 8}, {20, 16}}) {
    std::size_t departs = 0, by_three_deviations = 0;
    for (std::size_t draw = 0; draw < many.draws; ++draw) {
      const AgainstChance cosine =
          mean_cosine_against_chance(numbers_of(normal_matrix<double>(n, d, draws_of("rows"), draw * n * d)));
      departs += cosine.departs();
      by_three_deviations += std::abs(cosine.departure()) >= 3;
    }
    BOOST_TEST(departs <= many.most, n << " x " << d << ": " << departs);
    // As it would be were the law normal: 27 in ten thousand.
    BOOST_TEST(by_three_deviations > 100U);
  }
}

BOOST_AUTO_TEST_CASE(an_overlap_with_a_turned_table_is_one_in_a_thousand) {
  for (const std::size_t d : {4, 8, 16})
    for (const auto& [a, b] : {std::pair{power(d, 0, 1), power(d, 0, 1)},
                               {power(d, 0, d / 2), power(d, 0, d / 2)},
                               {power(d, 0, 1), power(d, 0, d - 1)},
                               {power(d, 1, d), power(d, 1, d)},
                               {power(d, 4, d), power(d, .2, d)}}) {
      const theory::TraceMoments of_a = moments(a), of_b = moments(b);
      const theory::OverlapNull null = theory::overlap_null(d, 1, of_a.second, 1, of_b.second);
      const double skew = theory::overlap_skewness(d, of_a, of_b);
      std::size_t departs = 0;
      for (std::size_t draw = 0; draw < few.draws; ++draw) {
        const Matrix<double> turn =
            orthonormal_rows(normal_matrix<double>(d, d, draws_of("turn"), draw * d * d));
        double value = 0;
        for (std::size_t i = 0; i < d; ++i)
          for (std::size_t j = 0; j < d; ++j) value += a[i] * b[j] * turn(i, j) * turn(i, j);
        const AgainstChance overlap{value, null.mean, null.sd, skew};
        departs += overlap.departs();
      }
      BOOST_TEST(departs <= few.most, d << " dimensions: " << departs);
    }
}

// By rank nothing is assumed of the law: outside all, and no sooner.
BOOST_AUTO_TEST_CASE(a_participation_ratio_is_ranked_where_that_is_quick) {
  BOOST_TEST((rotations_for(500, 64) == ranked_rotations && rotations_for(512, 768) == rotations));
  std::vector<double> turned(ranked_rotations);
  std::iota(turned.begin(), turned.end(), 1.0);
  BOOST_TEST((!departs_from_rotations(1, turned) && !departs_from_rotations(1999, turned)));
  BOOST_TEST((departs_from_rotations(0.9, turned) && departs_from_rotations(1999.1, turned)));
  std::fill(turned.begin(), turned.end(), 8.0);
  BOOST_TEST((!departs_from_rotations(8 + 1e-12, turned) && departs_from_rotations(7.9, turned)));
}

BOOST_AUTO_TEST_CASE(what_lies_far_away_departs_and_what_has_no_law_does_not) {
  BOOST_TEST((AgainstChance{4, 0, 1}.departs() && AgainstChance{-4, 0, 1}.departs()));
  BOOST_TEST((!AgainstChance{3.2, 0, 1}.departs() && !AgainstChance{-3.2, 0, 1}.departs()));
  // As far as chi-square with one degree of freedom comes once in two thousand times: 12.1.
  const double skew = std::sqrt(8.0), deviation = std::sqrt(2.0);
  BOOST_TEST((!AgainstChance{12, 1, deviation, skew}.departs() &&
              AgainstChance{12.3, 1, deviation, skew}.departs()));
  BOOST_TEST((!AgainstChance{-12, -1, deviation, -skew}.departs() &&
              AgainstChance{-12.3, -1, deviation, -skew}.departs()));
  BOOST_TEST((!AgainstChance{9, 0, NAN}.departs() && !AgainstChance{NAN, 0, 1}.departs() &&
              !AgainstChance{9, 0, 0}.departs()));
}

BOOST_AUTO_TEST_SUITE_END()
