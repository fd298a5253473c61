#include "perp/measures/bilinear.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "perp/measures/bilinear_factors.hpp"

namespace perp {
namespace {

/// K = RRᵀ restricted to the range of R: three groups of rows of A, each with one weight, and its trace.
struct Group {
  std::size_t first, last;
  double weight, trace;
};
std::vector<Group> groups_of(const BilinearTargets& t) {
  const double v = static_cast<double>(t.words), l = static_cast<double>(t.positions);
  const std::size_t n = t.words + t.positions;
  if (t.of == ScoreOf::parts) return {{0, t.words, 1, v}, {t.words, n, 1, l}};
  return {{0, t.words, l, l * (v - 1)}, {t.words, n, v, v * (l - 1)}, {n, n + 1, v + l, v + l}};
}

double expected_of(const BilinearFactors& f, const std::vector<Group>& groups) {
  double kept = 0, whole = 0;
  for (const Group& g : groups) {
    double length = 0;
    for (std::size_t i = g.first; i < g.last; ++i)
      for (const double x : f.u().row(i)) length += x * x;
    kept += g.weight * length;
    whole += g.trace;
  }
  const double share = std::min(kept / whole, 1.0);
  return (1 - share) * (1 + share);
}

double noise_gain_of(const BilinearFactors& f, std::size_t d) {
  double through = 0, length = 0;
  for (std::size_t i = 0; i < f.rank; ++i)
    for (std::size_t j = 0; j < f.rank; ++j) {
      const double si = f.sums.values[i], sj = f.sums.values[j];
      through += f.inside(i, j) * f.inside(i, j) * (1 / (si * si) + 1 / (sj * sj));
    }
  for (const double s : f.sums.values) length += s * s;
  return std::sqrt(through * length / (2 * static_cast<double>(d) * f.energy));
}

BilinearResidual residual_of(const BilinearFactors& f, const BilinearTargets& targets, std::size_t d) {
  return {f.rank, f.sums.values[f.rank - 1] / f.sums.values[0], std::max(0.0, 1 - f.energy / targets.energy),
          expected_of(f, groups_of(targets)), noise_gain_of(f, d)};
}

/// QΣ⁻¹ B Σ⁻¹Qᵀ.
Matrix<double> head_of(const BilinearFactors& f) {
  Matrix<double> scaled = matrix<double>(f.rank, f.rank);
  for (std::size_t i = 0; i < f.rank; ++i)
    for (std::size_t j = 0; j < f.rank; ++j)
      scaled(i, j) = f.inside(i, j) / f.sums.values[i] / f.sums.values[j];
  const View<double> q = block(f.sums.right, 0, f.rank);
  return product(product_tn(q, scaled), q);
}

/// Squares of X - ΠXΠ by job, X = RTRᵀ, over the targets' own. From ΠXΠ = U B Uᵀ and not from the matrix M
/// fitted, in which directions near the cutoff have lost up to its square in digits.
Jobs jobs_of(const BilinearFactors& f, const BilinearTargets& targets) {
  const Matrix<double> kept = product_nt(product(f.u(), f.inside), f.u());
  const std::size_t n = targets.words + targets.positions;
  Jobs jobs{};
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const double off = kept(i, j) - targets.whitened(i, j);
      jobs[2 * static_cast<std::size_t>(i >= targets.words) + (j >= targets.words)] += off * off;
    }
  for (std::size_t job = 0; job < jobs.size(); ++job)
    jobs[job] = targets.energies[job] > 0 ? jobs[job] / targets.energies[job] : 0.0;
  return jobs;
}

/// ‖AMAᵀ - RTRᵀ‖ over the targets' own: what M itself attains, rounding included.
double error_of(const Matrix<double>& a, const Matrix<double>& head, const BilinearTargets& targets) {
  const Matrix<double> scores = product_nt(product(a, head), a);
  double sum = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double off = scores.data()[i] - targets.whitened.data()[i];
    sum += off * off;
  }
  return std::sqrt(sum / targets.energy);
}

}  // namespace

BilinearFactors bilinear_factors(const Matrix<double>& table, const BilinearTargets& targets, double cutoff) {
  require(rows(table) == targets.words + targets.positions && cols(table) > 0,
          "bilinear fit: a {} x {} table for {} words and {} positions", rows(table), cols(table),
          targets.words, targets.positions);
  require(cutoff > 0 && cutoff < 1, "bilinear fit: a cutoff of {}, expected between 0 and 1", cutoff);
  BilinearFactors f;
  f.sums = singular_decomposition(whitened_rows(table, targets.words, targets.of));
  require(f.sums.values[0] > 0, "bilinear fit: every sum is 0");
  while (f.rank < f.sums.values.size() && f.sums.values[f.rank] > cutoff * f.sums.values[0]) ++f.rank;
  f.targeted = product(targets.whitened, f.u());
  f.inside = product_tn(f.u(), f.targeted);
  f.energy = sum_of_squares(f.inside);
  return f;
}

BilinearResidual bilinear_residual(const Matrix<double>& table, const BilinearTargets& targets,
                                   double cutoff) {
  return residual_of(bilinear_factors(table, targets, cutoff), targets, cols(table));
}

BilinearFit bilinear_fit(const Matrix<double>& table, const BilinearTargets& targets, double cutoff) {
  const BilinearFactors f = bilinear_factors(table, targets, cutoff);
  BilinearFit fit;
  static_cast<BilinearResidual&>(fit) = residual_of(f, targets, cols(table));
  fit.head = head_of(f);
  fit.error = error_of(whitened_rows(table, targets.words, targets.of), fit.head, targets);
  fit.by_job = jobs_of(f, targets);
  return fit;
}

}  // namespace perp
