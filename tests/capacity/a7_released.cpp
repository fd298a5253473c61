// What a model's own tables lose to each other: the controls where it is known.

#include "studies/capacity/a7_released.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <map>

#include "perp/random/normal.hpp"

using namespace perp;
using namespace perp::capacity;

namespace {

Matrix<float> normals(std::size_t rows, std::size_t cols, const char* what) {
  return normal_matrix<float>(rows, cols, stream(1, "tests", "capacity a7_released", 0, what));
}
/// Rows by standing.
std::map<std::string, std::vector<ReleasedBits>> measured(const Matrix<float>& words,
                                                          const Matrix<float>& positions) {
  std::map<std::string, std::vector<ReleasedBits>> found;
  for (const ReleasedBits& row : measure_reading(1024, words, positions, {1, "tests", "a7_released"}))
    found[row.standing].push_back(row);
  return found;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(capacity_a7_released)

BOOST_AUTO_TEST_CASE(orthogonal_tables_lose_nothing) {
  // Words in the first twelve coordinates, positions in the last four.
  Matrix<float> words = normals(200, 16, "words"), positions = normals(32, 16, "positions");
  for (std::size_t i = 0; i < rows(words); ++i) std::ranges::fill(row(words, i).last(4), 0.5F);
  for (std::size_t i = 0; i < rows(positions); ++i) std::ranges::fill(row(positions, i).first(12), -2.0F);
  auto found = measured(words, positions);
  const ReleasedBits own = found["as_released"].front();
  BOOST_TEST(std::abs(own.lost) < 1e-3);
  for (const ReleasedBits& random : found["random"])
    BOOST_TEST(random.lost > 0.2 + 3 * random.lost_error, random.rotation);
  BOOST_TEST(found["random"].size() == 8U);
  BOOST_TEST(found["random"][0].lost != found["random"][1].lost);
}

BOOST_AUTO_TEST_CASE(along_the_same_axes_more_is_lost) {
  Matrix<float> words = normals(600, 24, "words"), positions = normals(48, 24, "positions");
  for (std::size_t i = 0; i < rows(words); ++i)
    for (std::size_t j = 0; j < 24; ++j) words(i, j) *= static_cast<float>(std::exp(-0.1 * double(j)));
  for (std::size_t i = 0; i < rows(positions); ++i)
    for (std::size_t j = 0; j < 24; ++j) positions(i, j) *= static_cast<float>(std::exp(-0.2 * double(j)));
  auto found = measured(words, positions);
  const double own = found["as_released"].front().lost;
  for (const ReleasedBits& random : found["random"]) BOOST_TEST(random.lost < own, random.rotation);
}

BOOST_AUTO_TEST_CASE(tables_of_equal_rows_are_left_out) {
  Matrix<float> words = normals(64, 8, "words");
  for (std::size_t i = 0; i < 48; ++i) std::ranges::copy(row(words, 63), row(words, i).begin());
  BOOST_TEST(measured(words, normals(8, 8, "positions")).empty());
}

BOOST_AUTO_TEST_SUITE_END()
