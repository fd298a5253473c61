// The fit of one matrix to scores of sums, against the pairs themselves.

#include "perp/measures/bilinear.hpp"

#include <boost/test/unit_test.hpp>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/bilinear_optimum.hpp"
#include "perp/theory/bilinear.hpp"
#include "tests/measures/made.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using made::refused;
namespace tolerance = perp::tolerance;

namespace {

using Long = std::vector<long double>;

/// Solves a·x = b by elimination with pivots; a is n x n.
Long solved(Long a, Long b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(a[i * n + k]) > std::abs(a[pivot * n + k])) pivot = i;
    for (std::size_t j = 0; j < n; ++j) std::swap(a[k * n + j], a[pivot * n + j]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const long double f = a[i * n + k] / a[k * n + k];
      for (std::size_t j = k; j < n; ++j) a[i * n + j] -= f * a[k * n + j];
      b[i] -= f * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k * n + j] * b[j];
    b[k] /= a[k * n + k];
  }
  return b;
}

/// Every sum, VL x d, and every score, VL x VL: what the library never forms.
Matrix<double> all_sums(const Matrix<double>& table, std::size_t words) {
  const std::size_t positions = rows(table) - words;
  Matrix<double> y = matrix<double>(words * positions, cols(table));
  for (std::size_t i = 0; i < rows(y); ++i)
    for (std::size_t j = 0; j < cols(y); ++j)
      y(i, j) = table(i / positions, j) + table(words + i % positions, j);
  return y;
}
Matrix<double> all_scores(const Matrix<double>& t, std::size_t words) {
  const std::size_t positions = rows(t) - words, n = words * positions;
  Matrix<double> s = matrix<double>(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const std::size_t w = i / positions, p = words + i % positions, v = j / positions,
                        q = words + j % positions;
      s(i, j) = t(w, v) + t(w, q) + t(p, v) + t(p, q);
    }
  return s;
}

/// Least squares over all pairs by normal equations in long double: d² unknowns.
Long normal_equations(const Matrix<double>& y, const Matrix<double>& s) {
  const std::size_t d = cols(y), m = d * d;
  Long gram(d * d, 0), a(m * m), b(m, 0);
  for (std::size_t i = 0; i < rows(y); ++i)
    for (std::size_t p = 0; p < d; ++p)
      for (std::size_t q = 0; q < d; ++q) gram[p * d + q] += static_cast<long double>(y(i, p)) * y(i, q);
  for (std::size_t p = 0; p < m; ++p)
    for (std::size_t q = 0; q < m; ++q) a[p * m + q] = gram[(p / d) * d + q / d] * gram[(p % d) * d + q % d];
  for (std::size_t i = 0; i < rows(y); ++i)
    for (std::size_t j = 0; j < rows(y); ++j)
      for (std::size_t p = 0; p < m; ++p)
        b[p] += static_cast<long double>(s(i, j)) * y(i, p / d) * y(j, p % d);
  return solved(std::move(a), std::move(b));
}

/// Share of the scores' energy that M leaves, pair by pair.
double left_over(const Matrix<double>& y, const Matrix<double>& s, const Matrix<double>& m) {
  const Matrix<double> fitted = product_nt(product(y, m), y);
  double off = 0, all = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    off += std::pow(fitted.data()[i] - s.data()[i], 2);
    all += s.data()[i] * s.data()[i];
  }
  return off / all;
}

struct Case {
  std::size_t words = 7, positions = 5, d = 4;
  Matrix<double> table = made::normal<double>(12, 4, 1), targets = made::normal<double>(12, 12, 2);
  Matrix<double> y = all_sums(table, words), s = all_scores(targets, words);
};

}  // namespace

BOOST_AUTO_TEST_SUITE(measures_bilinear)

