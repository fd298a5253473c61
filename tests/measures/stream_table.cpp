// One look at a table: against plain loops, in any pieces, on any number of threads.

#include "perp/measures/stream_table.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <limits>

#include "perp/base/linalg.hpp"
#include "perp/base/work.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/measures/position_readout.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/random/normal.hpp"
#include "perp/random/uniform.hpp"
#include "perp/theory/scale.hpp"
#include "perp/vectors/positions.hpp"
#include "tests/support/refusal.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::test;

namespace {

/// Normal rows about a common mean, row 7 of them 0.
Matrix<float> rows_with_mean(std::size_t count, std::size_t d, float mean) {
  Matrix<float> table = normal_matrix<float>(count, d, stream(1, "test", "stream_table", 0, "rows"));
  for (std::size_t i = 0; i < table.size(); ++i) table.data()[i] += mean;
  if (count > 7) std::ranges::fill(row(table, 7), 0.0F);
  return table;
}

double largest_difference(const Matrix<double>& a, const Matrix<double>& b) {
  BOOST_REQUIRE(a.size() == b.size());
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a.data()[i] - b.data()[i]));
  return most;
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

BOOST_AUTO_TEST_CASE(against_plain_sums) {
  const Matrix<float> table = rows_with_mean(5000, 24, 3);
  const Matrix<double> plain = [&] {
    Matrix<double> sum = zeros<double>(24, 24);
    for (std::size_t i = 0; i < 5000; ++i)
      for (std::size_t a = 0; a < 24; ++a)
        for (std::size_t b = 0; b < 24; ++b)
          sum(a, b) += static_cast<double>(table(i, a)) * table(i, b) / 5000;
    return sum;
  }();
  const TableSums sums = stream_table(stream_of(table, "table"), {});
  BOOST_TEST(sums.rows == 5000U);
  BOOST_TEST(sums.zero_rows == 1U);
  BOOST_TEST(sums.norms.size() == 5000U);
  BOOST_TEST(sums.norms[7] == 0);
  BOOST_TEST(largest_difference(sums.as_is, plain) < tolerance::float_gram * plain(0, 0));
  Matrix<double> centred = plain;
  for (std::size_t a = 0; a < 24; ++a)
    for (std::size_t b = 0; b < 24; ++b) centred(a, b) -= sums.mean[a] * sums.mean[b];
  // About the mean nothing is lost to it: the bound is of the rows' spread, not of their length.
  BOOST_TEST(largest_difference(sums.centred, centred) < tolerance::float_gram * centred(0, 0));
  double cosine = 0;
  const UnitRows unit = unit_rows(table);
  for (std::size_t i = 0; i < rows(unit.rows); i += 37)
    for (std::size_t j = 0; j < rows(unit.rows); ++j)
      if (i != j)
        for (std::size_t a = 0; a < 24; ++a)
          cosine += static_cast<double>(unit.rows(i, a)) * unit.rows(j, a) / (136.0 * 4998);
  BOOST_TEST(std::abs(mean_cosine(sums) - cosine) < 0.01);  // of every 37th row: a part of the pairs
  double trace = 0;
  for (std::size_t a = 0; a < 24; ++a) trace += sums.directions(a, a);
  BOOST_TEST(std::abs(trace - 1) < tolerance::float_gram);
}

BOOST_AUTO_TEST_CASE(spectra_are_those_of_spectrum) {
  const Matrix<float> table = rows_with_mean(6000, 20, 1);
  const TableSums sums = stream_table(stream_of(table, "table"), {});
  const std::vector<double> centred = covariance_spectrum(sums.centred, sums.rows),
                            known = spectrum(table, Centring::centred);
  BOOST_REQUIRE(centred.size() == known.size());
  for (std::size_t i = 0; i < known.size(); ++i)
    BOOST_TEST(std::abs(centred[i] - known[i]) < tolerance::float_gram * known[0]);
  BOOST_TEST(covariance_spectrum(sums.centred, 3).size() == 3U);
}

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

BOOST_AUTO_TEST_CASE(mean_cosine_of_three_rows) {
  Matrix<float> table = zeros<float>(4, 2);
  table(0, 0) = 3;
  table(1, 1) = 2;
  table(2, 0) = 3, table(2, 1) = 4;  // cosines 0, 3/5 and 4/5
  BOOST_TEST(std::abs(mean_cosine(stream_table(stream_of(table, "three"), {})) - 7.0 / 15) <
             tolerance::plain_sum);
}

