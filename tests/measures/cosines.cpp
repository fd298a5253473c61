#include "perp/measures/cosines.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/measures/made.hpp"
#include "tests/tolerance.hpp"

using namespace perp;

namespace {

/// Against a plain loop in float64. Cosines closer to a bin's edge than the bound may change their bin.
void compare(const CosineSummary& got, View<float> a, View<float> b, bool within) {
  std::vector<std::uint64_t> counts = got.histogram.counts(), want(counts.size());
  const auto bins = static_cast<double>(counts.size());
  double n = 0, sum = 0, sum_square = 0, max_abs = 0, on_edge = 0, moved = 0;
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = within ? i + 1 : 0; j < b.rows; ++j, ++n) {
      double c = 0;
      for (std::size_t k = 0; k < a.cols; ++k) c += static_cast<double>(a(i, k)) * b(j, k);
      sum += c;
      sum_square += c * c;
      max_abs = std::max(max_abs, std::abs(c));
      const double place = std::clamp((c + 1) / 2 * bins, 0.0, bins - 1e-9);
      on_edge += std::abs(place - std::round(place)) * 2 / bins < tolerance::cosine_float;
      ++want[static_cast<std::size_t>(place)];
    }
  for (std::size_t i = 0; i < counts.size(); ++i)
    moved += std::abs(static_cast<double>(counts[i]) - static_cast<double>(want[i]));
  BOOST_TEST(moved <= 2 * on_edge);
  BOOST_TEST(static_cast<double>(got.count) == n);
  BOOST_TEST(got.histogram.total() == got.count);
  BOOST_TEST(std::abs(got.sum - sum) < tolerance::cosine_float * n);
  BOOST_TEST(std::abs(got.sum_square - sum_square) < 2 * tolerance::cosine_float * n);
  BOOST_TEST(std::abs(got.max_abs - max_abs) < tolerance::cosine_float);
}

bool same(const CosineSummary& a, const CosineSummary& b) {
  return a.count == b.count && a.sum == b.sum && a.sum_square == b.sum_square && a.max_abs == b.max_abs &&
         a.histogram.counts() == b.histogram.counts();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cosines)

BOOST_AUTO_TEST_CASE(agree_with_a_plain_loop) {
  // Sizes beside and across the tiles of 256 and 512 rows.
  for (const auto& [m, n, d] :
       {std::array<std::size_t, 3>{1, 1, 3}, {257, 513, 33}, {600, 40, 64}, {3, 1100, 20}}) {
    const Matrix<float> a = unit_rows(made::normal<float>(m, d, 1)).rows;
    const Matrix<float> b = unit_rows(made::normal<float>(n, d, 2)).rows;
    compare(cosines_between(a, b, 100, 2), a, b, false);
    BOOST_TEST(max_abs_cosine_between(a, b, 1) == cosines_between(a, b, 7, 1).max_abs);
    if (m < 2) continue;
    compare(cosines_within(a, 64, 2), a, a, true);
    BOOST_TEST(max_abs_cosine_within(a, 1) == cosines_within(a, 7, 1).max_abs);
  }
}

BOOST_AUTO_TEST_CASE(the_number_of_threads_changes_nothing) {
  const Matrix<float> a = unit_rows(made::normal<float>(1500, 48, 3)).rows;
  const Matrix<float> b = unit_rows(made::normal<float>(700, 48, 4)).rows;
  const CosineSummary between = cosines_between(a, b, 500, 1), within = cosines_within(a, 500, 1);
  for (const std::size_t threads : {2U, 7U}) {
    BOOST_TEST(same(cosines_between(a, b, 500, threads), between));
    BOOST_TEST(same(cosines_within(a, 500, threads), within));
    BOOST_TEST(max_abs_cosine_within(a, threads) == within.max_abs);
  }
}

BOOST_AUTO_TEST_CASE(parallel_rows_stay_in_range) {
  const Matrix<float> one = unit_rows(made::normal<float>(1, 7, 5)).rows;
  Matrix<float> a = matrix<float>(300, 7);
  for (std::size_t i = 0; i < 300; ++i)
    for (std::size_t j = 0; j < 7; ++j) a(i, j) = (i % 2 == 0 ? 1.0F : -1.0F) * one(0, j) * 1.000001F;
  const CosineSummary all = cosines_within(a, 10, 1);
  BOOST_TEST(all.max_abs == 1.0);
  BOOST_TEST(all.histogram.overflow() + all.histogram.underflow() == 0U);
  BOOST_TEST(all.histogram.counts().front() == 150U * 150U);
  BOOST_TEST(all.histogram.counts().back() == 150U * 149U);
}

BOOST_AUTO_TEST_CASE(zero_rows_are_left_out) {
  Matrix<float> table = made::normal<float>(4, 5, 6);
  for (std::size_t j = 0; j < 5; ++j) table(1, j) = 0, table(2, j) *= 1e-38F, table(3, j) *= 1e37F;
  const UnitRows unit = unit_rows(table);
  BOOST_TEST(unit.kept == (std::vector<std::size_t>{0, 2, 3}));
  BOOST_REQUIRE(rows(unit.rows) == 3U);
  // 1e-38 times a normal is subnormal: few digits, still a direction.
  for (std::size_t i = 0; i < 3; ++i) {
    double square = 0;
    for (const float x : row(unit.rows, i)) square += static_cast<double>(x) * x;
    BOOST_TEST(std::abs(square - 1) < tolerance::cosine_float);
  }
  BOOST_TEST(rows(unit_rows(zeros<float>(3, 2)).rows) == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