BOOST_AUTO_TEST_CASE(least_squares_over_all_pairs) {
  const Case c;
  const BilinearFit fit = bilinear_fit(c.table, bilinear_targets(c.targets, c.words));
  const Long expected = normal_equations(c.y, c.s);
  double worst = 0;
  for (std::size_t i = 0; i < expected.size(); ++i)
    worst = std::max(worst, std::abs(fit.head.data()[i] - static_cast<double>(expected[i])));
  BOOST_TEST(worst < tolerance::bilinear);
  BOOST_TEST(std::abs(fit.residual - left_over(c.y, c.s, fit.head)) < tolerance::bilinear);
  BOOST_TEST(std::abs(fit.error * fit.error - fit.residual) < tolerance::bilinear);
  BOOST_TEST(fit.rank == 4U);
}

BOOST_AUTO_TEST_CASE(whitened_rows_keep_every_product) {
  const Case c;
  const Matrix<double> a = whitened_rows(c.table, c.words);
  const Matrix<double> small = gram_columns(a), large = gram_columns(c.y);
  const BilinearTargets targets = bilinear_targets(c.targets, c.words);
  double all = 0;
  for (std::size_t i = 0; i < c.s.size(); ++i) all += c.s.data()[i] * c.s.data()[i];
  for (std::size_t i = 0; i < small.size(); ++i)
    BOOST_TEST(std::abs(small.data()[i] - large.data()[i]) < tolerance::bilinear * 100);
  BOOST_TEST(std::abs(targets.energy / all - 1) < tolerance::bilinear);
  // <R z, g> = <z, Rᵀ g>.
  const Matrix<double> g = made::normal<double>(13, 4, 3);
  const Matrix<double> back = whitened_rows_transposed(g, c.words, c.positions);
  double left = 0, right = 0;
  for (std::size_t i = 0; i < g.size(); ++i) left += a.data()[i] * g.data()[i];
  for (std::size_t i = 0; i < back.size(); ++i) right += c.table.data()[i] * back.data()[i];
  BOOST_TEST(std::abs(left - right) < tolerance::bilinear * 100);
}

BOOST_AUTO_TEST_CASE(jobs_are_the_parts_that_depend_on_both_sides) {
  const Case c;
  const BilinearFit fit = bilinear_fit(c.table, bilinear_targets(c.targets, c.words));
  // The word-word part of any table over pairs: averaged over positions, less its row and column means.
  const Matrix<double> fitted = product_nt(product(c.y, fit.head), c.y);
  const auto part = [&](const Matrix<double>& m, bool left, bool right) {
    const std::size_t nl = left ? c.positions : c.words, nr = right ? c.positions : c.words;
    const double share = static_cast<double>(nl * nr) / static_cast<double>(m.size());
    Matrix<double> out = zeros<double>(nl, nr);
    for (std::size_t i = 0; i < rows(m); ++i)
      for (std::size_t j = 0; j < cols(m); ++j)
        out(left ? i % c.positions : i / c.positions, right ? j % c.positions : j / c.positions) +=
            share * m(i, j);
    for (int side = 0; side < 2; ++side) {
      for (std::size_t i = 0; i < rows(out); ++i) {
        double mean = 0;
        for (std::size_t j = 0; j < cols(out); ++j) mean += out(i, j) / static_cast<double>(cols(out));
        for (std::size_t j = 0; j < cols(out); ++j) out(i, j) -= mean;
      }
      out = transposed(out);
    }
    return out;
  };
  for (const Job job : {word_word, word_position, position_word, position_position}) {
    const bool left = job == position_word || job == position_position,
               right = job == word_position || job == position_position;
    const Matrix<double> got = part(fitted, left, right), want = part(c.s, left, right);
    double off = 0, all = 0;
    for (std::size_t i = 0; i < want.size(); ++i) {
      off += std::pow(got.data()[i] - want.data()[i], 2);
      all += want.data()[i] * want.data()[i];
    }
    BOOST_TEST(std::abs(fit.by_job[job] - off / all) < tolerance::bilinear, "job " << job);
  }
}

