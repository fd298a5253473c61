// Sets of rows by their moments, what halves of the words tell, and what an overlap is held against: orders
// of the coordinates, one direction left out.

#include "perp/base/linalg.hpp"
#include "perp/measures/outer.hpp"
#include "perp/statistics/moments.hpp"
#include "studies/inspect/clouds.hpp"
#include "studies/inspect/overlap_nulls.hpp"
#include "tests/inspect/made.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::inspect;
using perp::test::normals;

namespace {

const Streams streams{1, "test", "overlaps"};

Matrix<double> diagonal(const std::vector<double>& values) {
  Matrix<double> out = zeros<double>(values.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) out(i, i) = values[i];
  return out;
}

/// Normal rows about `centre` with the standard deviations 1, 1/2, 1/3 … along the axes.
Matrix<float> words_about(float centre, std::size_t count, std::size_t d, std::size_t draw = 0) {
  Matrix<float> words = normals(fmt::format("words {}", draw), count, d);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < d; ++j) words(i, j) = centre + words(i, j) / float(j + 1);
  return words;
}
std::vector<Groups> grouped(const Matrix<float>& words, const std::vector<std::uint8_t>& kinds) {
  return grouped_words(stream_of(words, "words"), kinds, 4, streams);
}
Groups grouped(const Matrix<float>& words) {
  return grouped(words, std::vector<std::uint8_t>(rows(words), 0))[0];
}
double error(const Groups& words, const std::function<double(const Cloud&)>& of) {
  return split_half_errors(words, [&](const Cloud& half) { return std::vector{of(half)}; }).at(0);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(inspect_overlaps)

BOOST_AUTO_TEST_CASE(groups_pool_to_the_table) {
  // More rows than a tile, far from the origin: float32 products of rows as they are would show.
  const std::size_t count = 5000, d = 5;
  const Matrix<float> words = words_about(100, count, d);
  std::vector<std::uint8_t> kinds(count);
  for (std::size_t i = 0; i < count; ++i) kinds[i] = i % 3;
  const std::vector<Groups> parts = grouped(words, kinds);
  BOOST_TEST(pooled(parts[3]).rows == 0);
  BOOST_TEST(pooled(parts[0]).rows == 1667);
  const Cloud whole = cloud_of(converted<double>(words)), again = pooled(together(parts));
  BOOST_TEST(again.rows == count);
  for (const Cloud& group : together(parts)) BOOST_TEST(std::abs(group.rows - 315) < 65);  // 312, sd 17
  for (std::size_t i = 0; i < d; ++i) {
    BOOST_TEST(std::abs(again.mean[i] - whole.mean[i]) < 1e-4);
    for (std::size_t j = 0; j < d; ++j)
      BOOST_TEST(std::abs(again.covariance(i, j) - whole.covariance(i, j)) < 1e-5);
  }
  BOOST_TEST(std::abs(about_origin(whole)(0, 1) - whole.covariance(0, 1) - whole.mean[0] * whole.mean[1]) <
             1e-9);
}

BOOST_AUTO_TEST_CASE(halves_tell_how_another_choice_of_words_would_move_the_overlap) {
  const std::size_t d = 6, count = 1600;
  const Matrix<double> positions = diagonal({1, 0.2, 3, 0.1, 0.4, 2});
  const auto about_means = [&](const Cloud& of) { return overlap(of.covariance, positions); };
  const auto uncentred = [&](const Cloud& of) { return overlap(about_origin(of), positions); };
  std::vector<double> overlaps;
  double square = 0;
  for (std::size_t draw = 0; draw < 120; ++draw) {
    const Groups words = grouped(words_about(0, count, d, draw));
    overlaps.push_back(about_means(pooled(words)));
    if (draw < 10) square += std::pow(error(words, about_means), 2) / 10;
  }
  // 150 degrees of freedom on one side, 119 on the other: 9 % together.
  BOOST_TEST(std::abs(std::sqrt(square / moments_of(overlaps).variance) - 1) < 0.3);
  // About their mean it does not matter where they lie; about the origin it does.
  Matrix<float> words = words_about(0, count, d);
  const Groups here = grouped(words), moved = grouped(words_about(2, count, d));
  BOOST_TEST(std::abs(error(moved, about_means) / error(here, about_means) - 1) < 1e-3);
  BOOST_TEST(error(moved, uncentred) < 0.7 * error(here, uncentred));
  // Nor do rows of another kind.
  std::vector<std::uint8_t> kinds(count, 0);
  for (std::size_t i = 0; i < count; i += 2) kinds[i] = 1;
  const double of_half = error(grouped(words, kinds)[0], about_means);
  for (std::size_t i = 0; i < count; i += 2) std::ranges::fill(row(words, i), 1e3F);
  BOOST_TEST(error(grouped(words, kinds)[0], about_means) == of_half);
}

BOOST_AUTO_TEST_CASE(a_word_counts_as_often_as_a_text_has_it) {
  const std::size_t count = 300, d = 4;
  const Matrix<float> words = words_about(3, count, d);
  std::vector<double> counts(count);
  std::vector<std::size_t> text;
  for (std::size_t i = 0; i < count; ++i) text.insert(text.end(), std::size_t(counts[i] = double(i % 5)), i);
  const Groups counted =
      grouped_words(stream_of(words, "words"), std::vector<std::uint8_t>(count), 1, streams, counts)[0];
  const Cloud all = pooled(counted), repeated = cloud_of(converted<double>(select_rows(words, text)));
  BOOST_TEST(all.rows == double(text.size()));
  for (std::size_t i = 0; i < d; ++i) {
    BOOST_TEST(std::abs(all.mean[i] - repeated.mean[i]) < 1e-12);
    for (std::size_t j = 0; j < d; ++j)
      BOOST_TEST(std::abs(all.covariance(i, j) - repeated.covariance(i, j)) < 1e-12);
  }
  // What the halves tell is of the words, which are parted as without counts.
  for (std::size_t group = 0; group < counted.size(); ++group)
    BOOST_TEST((counted[group].rows > 0) == (grouped(words)[group].rows > 0));
}

BOOST_AUTO_TEST_CASE(few_words_have_no_halves_and_wide_ones_fewer_groups) {
  const auto rows_of_half = [](const Cloud& half) { return std::vector{half.rows}; };
  BOOST_TEST(split_half_errors(grouped(words_about(0, 127, 4)), rows_of_half).empty());
  BOOST_TEST(split_half_errors(grouped(words_about(0, 128, 4)), rows_of_half).size() == 1U);
  BOOST_TEST(word_groups(1024) == 16U);
  BOOST_TEST(word_groups(1025) == 8U);
  // Groups of eight: seven ways, each of which parts every second group from the others.
  Groups eight(8);
  for (std::size_t i = 0; i < 8; ++i) eight[i] = {64, {double(i == 5)}, zeros<double>(1, 1)};
  BOOST_TEST(std::abs(error(eight, [](const Cloud& half) { return half.mean[0]; }) - 0.125) < 1e-12);
}

BOOST_AUTO_TEST_CASE(leaving_one_word_out_gives_the_error_of_a_mean) {
  // Of equally large groups the jackknife's error of a mean is the usual one, sd/√G; groups without words do not count.
  Groups groups(16);
  std::vector<double> means;
  for (std::size_t i = 0; i < 12; ++i) {
    means.push_back(double(i * i % 7));
    groups[i] = {2, {means.back()}, zeros<double>(1, 1)};
  }
  for (std::size_t i = 12; i < 16; ++i) groups[i] = {0, {0}, zeros<double>(1, 1)};
  const auto mean = [](const Cloud& of) { return of.mean[0]; };
  BOOST_TEST(std::abs(left_out_error(groups, mean) - standard_error(moments_of(means))) < 1e-12);
  BOOST_TEST(std::isnan(left_out_error(Groups(groups.begin() + 5, groups.end()), mean)));
}

BOOST_AUTO_TEST_CASE(orders_of_the_coordinates_see_what_lies_along_the_axes) {
  const std::size_t d = 5, draws = 4000;
  const Matrix<double> first = diagonal({1, 0, 0, 0, 0});
  double met = 0;
  for (const double x : permuted_overlaps(first, first, draws, streams)) {
    BOOST_TEST((x == 0 || x == double(d)));
    met += x > 0;
  }
  BOOST_TEST(std::abs(met / draws - 1.0 / d) < 4.5 * std::sqrt(0.2 * 0.8 / draws));
  // Rows and columns go together: a pair across the axes meets both, one or none of its two coordinates.
  Matrix<double> pair = zeros<double>(4, 4);
  pair(0, 0) = pair(1, 1) = pair(0, 1) = pair(1, 0) = 1;
  for (const double x : permuted_overlaps(pair, pair, 50, streams))
    BOOST_TEST((x == 4 || x == 1 || x == 0), x);
}

BOOST_AUTO_TEST_CASE(one_direction_that_both_share_is_left_out) {
  const Matrix<double> a = diagonal({9, 2, 1, 0}), b = diagonal({6, 0, 1, 1});
  const std::vector<double> u = shared_direction(a, b);
  BOOST_TEST(std::abs(u[0]) == 1);
  BOOST_TEST(trace_of_product(without_direction(a, u), a) == 5);
  BOOST_TEST(overlap_beside(a, b, u) == 3.0 * 1 / (3.0 * 2));
  BOOST_TEST(std::isnan(overlap_beside(diagonal({9, 0, 0, 0}), b, u)));
  // It is neither the first of the one nor that of the other, but of both by their own traces.
  BOOST_TEST(std::abs(shared_direction(diagonal({500, 0, 400, 0}), diagonal({0, 5, 4, 0}))[2]) == 1);
  // Off the axes nothing of it is left, and what is at right angles to it stays.
  const Matrix<double> cloud = gram_columns(normal_matrix<double>(9, 4, streams("cloud")));
  const std::vector<double> v{0.6, 0, 0.8, 0};
  const Matrix<double> rest = without_direction(cloud, v);
  for (std::size_t i = 0; i < 4; ++i) BOOST_TEST(std::abs(dot(row(rest, i), v)) < 1e-12);
  BOOST_TEST(std::abs(rest(1, 1) - cloud(1, 1)) < 1e-12);
  // Turned tables lose the direction that they share: chosen as it is, it takes more than chance gave it.
  const Matrix<double> round = diagonal(std::vector<double>(10, 3)),
                       steep = diagonal({50, 0.5, 0.3, 0.2, 0.2, 0.2, 0.1, 0.1, 0.1, 0.1});
  for (const double x : turned_overlaps_beside(round, steep, 5, streams)) BOOST_TEST(std::abs(x - 1) < 1e-12);
  const Moments left = moments_of(turned_overlaps_beside(steep, steep, 200, streams));
  BOOST_TEST(left.variance > 0);
  BOOST_TEST(std::abs(left.mean - 1) > 5 * std::sqrt(left.variance / 200));
}

BOOST_AUTO_TEST_SUITE_END()
