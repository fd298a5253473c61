// Sets of rows by their moments, and what halves of the words tell.

#include "studies/inspect/clouds.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/random/normal.hpp"
#include "studies/inspect/overlap_nulls.hpp"

using namespace perp;
using namespace perp::inspect;

namespace {

const Streams streams{1, "test", "clouds"};

/// Normal rows about `centre` with the standard deviations 1, 1/2, 1/3 … along the axes.
Matrix<float> normal_words(std::size_t count, std::size_t d, std::size_t draw, float centre = 0) {
  Matrix<float> words = normal_matrix<float>(count, d, streams("words", draw));
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < d; ++j) words(i, j) = centre + words(i, j) / float(j + 1);
  return words;
}

/// Those whose number in `kinds` is 0.
Groups grouped(const Matrix<float>& words, const std::vector<std::uint8_t>& kinds) {
  return grouped_words(stream_of(words, "words"), kinds, 2, streams)[0];
}
Groups grouped(const Matrix<float>& words) {
  return grouped(words, std::vector<std::uint8_t>(rows(words), 0));
}

double sd(const std::vector<double>& values) {
  double mean = 0, square = 0;
  for (const double x : values) mean += x / double(values.size());
  for (const double x : values) square += (x - mean) * (x - mean);
  return std::sqrt(square / double(values.size() - 1));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(inspect_clouds)

BOOST_AUTO_TEST_CASE(groups_pool_to_the_table) {
  // More rows than a tile, far from the origin: float32 products of rows as they are would show.
  const std::size_t count = 5000, d = 5;
  const Matrix<float> words = normal_words(count, d, 0, 100);
  std::vector<std::uint8_t> kinds(count);
  for (std::size_t i = 0; i < count; ++i) kinds[i] = i % 3;
  const std::vector<Groups> parts = grouped_words(stream_of(words, "words"), kinds, 4, streams);
  BOOST_TEST(parts.size() == 4U);
  BOOST_TEST(pooled(parts[3]).rows == 0);
  BOOST_TEST(pooled(parts[0]).rows == 1667);
  const Cloud whole = cloud_of(converted<double>(words)), again = pooled(together(parts));
  BOOST_TEST(again.rows == count);
  double spread = 0;
  for (const Cloud& group : together(parts)) spread += group.rows > 250 && group.rows < 380;
  BOOST_TEST(spread == 16);  // 312 each on average, sd 17
  for (std::size_t i = 0; i < d; ++i) {
    BOOST_TEST(std::abs(again.mean[i] - whole.mean[i]) < 1e-4);
    for (std::size_t j = 0; j < d; ++j)
      BOOST_TEST(std::abs(again.covariance(i, j) - whole.covariance(i, j)) < 1e-5);
  }
  const Matrix<double> outer = about_origin(whole);
  BOOST_TEST(std::abs(outer(0, 1) - whole.covariance(0, 1) - whole.mean[0] * whole.mean[1]) < 1e-9);
}

BOOST_AUTO_TEST_CASE(halves_tell_how_another_choice_of_words_would_move_the_overlap) {
  const std::size_t d = 6, count = 1600, draws = 120;
  const std::vector<double> values{1, 0.2, 3, 0.1, 0.4, 2};
  Matrix<double> positions = zeros<double>(d, d);
  for (std::size_t i = 0; i < d; ++i) positions(i, i) = values[i];
  const auto centred_overlap = [&](const Cloud& of) { return overlap(of.covariance, positions); };
  const auto error = [](const Groups& words, const std::function<double(const Cloud&)>& of) {
    return split_half_errors(words, [&](const Cloud& half) { return std::vector{of(half)}; }).at(0);
  };
  std::vector<double> overlaps;
  double square = 0;
  for (std::size_t draw = 0; draw < draws; ++draw) {
    const Groups words = grouped(normal_words(count, d, draw));
    overlaps.push_back(centred_overlap(pooled(words)));
    if (draw < 10) square += std::pow(error(words, centred_overlap), 2) / 10;
  }
  // 150 degrees of freedom on one side, 119 on the other: 9 % together.
  BOOST_TEST(std::abs(std::sqrt(square) / sd(overlaps) - 1) < 0.3);
  // About their mean it does not matter where they lie; about the origin it does.
  const Matrix<float> words = normal_words(count, d, 0), moved = normal_words(count, d, 0, 2);
  const auto uncentred = [&](const Cloud& of) { return overlap(about_origin(of), positions); };
  BOOST_TEST(std::abs(error(grouped(moved), centred_overlap) / error(grouped(words), centred_overlap) - 1) <
             1e-3);
  BOOST_TEST(error(grouped(moved), uncentred) < 0.7 * error(grouped(words), uncentred));
  // Rows of another kind do not count.
  Matrix<float> spoilt = words;
  std::vector<std::uint8_t> kinds(count, 0);
  for (std::size_t i = 0; i < count; i += 2) kinds[i] = 1;
  const double of_half = error(grouped(spoilt, kinds), centred_overlap);
  for (std::size_t i = 0; i < count; i += 2)
    for (std::size_t j = 0; j < d; ++j) spoilt(i, j) = 1e3F;
  BOOST_TEST(error(grouped(spoilt, kinds), centred_overlap) == of_half);
  // Nor does a direction that is left out.
  const std::vector<double> u{0, 0, 1, 0, 0, 0};
  const auto beside = [&](const Cloud& of) { return overlap_beside(of.covariance, positions, u); };
  Matrix<float> along = words;
  for (std::size_t i = 0; i < count; ++i) along(i, 2) *= 3;
  BOOST_TEST(std::abs(error(grouped(along), beside) / error(grouped(words), beside) - 1) < 1e-3);
}

BOOST_AUTO_TEST_CASE(halves_tell_how_directions_would_move) {
  // The two directions in which words vary most, of variances 1, 1/4, 1/9 …, against two fixed ones off the
  // axes.
  const std::size_t d = 6, count = 1600, draws = 120;
  const Matrix<double> fixed = orthonormal_rows(normal_matrix<double>(2, d, streams("fixed")));
  const auto square_cosine = [&](const Cloud& of) {
    return std::vector{mean_square_cosine(product_nt(leading_directions(of.covariance, 2), fixed), 2, 2)};
  };
  std::vector<double> values;
  double square = 0;
  for (std::size_t draw = 0; draw < draws; ++draw) {
    const Groups words = grouped(normal_words(count, d, draw));
    values.push_back(square_cosine(pooled(words))[0]);
    if (draw < 10) square += std::pow(split_half_errors(words, square_cosine)[0], 2) / 10;
  }
  BOOST_TEST(std::abs(std::sqrt(square) / sd(values) - 1) < 0.3);
}

BOOST_AUTO_TEST_CASE(few_words_have_no_halves_and_wide_ones_fewer_groups) {
  const auto rows_of_half = [](const Cloud& half) { return std::vector{half.rows}; };
  BOOST_TEST(split_half_errors(grouped(normal_words(127, 4, 0)), rows_of_half).empty());
  BOOST_TEST(split_half_errors(grouped(normal_words(128, 4, 0)), rows_of_half).size() == 1U);
  BOOST_TEST(word_groups(1024) == 16U);
  BOOST_TEST(word_groups(1025) == 8U);
  // Groups of eight: seven ways, each of which parts every second group from the others.
  Groups eight(8);
  for (std::size_t i = 0; i < 8; ++i) eight[i] = {64, {double(i == 5)}, zeros<double>(1, 1)};
  const auto mean_of_half = [](const Cloud& half) { return half.mean; };
  BOOST_TEST(std::abs(split_half_errors(eight, mean_of_half)[0] - 0.125) < 1e-12);
}

BOOST_AUTO_TEST_SUITE_END()