BOOST_AUTO_TEST_CASE(leading_directions_span_what_is_largest) {
  Matrix<double> a = zeros<double>(3, 3);
  a(0, 0) = 1, a(1, 1) = 3, a(2, 2) = 2;
  const Matrix<double> two = leading_directions(a, 2);
  BOOST_TEST(std::abs(two(0, 1)) == 1);
  BOOST_TEST(std::abs(two(1, 2)) == 1);
  check_refusal([&] { leading_directions(a, 4); }, "4 of 3 directions");
  check_refusal([&] { leading_directions(a, 0); }, "0 of 3 directions");
}

BOOST_AUTO_TEST_CASE(what_is_refused) {
  Matrix<float> table = rows_with_mean(9000, 5, 0);
  table(8123, 2) = std::numeric_limits<float>::quiet_NaN();
  for (const std::size_t threads : {1U, 2U})
    check_refusal(
        [&] {
          stream_table(stream_of(table, "a table"), {threads, {}, 0});
        },
        "a table: row 8123 holds a value that is not finite");
  table(8123, 2) = 3e19F;
  check_refusal([&] { stream_table(stream_of(table, "a table"), {}); }, "row 8123 has length 3e+19");
  check_refusal([&] { stream_table(stream_of(Matrix<float>(zeros<float>(0, 5)), "none"), {}); },
                "none: no rows");
  const Matrix<float> other = rows_with_mean(3, 4, 0);
  check_refusal(
      [&] {
        stream_table(stream_of(rows_with_mean(9, 5, 0), "five"), {1, other, 0});
      },
      "five: rows of 5 numbers beside rows of 4");
  const Matrix<float> single = rows_with_mean(1, 4, 0);
  check_refusal([&] { mean_cosine(stream_table(stream_of(single, "one"), {})); }, "1 rows that are not 0");
}

// What scaling extrapolates from is what is done.
BOOST_AUTO_TEST_CASE(the_operations_counted_are_those_on_paper) {
  for (const std::size_t words : {300, 9000}) {
    Matrix<float> table = rows_with_mean(words, 6, 0);
    std::ranges::fill(row(table, 7), 1.0F);
    const Matrix<float> positions = sinusoidal<float>(11, 6);
    const theory::ScaleShape shape{words, 11, 6, 1};
    const WorkCounters before = thread_work();
    stream_table(stream_of(table, "table"), {1, positions, 0});
    const double counted = (thread_work() - before).flops;
    double paper = 0;
    for (const theory::ScaleStep& step : theory::scale_steps(shape, {1, 1, 1, 1}))
      if (step.divides) paper += step.operations;
    BOOST_TEST(counted == paper);
  }
}

BOOST_AUTO_TEST_CASE(rows_tell_where_they_stand) {
  const std::vector<std::uint32_t> folds =
      even_folds(permutation(stream(1, "test", "readout", 0, "folds"), 100), 5);
  Matrix<double> line = matrix<double>(100, 2);
  for (std::size_t t = 0; t < 100; ++t) line(t, 0) = 3.0 * static_cast<double>(t) - 50, line(t, 1) = 1;
  BOOST_TEST(index_error(line, folds, 5, 1e-12) < tolerance::bilinear);
  BOOST_TEST(index_error(sinusoidal<double>(100, 64), folds, 5, 1e-12) < 1e-3);
  // Rows that say nothing are read as the mean position: 25 away on average.
  Matrix<double> noise = normal_matrix<double>(100, 3, stream(1, "test", "readout", 0, "noise"));
  BOOST_TEST(std::abs(index_error(noise, folds, 5, 1e-12) - 25) < 3);
  // More dimensions than rows: whoever is fitted with their own row is read without error.
  Matrix<double> wide = normal_matrix<double>(100, 200, stream(1, "test", "readout", 0, "wide"));
  BOOST_TEST(index_error(wide, folds, 5, 1e-12) > 10);
  check_refusal([&] { index_error(line, {0, 1}, 2, 1e-12); }, "2 folds named for 100 rows");
  check_refusal([&] { index_error(line, folds, 1, 1e-12); }, "1 folds");
  check_refusal([&] { index_error(line, folds, 6, 1e-12); }, "fold 5 of 6 is empty");
  check_refusal([&] { index_error(line, folds, 4, 1e-12); }, "fold 4 of 4");
  check_refusal([&] { index_error(line, folds, 5, 0); }, "a cutoff of 0");
}

BOOST_AUTO_TEST_SUITE_END()
