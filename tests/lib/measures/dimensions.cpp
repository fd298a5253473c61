// Cosines, angles between subspaces and the fit of one matrix to scores of sums: against plain loops and what must
// hold; and that no measure knows the order of the dimensions: tables and weights in another order, the same numbers
// (claim Q1).

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/bilinear.hpp"
#include "perp/measures/cosines.hpp"
#include "perp/measures/kernel.hpp"
#include "perp/measures/rows.hpp"
#include "perp/measures/scores.hpp"
#include "perp/measures/spectrum.hpp"
#include "perp/measures/subspaces.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"
#include "tests/lib/measures/made.hpp"
#include "tests/tolerance.hpp"

using namespace perp;

BOOST_AUTO_TEST_SUITE(cosines)

namespace {

/// Against a plain loop in float64. Cosines closer to a bin's edge than the bound may change their bin.
void compare(const CosineSummary& got, View<float> a, View<float> b) {
  std::vector<std::uint64_t> counts = got.histogram.counts(), want(counts.size());
  const auto bins = static_cast<double>(counts.size());
  double n = 0, sum = 0, sum_square = 0, max_abs = 0, on_edge = 0, moved = 0;
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < b.rows; ++j, ++n) {
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

BOOST_AUTO_TEST_CASE(agree_with_a_plain_loop) {
  // Sizes beside and across the tiles of 256 and 512 rows.
  for (const auto& [m, n, d] :
       {std::array<std::size_t, 3>{1, 1, 3}, {257, 513, 33}, {600, 40, 64}, {3, 1100, 20}}) {
    const Matrix<float> a = unit_rows(made::normal<float>(m, d, 1)).rows;
    const Matrix<float> b = unit_rows(made::normal<float>(n, d, 2)).rows;
    compare(cosines_between(a, b, 100, 2), a, b);
  }
}

BOOST_AUTO_TEST_CASE(the_number_of_threads_changes_nothing) {
  const Matrix<float> a = unit_rows(made::normal<float>(1500, 48, 3)).rows;
  const Matrix<float> b = unit_rows(made::normal<float>(700, 48, 4)).rows;
  const CosineSummary between = cosines_between(a, b, 500, 1);
  for (const std::size_t threads : {2U, 7U}) BOOST_TEST(same(cosines_between(a, b, 500, threads), between));
}

BOOST_AUTO_TEST_CASE(parallel_rows_stay_in_range) {
  const Matrix<float> one = unit_rows(made::normal<float>(1, 7, 5)).rows;
  Matrix<float> a = matrix<float>(300, 7);
  for (std::size_t i = 0; i < 300; ++i)
    for (std::size_t j = 0; j < 7; ++j) a(i, j) = (i % 2 == 0 ? 1.0F : -1.0F) * one(0, j) * 1.000001F;
  const CosineSummary all = cosines_between(a, a, 10, 1);
  BOOST_TEST(all.max_abs == 1.0);
  BOOST_TEST(all.histogram.counts().front() == 2 * 150U * 150U);
  BOOST_TEST(all.histogram.counts().back() == 2 * 150U * 150U);
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

BOOST_AUTO_TEST_SUITE(angles)

namespace {

template <class T>
std::vector<double> by_qr(const Matrix<T>& a, const Matrix<T>& b) {
  const std::vector<T> s = singular_values(product_nt(orthonormal_rows(a), orthonormal_rows(b)));
  return {s.begin(), s.end()};
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(constructed_angles_come_back, T, made::Both) {
  // In a random frame, behind mixed rows; b has five directions more.
  const std::vector<double> angle = {0, 1e-3, 0.4, 1.0, 1.5, std::acos(0.0)};
  constexpr std::size_t d = 40, k = 6, r = 11;
  const Matrix<double> frame = orthonormal_rows(made::normal<double>(d, d, 77));
  Matrix<double> turned = matrix<double>(r, d);
  for (std::size_t i = 0; i < r; ++i)
    for (std::size_t j = 0; j < d; ++j)
      turned(i, j) =
          i < k ? std::cos(angle[i]) * frame(i, j) + std::sin(angle[i]) * frame(k + i, j) : frame(k + i, j);
  const auto a = converted<T>(product(made::normal<double>(k, k, 78), block(frame, 0, k))),
             b = converted<T>(product(made::normal<double>(r, r, 79), turned));
  const std::vector<double> got = principal_cosines(a, b), other_way = principal_cosines(b, a);
  BOOST_REQUIRE(got.size() == k);
  BOOST_TEST(made::worst_difference(other_way, got) < tolerance::principal_cosine<T>);
  BOOST_TEST((std::is_sorted(got.rbegin(), got.rend()) && got[0] <= 1.0));
  for (std::size_t i = 0; i < k; ++i)
    BOOST_TEST(std::abs(got[i] - std::cos(angle[i])) < tolerance::principal_cosine<T>);
  for (const double c : principal_cosines(a, a)) BOOST_TEST(std::abs(c - 1) < tolerance::principal_cosine<T>);
}

BOOST_AUTO_TEST_CASE(lags_whose_scores_fall_are_in_order_and_ties_are_not) {
  // Of the lags 1 to 4: 1 and 2 tie, 4 lies above 3, the other four pairs fall.
  const std::vector<double> kernel{9, 3, 3, 1, 2};
  BOOST_TEST(ordered_share(kernel, kernel.size()) == 4. / 6);
}

BOOST_AUTO_TEST_CASE(nearly_dependent_rows_take_the_careful_way) {
  // Row 2 is row 0 + row 1 but for 1e-6: a condition of some 1e7, whose square Cholesky would lose.
  const Matrix<double> clean = made::normal<double>(3, 20, 8), b = made::normal<double>(5, 20, 9);
  Matrix<double> close = clean, closer = clean;
  for (std::size_t j = 0; j < 20; ++j) {
    close(2, j) = clean(0, j) + clean(1, j) + 1e-6 * clean(2, j);
    closer(2, j) = clean(0, j) + 1e-3 * clean(2, j);
  }
  BOOST_TEST(made::worst_difference(principal_cosines(close, b), principal_cosines(clean, b)) <
             tolerance::principal_cosine_close);
  const Matrix<float> close_f = converted<float>(closer), b_f = converted<float>(b);
  BOOST_TEST(made::worst_difference(principal_cosines(close_f, b_f), by_qr(close_f, b_f)) <
             tolerance::principal_cosine<float>);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(nested_subspaces_agree_one_by_one, T, made::Both) {
  const std::size_t d = 48;
  const Matrix<T> a = complete_basis(made::normal<T>(d, d, 20)),
                  b = complete_basis(made::normal<T>(d, d, 21));
  const std::vector<std::size_t> ks = {1, 8, 24, 40, 48}, rs = {3, 24, 30, 48};
  const std::vector<std::vector<double>> all = principal_cosines_nested<T>(a, b, ks, rs);
  BOOST_REQUIRE(all.size() == ks.size() * rs.size());
  for (std::size_t i = 0; i < ks.size(); ++i)
    for (std::size_t j = 0; j < rs.size(); ++j) {
      const std::vector<double>&got = all[i * rs.size() + j],
            want = by_qr(leading_rows(a, ks[i]), leading_rows(b, rs[j]));
      BOOST_TEST(got.size() == want.size());
      BOOST_TEST(made::worst_difference(got, want) < tolerance::principal_cosine<T>);
      for (std::size_t l = 0; l + d < ks[i] + rs[j]; ++l) BOOST_TEST(got[l] == 1.0);
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(measures_bilinear)

BOOST_AUTO_TEST_CASE(the_boundary_of_exactness) {
  // Eleven words and seven positions make sums that span 17 dimensions, whatever the targets.
  for (std::size_t d = 15; d <= 20; ++d) {
    const Matrix<double> table = made::normal<double>(18, d, 30 + d);
    const BilinearTargets targets = bilinear_targets(made::normal<double>(18, 18, 60 + d), 11);
    const BilinearFit fit = bilinear_fit(table, targets);
    const Matrix<double> sums = whitened_rows(table, 11), scores = product_nt(product(sums, fit.head), sums);
    double off = 0;
    for (std::size_t i = 0; i < scores.size(); ++i)
      off += std::pow(scores.data()[i] - targets.whitened.data()[i], 2);
    BOOST_TEST((std::sqrt(off / targets.energy) < 1e-8) == (d >= 17), "d = " << d);
    BOOST_TEST(std::abs(off / targets.energy - fit.residual) < tolerance::bilinear);
    BOOST_TEST(fit.rank == std::min<std::size_t>(d, 17));
  }
}

BOOST_AUTO_TEST_CASE(the_cutoff_decides_what_counts) {
  const BilinearTargets targets = bilinear_targets(made::normal<double>(12, 12, 2), 7);
  const auto fit = [&](double small) {
    Matrix<double> table = made::normal<double>(12, 4, 1);
    for (std::size_t i = 0; i < 12; ++i) table(i, 3) *= small;
    return bilinear_fit(table, targets);
  };
  BOOST_TEST((fit(1e-7).rank == 3 && fit(1e-5).rank == 4));
  BOOST_TEST(fit(1e-5).residual < fit(1e-7).residual);
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

struct Tables {
  Matrix<double> words, positions, m;
};
using Numbers = std::vector<double>;

Matrix<float> directions(const Matrix<double>& table) { return unit_rows(converted<float>(table)).rows; }

Matrix<double> few_rows(const Matrix<double>& table) {
  Matrix<double> out = matrix<double>(3, cols(table));
  for (std::size_t i = 0; i < 3; ++i) std::ranges::copy(row(table, 9 * i), row(out, i).begin());
  return out;
}

struct Measure {
  const char* name;
  double within;  ///< of the numbers' sizes, some units of rounding: 1e-5 in float32
  bool reads_words, reads_m;
  std::function<Numbers(const Tables&)> read;
};

const std::vector<Measure>& measures() {
  static const std::vector<Measure> all{
      {"cosines", 1e-5, true, false,
       [](const Tables& t) {
         const CosineSummary c = cosines_between(directions(t.words), directions(t.positions), 64, 1);
         return Numbers{c.mean(), c.mean_square(), c.max_abs};
       }},
      {"overlap", 1e-5, true, false,
       [](const Tables& t) {
         return Numbers{table_overlap(directions(t.words), directions(t.positions)).mean_square};
       }},
      {"spectrum", 1e-12, false, false,
       [](const Tables& t) { return spectrum(t.positions, Centring::centred); }},
      {"angles", 1e-10, true, false,
       [](const Tables& t) { return principal_cosines(few_rows(t.words), few_rows(t.positions)); }},
      {"energy", 1e-5, true, false,
       [](const Tables& t) {
         return energy_inside(converted<float>(t.words),
                              converted<float>(orthonormal_rows(few_rows(t.positions))));
       }},
      {"kernel", 1e-12, false, false, [](const Tables& t) { return lag_statistics(t.positions, 1).mean; }},
      {"kernel after LayerNorm", 1e-12, false, false,
       [](const Tables& t) { return lag_statistics(layer_norm(t.positions), 1).mean; }},
      {"scores", 1e-10, false, true, [](const Tables& t) {
         const LagStatistics lags = lag_statistics(product(t.positions, t.m), t.positions, 1);
         return Numbers{toeplitz_r2(lags), toeplitz_defect(lags)};
       }}};
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(measures_dimensions)

BOOST_AUTO_TEST_CASE(no_measure_knows_their_order) {
  const std::size_t d = 16;
  const Tables own{made::normal<double>(31, d, 1), sinusoidal<double>(31, d, 100),
                   made::normal<double>(d, d, 2)};
  std::vector<std::size_t> moved(d);  // no pair stays a pair, and no dimension where it was
  for (std::size_t i = 0; i < d; ++i) moved[i] = (i + 1) % d;
  for (const auto& order : {layout_permutation(d, Layout::half_split), moved}) {
    const Tables all{reorder_columns(own.words, order), reorder_columns(own.positions, order),
                     reorder_rows(reorder_columns(own.m, order), order)};
    for (const Measure& measure : measures()) {
      const Numbers before = measure.read(own);
      const auto off = [&](const Tables& tables) {
        return made::worst_difference(before, measure.read(tables));
      };
      BOOST_TEST(off(all) < measure.within * 16, measure.name);
      // Were it blind, that would say nothing: what is left behind moves those that read it.
      BOOST_TEST((off({own.words, all.positions, all.m}) > 2e-4) == measure.reads_words, measure.name);
      BOOST_TEST((off({all.words, all.positions, own.m}) > 2e-4) == measure.reads_m, measure.name);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
