// Portraits of tables of positions against the definitions; sets of rows by their moments, what halves of the words
// tell, and what M3 says of small models.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/rows.hpp"
#include "perp/measures/subspaces.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/inspect/clouds.hpp"
#include "studies/inspect/description.hpp"
#include "tests/studies/inspect/made.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::inspect;
using namespace perp::test;

namespace {

Matrix<double> normal(std::size_t rows, std::size_t cols, const char* what) {
  return converted<double>(normals(what, rows, cols));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(inspect_portrait)

BOOST_AUTO_TEST_CASE(portrait_of_the_sinusoid) {
  const std::size_t d = 64, length = 200;
  const Portrait seen = portrait(sinusoidal<double>(length, d));
  const double rounding = tolerance::sinusoid_product(d, length);
  BOOST_TEST(seen.r2_apart > 1 - rounding);
  BOOST_TEST(seen.neighbours == 1.0);
  for (std::size_t k = 0; k < length; ++k)
    BOOST_TEST(std::abs(seen.kernel.at(k) - theory::kernel_share(d, usual_base, static_cast<double>(k))) <
               rounding);
}

BOOST_AUTO_TEST_CASE(portrait_by_the_definitions) {
  const std::size_t length = 12;
  Matrix<double> table = normal(length, 5, "rows");
  for (std::size_t t = 1; t < length; ++t)  // rows that remember the one before
    for (std::size_t j = 0; j < 5; ++j) table(t, j) += table(t - 1, j);
  const Portrait seen = portrait(table);
  const auto product = [&](std::size_t t, std::size_t s) { return dot(row(table, t), row(table, s)); };
  double mean = 0, all = 0, within = 0, near = 0, at_0 = 0;
  for (std::size_t t = 0; t < length; ++t) {
    at_0 += product(t, t) / length;
    for (std::size_t s = 0; s < length; ++s)
      if (s != t) mean += product(t, s) / (length * (length - 1));
  }
  for (std::size_t k = 1; k < length; ++k) {
    double at_lag = 0;
    for (std::size_t t = 0; t + k < length; ++t) at_lag += product(t, t + k) / double(length - k);
    for (std::size_t t = 0; t + k < length; ++t) {
      within += 2 * std::pow(product(t, t + k) - at_lag, 2);
      all += 2 * std::pow(product(t, t + k) - mean, 2);
    }
    BOOST_TEST(std::abs(seen.kernel[k] - at_lag / at_0) < 1e-13);
  }
  BOOST_TEST(std::abs(seen.r2_apart - (1 - within / all)) < tolerance::gram_variance);
  for (std::size_t t = 0; t < length; ++t) {
    std::size_t best = t == 0 ? 1 : 0;
    const auto cosine = [&](std::size_t s) { return product(t, s) / std::sqrt(product(s, s)); };
    for (std::size_t s = 0; s < length; ++s)
      if (s != t && cosine(s) > cosine(best)) best = s;
    near += (best + 1 == t || best == t + 1) / double(length);
  }
  BOOST_TEST(std::abs(seen.neighbours - near) < 1e-15);
  BOOST_TEST(near > 0.2);
}

BOOST_AUTO_TEST_CASE(departures_beyond_half_of_the_positions_do_not_count) {
  BOOST_TEST(kernel_departure(std::vector{1., .9, .8, .7}, std::vector{1., .9, .5, -.7}) == .8 - .5);
}

BOOST_AUTO_TEST_CASE(rows_that_training_never_reached_are_left_out) {
  // Rows 0 to 2 and 70 keep a hundredth of the others' length and no direction: of what is left rows 3 to 69
  // are the longest run.
  Matrix<double> table = sinusoidal<double>(100, 32);
  const Matrix<double> start = normal(4, 32, "start");
  const std::size_t never[] = {0, 1, 2, 70};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 32; ++j) table(never[i], j) = 0.01 * start(i, j);
  const auto left = trained_beside_sinusoid(table);
  BOOST_REQUIRE(left.has_value());
  BOOST_TEST(left->own.kernel.size() == 67U);
  BOOST_TEST(left->own.r2_apart == portrait(block(table, 3, 70)).r2_apart);
  BOOST_TEST(left->own.r99 == left->wave.r99);
  // Every second row short: no run is left to measure.
  for (std::size_t t = 0; t < 100; t += 2)
    for (double& x : row(table, t)) x *= t > 2 && t != 70 ? 0.01 : 1;
  for (double& x : row(table, 1)) x *= 100;
  // 20 equal rows, then short ones that differ: without these there is no spectrum, and no error either.
  Matrix<double> equal = normal(30, 8, "equal");
  for (std::size_t t = 0; t < 30; ++t)
    for (double& x : row(equal, t)) x = t < 20 ? 1 : 0.01 * x;
  BOOST_TEST(!trained_beside_sinusoid(table));
  BOOST_TEST(!trained_beside_sinusoid(equal));
}

BOOST_AUTO_TEST_CASE(tables_that_cannot_be_compared) {
  check_refusal([] { portrait(normal(2, 4, "two")); }, "2 positions; expected at least 3");
  Matrix<double> padded = normal(10, 8, "padded");
  std::ranges::fill(row(padded, 4), 0.0);
  check_refusal([&] { portrait(padded); }, "row 4 is 0");
}

BOOST_AUTO_TEST_SUITE_END()

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
Groups grouped(const Matrix<float>& words) {
  return grouped_words(stream_of(words, "words"), rows(words), streams);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(inspect_overlaps)

BOOST_AUTO_TEST_CASE(groups_pool_to_the_table) {
  // More rows than a tile, far from the origin: float32 products of rows as they are would show.
  const std::size_t count = 5000, d = 5;
  const Matrix<float> words = words_about(100, count, d);
  const Groups parts = grouped(words);
  const Cloud whole = cloud_of(converted<double>(words)), again = pooled(parts);
  BOOST_TEST(again.rows == count);
  for (const Cloud& group : parts) BOOST_TEST(std::abs(group.rows - 315) < 65);  // 312, sd 17
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
    if (draw < 10) square += std::pow(split_half_error(words, about_means), 2) / 10;
  }
  // 150 degrees of freedom on one side, 119 on the other: 9 % together.
  BOOST_TEST(std::abs(std::sqrt(square / moments_of(overlaps).variance) - 1) < 0.3);
  // About their mean it does not matter where they lie; about the origin it does.
  const Matrix<float> words = words_about(0, count, d);
  const Groups here = grouped(words), moved = grouped(words_about(2, count, d));
  BOOST_TEST(std::abs(split_half_error(moved, about_means) / split_half_error(here, about_means) - 1) < 1e-3);
  BOOST_TEST(split_half_error(moved, uncentred) < 0.7 * split_half_error(here, uncentred));
}

BOOST_AUTO_TEST_CASE(a_word_counts_as_often_as_a_text_has_it) {
  const std::size_t count = 300, d = 4;
  const Matrix<float> words = words_about(3, count, d);
  std::vector<double> counts(count);
  std::vector<std::size_t> text;
  for (std::size_t i = 0; i < count; ++i) text.insert(text.end(), std::size_t(counts[i] = double(i % 5)), i);
  const Groups counted = grouped_words(stream_of(words, "words"), count, streams, counts);
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

// ---- M3

// Words about a mean that are spread unevenly, positions likewise.
BOOST_AUTO_TEST_CASE(overlaps_by_definition) {
  const Made made;
  Matrix<double> words = converted<double>(normals("words", 320, 20)),
                 positions = converted<double>(normals("positions", 60, 20));
  for (std::size_t i = 0; i < 320; ++i)
    for (std::size_t j = 0; j < 20; ++j)
      words(i, j) = words(i, j) * (j / 7 == i / 107 ? 3 : 1) + (j == 19 ? 2 : 0);
  for (std::size_t t = 0; t < 60; ++t)
    for (std::size_t j = 0; j < 20; ++j) positions(t, j) = positions(t, j) * (j < 7 ? 2 : 1) + 1;
  Matrix<double> gain = matrix<double>(1, 20);
  for (std::size_t j = 0; j < 20; ++j) gain(0, j) = 0.1 * double(j) - 0.5;
  const std::string norm = made.table("gain.npy", gain);
  std::string counts;
  std::vector<std::size_t> text;  // has the row i i mod 4 times
  for (std::size_t i = 0; i < 320; ++i) {
    counts += fmt::format("{}\n", i % 4);
    text.insert(text.end(), i % 4, i);
  }
  const Results results = made.results(
      made.model("made", words, positions) +
          fmt::format("layernorm = {0},{0}\ncounts = {1}\n", norm, made.file("counts.txt", counts).string()),
      {"M3"});
  const auto close = boost::test_tools::tolerance(1e-5);
  BOOST_TEST(value(results, "M3.overlap.made") == overlap(covariance(words), covariance(positions)), close);
  BOOST_TEST(value(results, "M3.overlap_uncentred.made") ==
                 overlap(mean_outer_product(words), mean_outer_product(positions)),
             close);
  BOOST_TEST(value(results, "M3.overlap_by_frequency.made") ==
                 overlap(covariance(select_rows(words, text)), covariance(positions)),
             close);
  BOOST_TEST(finding(results, "M3.overlap_by_frequency.made").n == 240U * 60);
  // The frequent third, the middle one and the rare one: rows that the text has three times, twice and once.
  for (std::size_t third = 0; third < 3; ++third) {
    std::vector<std::size_t> own;
    for (std::size_t i = 0; i < 320; ++i)
      if (i % 4 == 3 - third) own.push_back(i);
    BOOST_TEST(table(results, "m3_thirds.csv").number(third, "overlap") ==
                   overlap(covariance(select_rows(words, own)), covariance(positions)),
               close);
  }
  // Eight blocks of consecutive positions, each left out once: √(7/8 Σ (ω - mean)²), seven degrees of freedom.
  std::vector<double> without;
  for (std::size_t i = 0; i < 8; ++i) {
    std::vector<std::size_t> others;
    for (std::size_t t = 0; t < 60; ++t)
      if (t < i * 60 / 8 || t >= (i + 1) * 60 / 8) others.push_back(t);
    without.push_back(overlap(covariance(words), covariance(select_rows(positions, others))));
  }
  const Finding& over_positions = finding(results, "M3.overlap_over_positions.made");
  BOOST_TEST(over_positions.value == value(results, "M3.overlap.made"));
  BOOST_TEST(over_positions.spread->mean->error == std::sqrt(7 / 8.0 * 7 * moments_of(without).variance),
             boost::test_tools::tolerance(1e-3));
  BOOST_TEST(over_positions.spread->mean->freedom == 7);
  BOOST_TEST(over_positions.n == 60U);
  // What LayerNorm makes of a row, but for its length: its own mean goes, the gain weighs the rest.
  const auto behind = [&](const Matrix<double>& table) {
    Matrix<double> out = table;
    for (std::size_t i = 0; i < rows(out); ++i) {
      double mean = 0;
      for (const double x : row(table, i)) mean += x / 20;
      for (std::size_t j = 0; j < 20; ++j) out(i, j) = (out(i, j) - mean) * gain(0, j);
    }
    return covariance(out);
  };
  BOOST_TEST(
      table(results, "m3_lineages.csv").number(0, "layernorm") == overlap(behind(words), behind(positions)),
      close);
  // Without the ten main directions u of the positions, by traces: tr A - sum of u'Au, and so on.
  const Matrix<double> a = covariance(words), b = covariance(positions);
  const Eigen<double> of = symmetric_eigen(b);
  double left_a = trace(a), left_b = trace(b), both = trace_of_product(a, b);
  for (std::size_t k = 10; k < 20; ++k) {
    const auto u = row(of.vectors, k);
    double squared = 0;
    for (std::size_t i = 0; i < 20; ++i) squared += u[i] * dot(row(a, i), u);
    left_a -= squared, left_b -= of.values[k], both -= of.values[k] * squared;
  }
  BOOST_TEST(value(results, "M3.overlap_beside_ten.made") == 10 * both / (left_a * left_b), close);
  BOOST_TEST(!find(results.findings, "M3.overlap_beside_thirty.made"));
}

// Words live in the first 24 of 48 dimensions and hardly in the others, positions in the others.
BOOST_AUTO_TEST_CASE(words_and_positions_that_keep_apart_are_seen_to) {
  const Made made;
  Matrix<float> words = normals("words", 1600, 48), positions = normals("positions", 80, 48);
  for (std::size_t j = 0; j < 48; ++j) {
    for (std::size_t i = 0; i < 1600; ++i) words(i, j) *= j < 24 ? 1.0F : 0.1F;
    for (std::size_t t = 0; t < 80; ++t) positions(t, j) *= j < 24 ? 0.0F : 1.0F;
  }
  const Results results = made.results(made.model("apart", words, positions), {"M3"});
  const Table& lineages = table(results, "m3_lineages.csv");
  BOOST_TEST(value(results, "M3.overlap.apart") < 0.03);
  BOOST_TEST(lineages.number(0, "mean_square_centred") < 0.1);
  // Spectra that fill all dimensions cannot be turned apart for good: words hold 1/100 where positions are.
  const double floor = lineages.number(0, "floor") / value(results, "M3.overlap.apart");
  BOOST_TEST((floor > 0.5 && floor < 1));
  BOOST_TEST(answer(results, "M3.overlap.apart") == "holds");
  // Where nobody says how often a text has a word, no condition asks.
  for (const Condition& condition : claim(results, "M3").rule)
    BOOST_TEST(!contains(condition.finding, "by_frequency"));
}

BOOST_AUTO_TEST_SUITE_END()
