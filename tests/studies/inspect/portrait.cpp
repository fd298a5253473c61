// Rows of positions that training never reached; words in groups, by their moments; overlaps of small models.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/rows.hpp"
#include "perp/measures/subspaces.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/inspect/clouds.hpp"
#include "studies/inspect/description.hpp"
#include "studies/inspect/numbers.hpp"
#include "tests/studies/inspect/made.hpp"

using namespace perp;
using namespace perp::inspect;
using namespace perp::test;

namespace {

Matrix<double> normal(std::size_t rows, std::size_t cols, const char* what) {
  return converted<double>(normals(what, rows, cols));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(inspect_portrait)

BOOST_AUTO_TEST_CASE(departures_beyond_half_of_the_positions_do_not_count) {
  BOOST_TEST(kernel_departure(std::vector{1., .9, .8, .7}, std::vector{1., .9, .5, -.7}) == .8 - .5);
}

BOOST_AUTO_TEST_CASE(rotations_spread_as_a_sample_does) { BOOST_TEST(sd_of({1, 3}) == std::sqrt(2.0)); }

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

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(inspect_overlaps)

BOOST_AUTO_TEST_CASE(groups_pool_to_the_table) {
  // More rows than a tile, far from the origin: float32 products of rows as they are would show.
  const std::size_t count = 5000, d = 5;
  Matrix<float> words = normals("words", count, d);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < d; ++j) words(i, j) = 100 + words(i, j) / float(j + 1);
  const Groups parts = grouped_words(stream_of(words, "words"), count, {1, "test", "overlaps"});
  const Cloud whole = cloud_of(converted<double>(words)), again = pooled(parts);
  BOOST_TEST(again.rows == count);
  for (const Cloud& group : parts) BOOST_TEST(std::abs(group.rows - 315) < 65);  // 312, sd 17
  for (std::size_t i = 0; i < d; ++i) {
    BOOST_TEST(std::abs(again.mean[i] - whole.mean[i]) < 1e-4);
    for (std::size_t j = 0; j < d; ++j)
      BOOST_TEST(std::abs(again.covariance(i, j) - whole.covariance(i, j)) < 1e-5);
  }
}

// Words about a mean, positions likewise; what LayerNorm and other positions do to it is in the golden inspect_frequency.
BOOST_AUTO_TEST_CASE(overlaps_by_definition) {
  const Made made;
  Matrix<double> words = normal(320, 20, "words");
  const Matrix<double> positions = normal(60, 20, "positions");
  std::string counts;
  std::vector<std::size_t> text;  // has the row i i mod 4 times
  for (std::size_t i = 0; i < 320; ++i) {
    words(i, 19) += 2;
    counts += fmt::format("{}\n", i % 4);
    text.insert(text.end(), i % 4, i);
  }
  const std::string counted = made.file("counts.txt", counts).string();
  const Results results =
      made.results(made.model("made", words, positions) + fmt::format("counts = {}\n", counted), {"M3"});
  const auto is = [&](const char* id, const Matrix<double>& a, const Matrix<double>& b) {
    BOOST_TEST(value(results, id) == overlap(a, b), boost::test_tools::tolerance(1e-5));
  };
  is("M3.overlap.made", covariance(words), covariance(positions));
  is("M3.overlap_uncentred.made", mean_outer_product(words), mean_outer_product(positions));
  is("M3.overlap_by_frequency.made", covariance(select_rows(words, text)), covariance(positions));
}

BOOST_AUTO_TEST_SUITE_END()
