#include "perp/measures/scores.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <limits>

#include "perp/base/linalg.hpp"
#include "perp/io/safetensors.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/theory/distance.hpp"
#include "tests/measures/made.hpp"
#include "tests/support/tables.hpp"
#include "tests/tolerance.hpp"

using namespace perp;

namespace {

double form(std::span<const double> x, const Matrix<double>& m, std::span<const double> y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < y.size(); ++j) sum += x[i] * m(i, j) * y[j];
  return sum;
}

double variance(const std::vector<double>& values) {
  double mean = 0, square = 0;
  for (const double x : values) mean += x / static_cast<double>(values.size());
  for (const double x : values) square += (x - mean) * (x - mean) / static_cast<double>(values.size());
  return square;
}

/// Over all pairs of rows, one by one.
double variance_of_pairs(const Matrix<double>& x, const Matrix<double>& m, const Matrix<double>& y) {
  std::vector<double> scores;
  for (std::size_t i = 0; i < rows(x); ++i)
    for (std::size_t j = 0; j < rows(y); ++j) scores.push_back(form(row(x, i), m, row(y, j)));
  return variance(scores);
}

/// All sums of a word and a position, V L x d.
Matrix<double> all_sums(const Matrix<double>& words, const Matrix<double>& positions) {
  Matrix<double> out = matrix<double>(rows(words) * rows(positions), cols(words));
  for (std::size_t w = 0; w < rows(words); ++w)
    for (std::size_t t = 0; t < rows(positions); ++t)
      for (std::size_t j = 0; j < cols(words); ++j)
        out(w * rows(positions) + t, j) = words(w, j) + positions(t, j);
  return out;
}

bool close(double a, double b, double scale) { return std::abs(a - b) <= tolerance::gram_variance * scale; }

}  // namespace

BOOST_AUTO_TEST_SUITE(scores)

BOOST_AUTO_TEST_CASE(moments_by_hand) {
  Matrix<double> table = matrix<double>(2, 2);
  table(0, 0) = 1, table(0, 1) = 2, table(1, 0) = 3, table(1, 1) = -2;
  const TableMoments got = table_moments(table);
  BOOST_TEST(got.rows == 2U);
  BOOST_TEST(got.mean == (std::vector<double>{2, 0}), boost::test_tools::per_element());
  BOOST_TEST(got.covariance(0, 0) == 1.0);
  BOOST_TEST(got.covariance(0, 1) == -2.0);
  BOOST_TEST(got.covariance(1, 1) == 4.0);
  BOOST_TEST(got.square_mean() == 4.0);
  BOOST_TEST(got.mean_square() == 9.0);
}

BOOST_AUTO_TEST_CASE(four_terms_are_those_of_all_pairs) {
  const std::size_t d = 6;
  Matrix<double> words = made::normal<double>(8, d, 1);
  const Matrix<double> positions = made::sinusoids<double>({1, 0.3, 0.05}, 7),
                       m = made::normal<double>(d, d, 2);
  for (std::size_t i = 0; i < rows(words); ++i) words(i, 2) += 1.5;  // words with a mean, as real ones have
  const FourTerms got = four_terms(words, positions, m);
  BOOST_TEST(close(got.word_word, variance_of_pairs(words, m, words), got.sum()));
  BOOST_TEST(close(got.word_position, variance_of_pairs(words, m, positions), got.sum()));
  BOOST_TEST(close(got.position_word, variance_of_pairs(positions, m, words), got.sum()));
  BOOST_TEST(close(got.position_position, variance_of_pairs(positions, m, positions), got.sum()));
  const Matrix<double> sums = all_sums(words, positions);
  BOOST_TEST(close(got.score, variance_of_pairs(sums, m, sums), got.sum()));
  BOOST_TEST(close(got.position_position,
                   score_variance(table_moments(positions), table_moments(positions), m), got.sum()));
  BOOST_TEST(std::abs(got.score - got.sum()) > 1e-3 * got.sum());  // the words' mean couples the terms
}

BOOST_AUTO_TEST_CASE(the_terms_add_up_where_words_have_no_mean) {
  const std::size_t d = 8;
  Matrix<double> words = made::normal<double>(3000, d, 3);
  const std::vector<double> mean = table_moments(words).mean;
  for (std::size_t i = 0; i < rows(words); ++i)
    for (std::size_t j = 0; j < d; ++j) words(i, j) -= mean[j];
  const FourTerms got = four_terms(words, made::sinusoids<double>(made::frequencies(d, 100), 400),
                                   made::normal<double>(d, d, 4), 2);
  BOOST_TEST(close(got.score, got.sum(), got.sum()));
}