BOOST_AUTO_TEST_CASE(noise_gain_by_derivative) {
  const Case c;
  const BilinearFit fit = bilinear_fit(c.table, bilinear_targets(c.targets, c.words));
  // Mean square of yᵀMε + εᵀMy′ over pairs for unit noise: |Mᵀy|² and |My′|².
  double moved = 0, score = 0, length = 0;
  const Matrix<double> left = product(c.y, fit.head), right = product_nt(c.y, fit.head);
  const Matrix<double> fitted = product_nt(left, c.y);
  const double n = static_cast<double>(rows(c.y));
  for (std::size_t i = 0; i < left.size(); ++i)
    moved += (std::pow(left.data()[i], 2) + std::pow(right.data()[i], 2)) / n;
  for (std::size_t i = 0; i < fitted.size(); ++i) score += std::pow(fitted.data()[i], 2) / (n * n);
  for (std::size_t i = 0; i < c.y.size(); ++i) length += std::pow(c.y.data()[i], 2) / n;
  const double expected = std::sqrt(moved / score * length / (2 * static_cast<double>(c.d)));
  BOOST_TEST(std::abs(fit.noise_gain / expected - 1) < tolerance::bilinear);
}

BOOST_AUTO_TEST_CASE(orthonormal_parts_amplify_by_one) {
  const Matrix<double> eye = [] {
    Matrix<double> m = zeros<double>(8, 8);
    for (std::size_t i = 0; i < 8; ++i) m(i, i) = 3;
    return m;
  }();
  const BilinearFit fit =
      bilinear_fit(eye, bilinear_targets(made::normal<double>(8, 8, 9), 5, ScoreOf::parts));
  BOOST_TEST(std::abs(fit.noise_gain - 1) < tolerance::bilinear);
  BOOST_TEST(fit.error < tolerance::bilinear);
}

BOOST_AUTO_TEST_CASE(narrow_heads_are_the_best_of_their_rank) {
  const Case c;
  const BilinearTargets targets = bilinear_targets(c.targets, c.words);
  const BilinearFit fit = bilinear_fit(c.table, targets);
  for (std::size_t rank = 0; rank <= 4; ++rank) {
    const Matrix<double> head = bilinear_head(c.table, targets, rank);
    BOOST_TEST(std::abs(left_over(c.y, c.s, head) - fit.residual_of_rank(rank)) < tolerance::bilinear);
    BOOST_TEST(singular_values(head)[std::min<std::size_t>(rank, 3)] <
               (rank < 4 ? tolerance::bilinear : 1e9));
  }
  // Brute force at rank 1: M = a bᵀ, alternating least squares over all pairs from many starts.
  const Matrix<double> gram = gram_columns(c.y);
  const Matrix<double> cross = product(product_tn(c.y, c.s), c.y);
  const auto half = [&](const Matrix<double>& m, const Long& fixed) {  // minimises over the other factor
    Long right(4, 0), a(16);
    long double scale = 0;
    for (std::size_t p = 0; p < 4; ++p)
      for (std::size_t q = 0; q < 4; ++q) {
        right[p] += static_cast<long double>(m(p, q)) * fixed[q];
        scale += fixed[p] * gram(p, q) * fixed[q];
        a[p * 4 + q] = gram(p, q);
      }
    for (long double& x : a) x *= scale;
    return solved(a, right);
  };
  double best = 1;
  for (std::uint64_t start = 0; start < 10; ++start) {
    const Matrix<double> first = made::normal<double>(1, 4, 20 + start);
    Long b(first.data(), first.data() + 4), a;
    for (int i = 0; i < 300; ++i) {
      a = half(cross, b);
      b = half(transposed(cross), a);
    }
    Matrix<double> head = matrix<double>(4, 4);
    for (std::size_t p = 0; p < 4; ++p)
      for (std::size_t q = 0; q < 4; ++q) head(p, q) = static_cast<double>(a[p] * b[q]);
    best = std::min(best, left_over(c.y, c.s, head));
  }
  BOOST_TEST(std::abs(best - fit.residual_of_rank(1)) < 1e-9);
}

