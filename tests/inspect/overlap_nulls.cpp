// What an overlap is held against: the exact null, orders of the coordinates, one direction left out, halves
// of the words.

#include "studies/inspect/overlap_nulls.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/outer.hpp"
#include "perp/random/normal.hpp"
#include "perp/theory/overlap.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::inspect;

namespace {

const Streams streams{1, "test", "overlap nulls"};

Matrix<double> diagonal(const std::vector<double>& values) {
  Matrix<double> out = zeros<double>(values.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) out(i, i) = values[i];
  return out;
}

/// Variances 1, 1/2, 1/3 …
std::vector<double> falling(std::size_t d) {
  std::vector<double> values;
  for (std::size_t i = 0; i < d; ++i) values.push_back(1.0 / double(i + 1));
  return values;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double x : values) sum += x;
  return sum / double(values.size());
}
double sd(const std::vector<double>& values) {
  double square = 0;
  for (const double x : values) square += (x - mean(values)) * (x - mean(values));
  return std::sqrt(square / double(values.size() - 1));
}

/// Normal rows about `centre` with the standard deviations 1, 1/2, 1/3 … along the axes.
Matrix<float> normal_words(std::size_t count, std::size_t d, std::size_t draw, float centre = 0) {
  Matrix<float> words = normal_matrix<float>(count, d, streams("words", draw));
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < d; ++j) words(i, j) = centre + words(i, j) / float(j + 1);
  return words;
}