BOOST_AUTO_TEST_CASE(what_only_the_distance_says) {
  // M = I: the positions' scores are Toeplitz; with words gone nothing else is left, and twice the words is
  // four times the noise of one kind and twice of two.
  const std::size_t d = 16;
  const Matrix<double> positions = made::sinusoids<double>(made::frequencies(d, 10000), 200);
  Matrix<double> identity = zeros<double>(d, d);
  for (std::size_t i = 0; i < d; ++i) identity(i, i) = 1;
  const TableMoments words = table_moments(made::normal<double>(500, d, 5));
  const FourTerms got = four_terms(words, positions, identity);
  BOOST_TEST(std::abs(got.distance_only / got.position_position - 1) < tolerance::sinusoid_product(d, 200));
  BOOST_TEST(got.distance_only <= got.position_position);
  BOOST_TEST(close(got.signal_to_noise(), got.distance_only / (got.word_word + 2 * got.word_position), 1));
  const Matrix<double> m = made::normal<double>(d, d, 6);
  const FourTerms random = four_terms(words, positions, m);
  const double r2 = score_r2(product(positions, m), positions);
  BOOST_TEST(close(random.distance_only / random.position_position, r2, 1));
  BOOST_TEST(r2 < 0.9);
}

BOOST_AUTO_TEST_CASE(random_matrices_share_as_the_powers_do) {
  const std::size_t d = 32, draws = 400;
  const Matrix<double> positions = made::sinusoids<double>(made::frequencies(d, 10000), 128);
  const TableMoments words = table_moments(made::normal<double>(2000, d, 7)),
                     places = table_moments(positions);
  const theory::Power word{words.mean_square(), words.square_mean()},
      place{places.mean_square(), places.square_mean()};
  for (const auto& [x, y, line] : {std::tuple{words, places, theory::random_score_variance(word, place)},
                                   {places, places, theory::random_score_variance(place, place)},
                                   {words, words, theory::random_score_variance(word, word)}}) {
    double sum = 0, square = 0;
    for (std::size_t i = 0; i < draws; ++i) {
      const double v = score_variance(x, y, made::normal<double>(d, d, 100 + i));
      sum += v / draws;
      square += v * v / draws;
    }
    const double error = std::sqrt((square - sum * sum) / draws);
    BOOST_TEST(std::abs(sum - line) < tolerance::five_sigma(error),
               sum << " against " << line << " +- " << error);
  }
}

BOOST_AUTO_TEST_CASE(unusable_input_is_refused) {
  Matrix<double> words = made::normal<double>(5, 4, 1);
  const Matrix<double> positions = made::normal<double>(3, 6, 1), m = made::normal<double>(6, 6, 1);
  BOOST_TEST(
      made::refused([&] { four_terms(words, positions, m); }, "words of 4 dimensions and positions of 6"));
  BOOST_TEST(made::refused([&] { four_terms(words, words, m); }, "a 6 x 6 matrix"));
  BOOST_TEST(made::refused([&] { score_r2(words, positions); }, "a is 5 x 4, b is 3 x 6"));
  BOOST_TEST(made::refused([&] { table_moments(block(words, 1, 1)); }, "an empty table, 0 x 4"));
  words(2, 3) = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(made::refused([&] { table_moments(words); }, "column 3 of the 5 x 4 table has a mean of nan"));
}

BOOST_AUTO_TEST_CASE(gpt2_heads, *perp::test::needs_tables()) {
  const auto table = perp::test::real_table("gpt2-small-block0.safetensors");
  if (!table) return;
  const std::filesystem::path& path = *table;
  // Positions 1 … 512 through the trained weights, without biases.
  const std::vector<double> known = {.806, .613, .812, .759, .748, .258, .815, .744, .823, .773, .771, .734};
  const Matrix<double> positions = read_tensor<double>(path, "wpe", RowRange{1, 513});
  const Matrix<double> queries = product(positions, read_tensor<double>(path, "h0.query.weight"));
  const Matrix<double> keys = product(positions, read_tensor<double>(path, "h0.key.weight"));
  const auto head = [](const Matrix<double>& all, std::size_t h) {
    Matrix<double> out = matrix<double>(rows(all), 64);
    for (std::size_t t = 0; t < rows(all); ++t)
      std::copy(&all(t, 64 * h), &all(t, 64 * h) + 64, row(out, t).begin());
    return out;
  };
  for (std::size_t h = 0; h < known.size(); ++h) {
    const double r2 = score_r2(head(queries, h), head(keys, h), 2);
    BOOST_TEST(std::abs(r2 - known[h]) <= tolerance::rounded(1e-3), "head " << h << ": " << r2);
  }
}

BOOST_AUTO_TEST_SUITE_END()
