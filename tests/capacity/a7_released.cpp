// What a model's own tables lose to each other: the controls where it is known.

#include "studies/capacity/a7_released.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <map>

#include "perp/random/normal.hpp"
#include "perp/study/claim.hpp"

using namespace perp;
using namespace perp::capacity;

namespace {

Matrix<float> normals(std::size_t rows, std::size_t cols, const char* what) {
  return normal_matrix<float>(rows, cols, stream(1, "tests", "capacity a7_released", 0, what));
}
Cells read(const Matrix<float>& words, const Matrix<float>& positions, std::size_t samples) {
  const ReleasedTables at{"read", "made", samples};
  const Cell cell(coordinates_of(at));
  Rows rows(cell);
  measure_reading(at, words, positions, {1, "tests", "a7_released"}, rows);
  return {{cell, rows.take()}};
}
/// Rows by standing.
std::map<std::string, std::vector<ReleasedBits>> measured(const Matrix<float>& words,
                                                          const Matrix<float>& positions) {
  std::map<std::string, std::vector<ReleasedBits>> found;
  for (const ReleasedBits& row : rows_of<ReleasedBits>(read(words, positions, 1024)))
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
  const ReleasedBits alone = found["alone"].front(), own = found["as_released"].front();
  const double ceiling = std::log2(200.0 * 32.0);
  BOOST_TEST(std::abs((alone.word + alone.position) / ceiling - 0.9) < 1e-7);
  BOOST_TEST(std::abs(own.lost) < 1e-3);
  for (const ReleasedBits& random : found["random"])
    BOOST_TEST(random.lost > 0.2 + 3 * random.lost_error, random.rotation);
  BOOST_TEST(found["random"].size() == 8U);
  BOOST_TEST(found["random"][0].lost != found["random"][1].lost);
}

BOOST_AUTO_TEST_CASE(tables_of_equal_rows_are_left_out) {
  Matrix<float> words = normals(64, 8, "words");
  for (std::size_t i = 0; i < 48; ++i) std::ranges::copy(row(words, 63), row(words, i).begin());
  BOOST_TEST(measured(words, normals(8, 8, "positions")).empty());
}

BOOST_AUTO_TEST_SUITE_END()
