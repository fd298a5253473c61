#include "perp/measures/bilinear_optimum.hpp"

#include <cmath>
#include <deque>

#include "perp/base/expect.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/bilinear_factors.hpp"

namespace perp {
namespace {

using Numbers = std::vector<double>;

/// The residual as a function of the free entries x alone; with keep_power of their direction.
class Problem {
 public:
  Problem(const Matrix<double>& start, const BilinearTargets& targets, const Matrix<double>& free,
          const OptimumSettings& settings)
      : targets_(targets), settings_(settings), table_(start) {
    for (std::size_t i = 0; i < free.size(); ++i)
      if (free.data()[i] != 0) where_.push_back(i);
    require(!where_.empty(), "bilinear_optimum: no entry of the {} x {} table is free", rows(free),
            cols(free));
    power_ = std::sqrt(dot(start_values(), start_values()));
    require(!settings.keep_power || power_ > 0, "bilinear_optimum: free entries of power 0 cannot keep it");
  }

  Numbers start_values() const {
    Numbers x(where_.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = table_.data()[where_[i]];
    return x;
  }
  const Matrix<double>& table_at(const Numbers& x) {
    const double scale = settings_.keep_power ? power_ / std::sqrt(dot(x, x)) : 1.0;
    for (std::size_t i = 0; i < x.size(); ++i) table_.data()[where_[i]] = scale * x[i];
    return table_;
  }
  double operator()(const Numbers& x, Numbers& gradient) {
    const BilinearGradient at = bilinear_gradient(table_at(x), targets_, settings_.cutoff);
    gradient.resize(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) gradient[i] = at.gradient.data()[where_[i]];
    if (settings_.keep_power) {
      const double square = dot(x, x), radial = dot(gradient, x) / square, scale = power_ / std::sqrt(square);
      for (std::size_t i = 0; i < x.size(); ++i) gradient[i] = scale * (gradient[i] - radial * x[i]);
    }
    return at.residual;
  }

 private:
  const BilinearTargets& targets_;
  const OptimumSettings& settings_;
  Matrix<double> table_;
  std::vector<std::size_t> where_;
  double power_ = 0;
};

/// The last few steps and changes of the gradient, and the direction they suggest.
class Memory {
 public:
  void add(Numbers step, Numbers change) {
    const double curvature = dot(step, change);
    if (curvature <= 1e-12 * std::sqrt(dot(step, step) * dot(change, change))) return;
    pairs_.push_back({std::move(step), std::move(change), 1 / curvature});
    if (pairs_.size() > 12) pairs_.pop_front();
  }
  void clear() { pairs_.clear(); }
  /// -H g by the two-loop recursion; along -g, a tenth of |x| long, while nothing is known.
  Numbers direction(const Numbers& x, const Numbers& g) const {
    Numbers q = g;
    if (pairs_.empty()) {
      const double scale = 0.1 * std::sqrt(dot(x, x) / dot(g, g));
      for (double& v : q) v *= -scale;
      return q;
    }
    Numbers alpha(pairs_.size());
    for (std::size_t k = pairs_.size(); k-- > 0;) {
      alpha[k] = pairs_[k].weight * dot(pairs_[k].step, q);
      for (std::size_t i = 0; i < q.size(); ++i) q[i] -= alpha[k] * pairs_[k].change[i];
    }
    const Pair& last = pairs_.back();
    const double scale = 1 / (last.weight * dot(last.change, last.change));
    for (double& v : q) v *= scale;
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
      const double beta = pairs_[k].weight * dot(pairs_[k].change, q);
      for (std::size_t i = 0; i < q.size(); ++i) q[i] += (alpha[k] - beta) * pairs_[k].step[i];
    }
    for (double& v : q) v = -v;
    return q;
  }

 private:
  struct Pair {
    Numbers step, change;
    double weight;
  };
  std::deque<Pair> pairs_;
};

/// One accepted step of the descent, or false where none lowers the residual.
bool advance(Problem& problem, Memory& memory, Numbers& x, Numbers& g, double& value) {
  Numbers direction = memory.direction(x, g), trial(x.size()), gradient;
  double slope = dot(direction, g);
  if (!(slope < 0)) return false;
  for (double step = 1; step > 1e-6; step /= 2) {
    for (std::size_t i = 0; i < x.size(); ++i) trial[i] = x[i] + step * direction[i];
    const double reached = problem(trial, gradient);
    if (reached > value + 1e-4 * step * slope) continue;
    Numbers change(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      direction[i] *= step;
      change[i] = gradient[i] - g[i];
    }
    memory.add(std::move(direction), std::move(change));
    x = std::move(trial);
    g = std::move(gradient);
    value = reached;
    return true;
  }
  return false;
}

}  // namespace

BilinearGradient bilinear_gradient(const Matrix<double>& table, const BilinearTargets& targets,
                                   double cutoff) {
  const BilinearFactors f = bilinear_factors(table, targets, cutoff);
  const Matrix<double> reverse = product_tn(targets.whitened, f.u());
  Matrix<double> slope = product_nt(f.targeted, f.inside);
  const Matrix<double> other = product(reverse, f.inside);
  for (std::size_t i = 0; i < slope.size(); ++i) slope.data()[i] += other.data()[i];
  // Less its part inside the range: moving within the range changes nothing.
  const Matrix<double> own = product(f.u(), product_tn(f.u(), slope));
  for (std::size_t i = 0; i < rows(slope); ++i)
    for (std::size_t j = 0; j < f.rank; ++j)
      slope(i, j) = -2 * (slope(i, j) - own(i, j)) / (targets.energy * f.sums.values[j]);
  const Matrix<double> rows_of = product(slope, block(f.sums.right, 0, f.rank));
  return {1 - f.energy / targets.energy,
          whitened_rows_transposed(rows_of, targets.words, targets.positions, targets.of)};
}

BilinearOptimum bilinear_optimum(const Matrix<double>& start, const BilinearTargets& targets,
                                 const Matrix<double>& free, const OptimumSettings& settings) {
  expect(rows(start) == rows(free) && cols(start) == cols(free),
         "bilinear_optimum: a {} x {} table and {} x {} flags", rows(start), cols(start), rows(free),
         cols(free));
  Problem problem(start, targets, free, settings);
  Memory memory;
  Numbers x = problem.start_values(), g;
  BilinearOptimum result;
  double value = problem(x, g);
  result.path.push_back(value);
  constexpr std::size_t window = 5;
  while (result.path.size() <= settings.steps) {
    if (!advance(problem, memory, x, g, value)) {
      memory.clear();
      if (!advance(problem, memory, x, g, value)) break;
    }
    result.path.push_back(value);
    const std::size_t n = result.path.size();
    if (n > window && result.path[n - 1 - window] - value < settings.enough) break;
  }
  result.table = problem.table_at(x);
  return result;
}

}  // namespace perp