double overlap_with(const Matrix<float>& words, const Matrix<double>& positions) {
  Matrix<double> covariance = gram_columns(centred(converted<double>(words)));
  return overlap(covariance, positions);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(inspect_overlap_nulls)

BOOST_AUTO_TEST_CASE(rotations_meet_the_exact_null_of_two_covariances) {
  // Of no trace in particular, one of them with a single large direction.
  const std::size_t d = 12, draws = 2000;
  std::vector<double> steep = falling(d);
  steep[0] = 20;
  const Matrix<double> a = diagonal(steep), b = diagonal(falling(d));
  const theory::OverlapNull null =
      theory::overlap_null(d, trace(a), trace_of_product(a, a), trace(b), trace_of_product(b, b));
  std::vector<double> turned;
  for (std::size_t draw = 0; draw < draws; ++draw) {
    const Matrix<double> rotation = orthonormal_rows(normal_matrix<double>(d, d, streams("rotation", draw)));
    turned.push_back(overlap(a, product_nt(product(rotation, b), rotation)));
  }
  const double expected = null.sd / null.mean;
  BOOST_TEST(std::abs(mean(turned) - 1) < 4.5 * expected / std::sqrt(double(draws)));
  BOOST_TEST(std::abs(sd(turned) / expected - 1) < 0.1);
}

BOOST_AUTO_TEST_CASE(orders_of_the_coordinates_see_what_lies_along_the_axes) {
  const std::size_t d = 5, draws = 4000;
  const std::vector<double> orders =
      permuted_overlaps(diagonal({1, 0, 0, 0, 0}), diagonal({1, 0, 0, 0, 0}), draws, streams);
  double met = 0;
  for (const double x : orders) {
    BOOST_TEST((x == 0 || x == double(d)));
    met += x > 0;
  }
  BOOST_TEST(std::abs(met / draws - 1.0 / d) < 4.5 * std::sqrt(0.2 * 0.8 / draws));
  // Rows and columns go together: a direction across the axes stays one, of the same overlap in any order.
  Matrix<double> across = zeros<double>(d, d);
  for (double& x : across) x = 1;
  for (const double x : permuted_overlaps(across, across, 20, streams))
    BOOST_TEST(std::abs(x - double(d)) < tolerance::plain_sum * d);
  Matrix<double> pair = zeros<double>(4, 4);
  pair(0, 0) = pair(1, 1) = pair(0, 1) = pair(1, 0) = 1;
  for (const double x : permuted_overlaps(pair, pair, 50, streams))
    BOOST_TEST((x == 4 || x == 1 || x == 0), x);  // both, one, none of its two coordinates
}

BOOST_AUTO_TEST_CASE(one_direction_that_both_share_is_left_out) {
  const Matrix<double> a = diagonal({9, 2, 1, 0}), b = diagonal({6, 0, 1, 1});
  const std::vector<double> u = shared_direction(a, b);
  BOOST_TEST(std::abs(u[0]) == 1);
  BOOST_TEST(trace_of_product(without_direction(a, u), a) == 5);
  BOOST_TEST(overlap_beside(a, b, u) == 3.0 * 1 / (3.0 * 2));
  BOOST_TEST(std::isnan(overlap_beside(diagonal({9, 0, 0, 0}), b, u)));
  // It is neither the first of the one nor that of the other, but of both by their own traces.
  const std::vector<double> of_both = shared_direction(diagonal({500, 0, 400, 0}), diagonal({0, 5, 4, 0}));
  BOOST_TEST(std::abs(of_both[2]) == 1);
  // Off the axes: 1 - uuᵀ from both sides.
  const Matrix<double> cloud = gram_columns(normal_matrix<double>(9, 4, streams("cloud")));
  const std::vector<double> v{0.6, 0, 0.8, 0};
  const Matrix<double> rest = without_direction(cloud, v);
  for (std::size_t i = 0; i < 4; ++i) {
    BOOST_TEST(std::abs(dot(row(rest, i), v)) < 1e-12);
    for (std::size_t j = 0; j < 4; ++j) BOOST_TEST(std::abs(rest(i, j) - rest(j, i)) < 1e-12);
  }
  BOOST_TEST(std::abs(rest(1, 1) - cloud(1, 1)) < 1e-12);
}

BOOST_AUTO_TEST_CASE(turned_tables_lose_the_direction_that_they_share) {
  const std::size_t d = 10;
  for (const double x :
       turned_overlaps_beside(diagonal(std::vector<double>(d, 3)), diagonal(falling(d)), 5, streams))
    BOOST_TEST(std::abs(x - 1) < 1e-12);  // whatever is left out, the rest of one is the same all around
  // One large direction each: with it the overlap would spread as the exact null says, without it by less.
  std::vector<double> steep = falling(d);
  steep[0] = 50;
  const std::vector<double> rest =
      turned_overlaps_beside(diagonal(steep), diagonal(falling(d)), 200, streams);
  BOOST_TEST(sd(rest) > 0);
  BOOST_TEST(sd(rest) < 0.35);
  // Chosen as it is, it takes more than chance gave it: what is left is not 1 on average.
  BOOST_TEST(std::abs(mean(rest) - 1) > 5 * sd(rest) / std::sqrt(200.0));
}

BOOST_AUTO_TEST_CASE(halves_tell_how_another_choice_of_words_would_move_the_overlap) {
  const std::size_t d = 6, count = 1600, draws = 120;
  std::vector<double> values{1, 0.2, 3, 0.1, 0.4, 2};
  const Matrix<double> positions = diagonal(values);
  std::vector<double> overlaps;
  for (std::size_t draw = 0; draw < draws; ++draw)
    overlaps.push_back(overlap_with(normal_words(count, d, draw), positions));
  const std::vector<bool> all(count, true);
  const auto error = [&](const Matrix<float>& words, const std::vector<bool>& kept, bool is_centred) {
    return split_half_error({stream_of(words, "words"), kept, is_centred}, positions, streams);
  };
  double square = 0;
  for (std::size_t draw = 0; draw < 10; ++draw)
    square += std::pow(error(normal_words(count, d, draw), all, true), 2) / 10;
  // 150 degrees of freedom on one side, 119 on the other: 9 % together.
  BOOST_TEST(std::abs(std::sqrt(square) / sd(overlaps) - 1) < 0.3);
  // About their mean it does not matter where they lie; about the origin it does.
  const Matrix<float> words = normal_words(count, d, 0), moved = normal_words(count, d, 0, 2);
  BOOST_TEST(std::abs(error(moved, all, true) / error(words, all, true) - 1) < 1e-3);
  BOOST_TEST(error(moved, all, false) < 0.7 * error(words, all, false));
  // Rows that are left out do not count.
  Matrix<float> spoilt = words;
  std::vector<bool> kept = all;
  for (std::size_t i = 0; i < count; i += 2) kept[i] = false;
  const double of_half = error(spoilt, kept, true);
  for (std::size_t i = 0; i < count; i += 2)
    for (std::size_t j = 0; j < d; ++j) spoilt(i, j) = 1e3F;
  BOOST_TEST(error(spoilt, kept, true) == of_half);
  // Nor does a direction.
  const std::vector<double> u{0, 0, 1, 0, 0, 0};
  const Matrix<double> beside = without_direction(positions, u);
  const auto error_beside = [&](const Matrix<float>& of) {
    return split_half_error({stream_of(of, "words"), all, true, u}, beside, streams);
  };
  Matrix<float> along = words;
  for (std::size_t i = 0; i < count; ++i) along(i, 2) *= 3;
  BOOST_TEST(std::abs(error_beside(along) / error_beside(words) - 1) < 1e-3);
}

BOOST_AUTO_TEST_CASE(few_words_have_no_halves) {
  const Matrix<float> words = normal_words(127, 4, 0);
  const std::vector<bool> all(127, true);
  BOOST_TEST(
      std::isnan(split_half_error({stream_of(words, "words"), all, true}, diagonal({1, 1, 1, 1}), streams)));
}

BOOST_AUTO_TEST_SUITE_END()
