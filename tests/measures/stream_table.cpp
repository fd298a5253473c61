// One look at a table: in any pieces, on any number of threads. Its numbers: reference.cpp.

#include "perp/measures/stream_table.hpp"

#include <boost/test/unit_test.hpp>
#include <cstring>

#include "perp/base/linalg.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/measures/position_readout.hpp"
#include "perp/random/uniform.hpp"
#include "perp/vectors/positions.hpp"
#include "tests/measures/made.hpp"
#include "tests/tolerance.hpp"

using namespace perp;

namespace {

/// Normal rows about a common mean, row 7 of them 0.
Matrix<float> rows_with_mean(std::size_t count, std::size_t d, float mean) {
  Matrix<float> table = made::normal<float>(count, d, 1);
  for (float& x : table) x += mean;
  std::ranges::fill(row(table, 7), 0.0F);
  return table;
}

bool same_bytes(const Matrix<double>& a, const Matrix<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// The stream in pieces of at most `most` rows.
RowStream in_pieces(const Matrix<float>& table, std::size_t most) {
  RowStream whole = stream_of(table, "pieces");
  return {"pieces", whole.cols, [next = whole.next, most](std::size_t wanted, float* out) {
            return next(std::min(most, wanted), out);
          }};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(measures_stream_table)

BOOST_AUTO_TEST_CASE(pieces_and_threads_change_nothing) {
  const Matrix<float> table = rows_with_mean(20'000, 17, 2), beside = rows_with_mean(40, 17, 0);
  const UnitRows unit = unit_rows(beside);
  const TableSums one = stream_table(stream_of(table, "table"), {1, unit.rows, 50});
  for (const std::size_t threads : {2U, 3U, 7U})
    for (const std::size_t piece : {20'000U, 611U}) {
      const TableSums other = stream_table(in_pieces(table, piece), {threads, unit.rows, 50});
      BOOST_TEST(same_bytes(one.as_is, other.as_is));
      BOOST_TEST(same_bytes(one.centred, other.centred));
      BOOST_TEST(same_bytes(one.directions, other.directions));
      BOOST_TEST(one.norms == other.norms);
      BOOST_TEST(one.unit_sum == other.unit_sum);
      BOOST_TEST(one.max_abs_cosine == other.max_abs_cosine);
      BOOST_TEST(one.cosines->density() == other.cosines->density());
    }
  BOOST_TEST(one.max_abs_cosine == max_abs_cosine_between(unit_rows(table).rows, unit.rows, 1));
}

BOOST_AUTO_TEST_CASE(rows_tell_where_they_stand) {
  const std::vector<std::uint32_t> folds =
      even_folds(permutation(stream(1, "test", "readout", 0, "folds"), 100), 5);
  Matrix<double> line = matrix<double>(100, 2);
  for (std::size_t t = 0; t < 100; ++t) line(t, 0) = 3.0 * static_cast<double>(t) - 50, line(t, 1) = 1;
  const auto error = [&](const Matrix<double>& table) { return index_error(table, folds, 5, 1e-12); };
  BOOST_TEST(error(line) < tolerance::bilinear);
  BOOST_TEST(error(sinusoidal<double>(100, 64)) < 1e-3);
  // Rows that say nothing are read as the mean position: 25 away on average.
  BOOST_TEST(std::abs(error(made::normal<double>(100, 3, 2)) - 25) < 3);
  // More dimensions than rows: whoever is fitted with their own row is read without error.
  BOOST_TEST(error(made::normal<double>(100, 200, 3)) > 10);
}

BOOST_AUTO_TEST_SUITE_END()