BOOST_AUTO_TEST_CASE(expected_residual_over_targets) {
  const std::size_t words = 40, positions = 12, n = words + positions, draws = 400;
  const Matrix<double> table = made::normal<double>(n, 20, 5);
  double residual = 0, expected = 0;
  Jobs jobs{}, expected_jobs{};
  for (std::uint64_t i = 0; i < draws; ++i) {
    const BilinearFit fit =
        bilinear_fit(table, bilinear_targets(made::normal<double>(n, n, 1000 + i), words));
    residual += fit.residual / static_cast<double>(draws);
    expected = fit.expected;
    for (std::size_t j = 0; j < 4; ++j) jobs[j] += fit.by_job[j] / static_cast<double>(draws);
    expected_jobs = fit.expected_by_job;
  }
  // sd of one draw about .02: six standard errors of 400 draws, and the ratio's bias, below 1e-3.
  BOOST_TEST(std::abs(residual - expected) < .007);
  for (std::size_t j = 0; j < 4; ++j) BOOST_TEST(std::abs(jobs[j] - expected_jobs[j]) < .02, "job " << j);
  BOOST_TEST(std::abs(expected - theory::added_residual(words, positions, 20, 1)) < .03);
}

BOOST_AUTO_TEST_CASE(the_boundary_of_exactness) {
  for (std::size_t d = 15; d <= 20; ++d) {
    const Matrix<double> table = made::normal<double>(18, d, 30 + d),
                         targets = made::normal<double>(18, 18, 60 + d);
    const BilinearFit sums = bilinear_fit(table, bilinear_targets(targets, 11)),
                      parts = bilinear_fit(table, bilinear_targets(targets, 11, ScoreOf::parts));
    BOOST_TEST((sums.error < 1e-8) == (d >= theory::exact_dimension(11, 7)), "d = " << d);
    BOOST_TEST((parts.error < 1e-8) == (d >= theory::exact_dimension(11, 7, theory::Match::parts)),
               "d = " << d);
    BOOST_TEST(sums.rank == std::min<std::size_t>(d, 17));
    BOOST_TEST(parts.rank == std::min<std::size_t>(d, 18));
  }
}

BOOST_AUTO_TEST_CASE(known_residuals) {
  // V = 33 words and L = 33 random positions in 64 dimensions leave .031; one fewer, nothing.
  const auto residual = [](std::size_t words, std::size_t positions) {
    return bilinear_fit(
        made::normal<double>(words + positions, 64, 40),
        bilinear_targets(made::normal<double>(words + positions, words + positions, 41), words));
  };
  // One of 65 directions is lost, about 130 targets: sd .004.
  BOOST_TEST(std::abs(residual(33, 33).residual - .031) < .016);
  BOOST_TEST(residual(32, 32).error < 1e-10);
  // 300 and 32: .854 adding.
  BOOST_TEST(std::abs(residual(300, 32).residual - .854) < .012);
}

BOOST_AUTO_TEST_CASE(the_cutoff_decides_what_counts) {
  Matrix<double> table = made::normal<double>(12, 4, 1);
  for (std::size_t i = 0; i < 12; ++i) table(i, 3) *= 1e-7;
  const BilinearTargets targets = bilinear_targets(made::normal<double>(12, 12, 2), 7);
  BOOST_TEST(bilinear_residual(table, targets, 1e-6).rank == 3U);
  BOOST_TEST(bilinear_residual(table, targets, 1e-9).rank == 4U);
  BOOST_TEST(bilinear_residual(table, targets, 1e-9).residual <
             bilinear_residual(table, targets, 1e-6).residual);
  BOOST_TEST(bilinear_residual(table, targets, 1e-9).noise_gain > 1e5);
}

// Pythagoras: where the four blocks are matched one by one, their residuals add up to the whole. From the
// matrix fitted they would not: a singular value of 1e-8, in a direction of no column, goes into it inverted
// and twice.
BOOST_AUTO_TEST_CASE(jobs_add_up_near_the_cutoff) {
  Matrix<double> table = made::normal<double>(12, 4, 1);
  for (std::size_t i = 0; i < 12; ++i) table(i, 3) *= 1e-8;
  table = product(table, orthonormal_rows(made::normal<double>(4, 4, 3)));
  const BilinearTargets targets = bilinear_targets(made::normal<double>(12, 12, 2), 7, ScoreOf::parts);
  const BilinearFit fit = bilinear_fit(table, targets, 1e-9);
  BOOST_REQUIRE(fit.rank == 4U);
  double sum = 0;
  for (std::size_t job = 0; job < fit.by_job.size(); ++job) sum += fit.by_job[job] * targets.energies[job];
  BOOST_TEST(std::abs(sum / targets.energy - fit.residual) < tolerance::bilinear);
}

BOOST_AUTO_TEST_CASE(refusals) {
  const Matrix<double> table = made::normal<double>(5, 3, 1), targets = made::normal<double>(5, 5, 2);
  const BilinearTargets good = bilinear_targets(targets, 3);
  Matrix<double> bad = targets;
  bad(2, 3) = std::nan("");
  BOOST_TEST(refused([&] { bilinear_targets(bad, 3); }, "entry (2, 3)"));
  BOOST_TEST(refused([&] { bilinear_targets(table, 3); }, "5 x 3 targets"));
  BOOST_TEST(refused([&] { bilinear_targets(targets, 5); }, "5 words and 0 positions"));
  BOOST_TEST(refused([&] { bilinear_targets(zeros<double>(5, 5), 3); }, "all sums are 0"));
  BOOST_TEST(refused([&] { bilinear_fit(made::normal<double>(4, 3, 1), good); }, "4 x 3 table"));
  BOOST_TEST(refused([&] { bilinear_fit(zeros<double>(5, 3), good); }, "every sum is 0"));
  BOOST_TEST(refused([&] { bilinear_fit(table, good, 0); }, "cutoff of 0"));
  BOOST_TEST(refused([&] { bilinear_fit(table, good).residual_of_rank(4); }, "rank 4"));
  BOOST_TEST(refused([&] { whitened_rows(table, 0); }, "0 words"));
  BOOST_TEST(refused([&] { whitened_rows_transposed(table, 3, 3); }, "3 words and 3 positions"));
  BOOST_TEST(refused([&] { bilinear_optimum(table, good, zeros<double>(5, 3)); }, "no entry"));
  BOOST_TEST(refused([&] { bilinear_optimum(table, good, zeros<double>(5, 2)); }, "5 x 2 flags"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(measures_bilinear_optimum)

BOOST_AUTO_TEST_CASE(gradient_by_finite_differences) {
  for (const ScoreOf of : {ScoreOf::sums, ScoreOf::parts}) {
    Matrix<double> table = made::normal<double>(12, 4, 7);
    const BilinearTargets targets = bilinear_targets(made::normal<double>(12, 12, 8), 7, of);
    const BilinearGradient at = bilinear_gradient(table, targets);
    BOOST_TEST(std::abs(at.residual - bilinear_residual(table, targets).residual) < tolerance::bilinear);
    for (std::size_t i = 0; i < table.size(); ++i) {
      constexpr double h = 1e-5;
      const double kept = table.data()[i];
      table.data()[i] = kept + h;
      const double up = bilinear_residual(table, targets).residual;
      table.data()[i] = kept - h;
      const double down = bilinear_residual(table, targets).residual;
      table.data()[i] = kept;
      // Truncation h² = 1e-10, rounding u/h = 1e-11.
      BOOST_TEST(std::abs(at.gradient.data()[i] - (up - down) / (2 * h)) < 1e-8, "entry " << i);
    }
  }
}

BOOST_AUTO_TEST_CASE(descents_never_rise_and_move_only_what_is_free) {
  const Matrix<double> table = made::normal<double>(26, 8, 7);
  const BilinearTargets targets = bilinear_targets(made::normal<double>(26, 26, 8), 20);
  Matrix<double> free = zeros<double>(26, 8);
  for (std::size_t i = 20; i < 26; ++i)
    for (std::size_t j = 0; j < 8; ++j) free(i, j) = 1;
  const BilinearOptimum end = bilinear_optimum(table, targets, free, {.steps = 60, .keep_power = true});
  for (std::size_t i = 1; i < end.path.size(); ++i) BOOST_TEST(end.path[i] <= end.path[i - 1]);
  BOOST_TEST(end.path.front() == bilinear_gradient(table, targets).residual);
  BOOST_TEST(end.residual() < end.path.front() - .01);
  BOOST_TEST(std::abs(bilinear_residual(end.table, targets).residual - end.residual()) < tolerance::bilinear);
  double before = 0, after = 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (free.data()[i] == 0) BOOST_TEST(end.table.data()[i] == table.data()[i]);
    if (free.data()[i] == 0) continue;
    before += std::pow(table.data()[i], 2);
    after += std::pow(end.table.data()[i], 2);
  }
  BOOST_TEST(std::abs(after / before - 1) < tolerance::bilinear);
}

BOOST_AUTO_TEST_CASE(kept_power_ends_where_the_gradient_is_radial) {
  const Matrix<double> table = made::normal<double>(26, 8, 7);
  const BilinearTargets targets = bilinear_targets(made::normal<double>(26, 26, 8), 20);
  Matrix<double> free = zeros<double>(26, 8);
  for (std::size_t i = 160; i < free.size(); ++i) free.data()[i] = 1;
  const auto tangential = [&](const Matrix<double>& at) {
    const Matrix<double> g = bilinear_gradient(at, targets).gradient;
    double radial = 0, square = 0, sum = 0;
    for (std::size_t i = 160; i < g.size(); ++i) {
      radial += g.data()[i] * at.data()[i];
      square += at.data()[i] * at.data()[i];
    }
    for (std::size_t i = 160; i < g.size(); ++i)
      sum += std::pow(g.data()[i] - radial / square * at.data()[i], 2);
    return std::sqrt(sum);
  };
  const BilinearOptimum end =
      bilinear_optimum(table, targets, free, {.steps = 600, .keep_power = true, .enough = 1e-13});
  BOOST_TEST(tangential(end.table) < 1e-4 * tangential(table));
}

BOOST_AUTO_TEST_CASE(an_optimum_is_stationary_and_as_good_as_subspaces_go) {
  // Targets of rank 4 that lie in the range of some table: a residual of 0 exists, and is found.
  const Matrix<double> hidden = made::normal<double>(20, 4, 3), head = made::normal<double>(4, 4, 4);
  const BilinearTargets targets = bilinear_targets(product_nt(product(hidden, head), hidden), 14);
  Matrix<double> free = zeros<double>(20, 4);
  for (double& x : free) x = 1;
  Matrix<double> start = hidden;
  const Matrix<double> off = made::normal<double>(20, 4, 5);
  for (std::size_t i = 0; i < start.size(); ++i) start.data()[i] += .3 * off.data()[i];
  const BilinearOptimum end = bilinear_optimum(start, targets, free, {.steps = 300, .enough = 1e-14});
  BOOST_TEST(end.path.front() > .02);
  BOOST_TEST(end.residual() < 1e-8);
}

BOOST_AUTO_TEST_SUITE_END()
