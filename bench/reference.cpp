#include "bench/reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "perp/random/draws.hpp"

namespace perp::bench {
namespace {

/// Signs and not normal numbers: no element of a matrix is met by a small one and hidden.
std::vector<double> random_vector(std::size_t size, std::uint64_t which) {
  std::vector<float> signs(size);
  fill_signs(stream(7, "bench", "reference", which, "vector"), signs);
  return {signs.begin(), signs.end()};
}
constexpr std::uint64_t vectors = 2;  // what two wrong elements do may cancel once

/// A B and |A||B| by plain loops.
struct InFull {
  std::vector<double> value, size;
};
InFull multiply(std::size_t m, std::size_t n, std::size_t k, const At& a, const At& b) {
  InFull full{std::vector<double>(m * n), std::vector<double>(m * n, std::numeric_limits<double>::min())};
  std::vector<double> right(k * n);
  for (std::size_t l = 0; l < k; ++l)
    for (std::size_t j = 0; j < n; ++j) right[l * n + j] = b(l, j);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t l = 0; l < k; ++l) {
      const double left = a(i, l);
      for (std::size_t j = 0; j < n; ++j) {
        const double term = left * right[l * n + j];
        full.value[i * n + j] += term;
        full.size[i * n + j] += std::abs(term);
      }
    }
  return full;
}

/// A x for A given by element, and the length of each of its rows.
struct Action {
  std::vector<double> value, row_norm;
  double norm() const {
    double sum = 0;
    for (const double r : row_norm) sum += r * r;
    return std::sqrt(sum);
  }
};
Action act(std::size_t m, std::size_t n, const At& a, const std::vector<double>& x) {
  Action y{std::vector<double>(m), std::vector<double>(m)};
  for (std::size_t i = 0; i < m; ++i) {
    double square = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double v = a(i, j);
      y.value[i] += v * x[j];
      square += v * v;
    }
    y.row_norm[i] = std::sqrt(square);
  }
  return y;
}

/// Takes over a larger error; a NaN is the largest and stays.
void keep_worst(double& worst, double error) {
  if (!std::isnan(worst) && !(error <= worst)) worst = error;
}

}  // namespace

Check check_product(double u, std::size_t m, std::size_t n, std::size_t k, const At& a, const At& b,
                    const At& c) {
  double worst = 0;
  if (std::max({m, n, k}) <= compared_in_full) {
    const InFull full = multiply(m, n, k, a, b);
    const double gamma = 2 * static_cast<double>(k + 4) * u;
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j)
        keep_worst(worst, std::abs(c(i, j) - full.value[i * n + j]) / (gamma * full.size[i * n + j]));
    return {worst, 1, "Higham 2002, 3.5: 2(k + 4)u |A||B|"};
  }
  // Each element of c errs by about u ‖a_i‖‖b_j‖ and independently of x, so that the action on signs errs by
  // less than six times the root of the sum of squares over all j (Hoeffding 1963); and six for the rounding
  // itself. The sums of this check round too, in double precision.
  const double roundoff = u + std::sqrt(static_cast<double>(k + n)) * unit_roundoff<double>;
  for (std::uint64_t v = 0; v < vectors; ++v) {
    const std::vector<double> x = random_vector(n, vectors * n + v);
    const Action bx = act(k, n, b, x), abx = act(m, k, a, bx.value), cx = act(m, n, c, x);
    const double scale = 36 * roundoff * bx.norm();
    for (std::size_t i = 0; i < m; ++i)
      keep_worst(worst, std::abs(cx.value[i] - abx.value[i]) / (scale * abx.row_norm[i]));
  }
  return {worst, 1, "Higham & Mary 2020: 6 · 6 u ‖a_i‖‖B‖_F"};
}

Check check_factors(double u, std::size_t m, std::size_t n, std::size_t k, const At& a, const At& b,
                    const At& c) {
  const double scale = 36 * std::sqrt(static_cast<double>(k + 4)) * u;
  double worst = 0;
  if (std::max({m, n, k}) <= compared_in_full) {
    const InFull full = multiply(m, n, k, a, b);
    for (std::size_t j = 0; j < n; ++j) {
      double largest = 0, square = std::numeric_limits<double>::min();
      for (std::size_t i = 0; i < m; ++i) {
        const double expected = c(i, j);
        keep_worst(largest, std::abs(expected - full.value[i * n + j]));
        square += expected * expected;
      }
      keep_worst(worst, largest / (scale * std::sqrt(square)));
    }
  } else {
    const std::vector<double> x = random_vector(n, n);
    const Action bx = act(k, n, b, x), abx = act(m, k, a, bx.value), cx = act(m, n, c, x);
    const double bound = scale * cx.norm();
    for (std::size_t i = 0; i < m; ++i) keep_worst(worst, std::abs(cx.value[i] - abx.value[i]) / bound);
  }
  return {worst, 1, "Higham 2002, 19.4; Connolly & Higham 2023: 36 √(k + 4) u ‖c_j‖"};
}

Check check_orthonormal(double u, std::size_t m, std::size_t n, const At& q) {
  // |Qᵀ(Qx) - x| for a random x.
  const std::vector<double> x = random_vector(n, m + n);
  const Action y = act(m, n, q, x);
  double error = 0, size = 0;
  for (std::size_t j = 0; j < n; ++j) {
    double z = 0;
    for (std::size_t i = 0; i < m; ++i) z += q(i, j) * y.value[i];
    error += (z - x[j]) * (z - x[j]);
    size += x[j] * x[j];
  }
  const double bound = 8 * static_cast<double>(n) * u * std::sqrt(static_cast<double>(m)) * std::sqrt(size);
  return {std::sqrt(error) / bound, 1, "Higham 2002, 19.3: 8 n u √m"};
}

Check check_singular_values(double u, std::size_t m, std::size_t n, const At& a,
                            const std::vector<double>& values) {
  const std::size_t small = std::min(m, n);
  double squares = 0, fourth = 0, sum2 = 0, sum4 = 0, worst = 0;
  for (std::size_t i = 0; i < small; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double g = 0;
      for (std::size_t l = 0; l < std::max(m, n); ++l)
        g += (m < n ? a(i, l) : a(l, i)) * (m < n ? a(j, l) : a(l, j));
      fourth += (i == j ? 1 : 2) * g * g;
      if (i == j) squares += g;
    }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double v = values[i];
    sum2 += v * v;
    sum4 += v * v * v * v;
    if (v < 0 || (i > 0 && values[i] > values[i - 1])) worst = std::numeric_limits<double>::infinity();
  }
  // A relative error of 8 n u in the largest values moves the sums by two and four times that.
  const double bound = 8 * static_cast<double>(small) * u;
  keep_worst(worst, std::abs(sum2 / squares - 1) / (2 * bound));
  keep_worst(worst, std::abs(sum4 / fourth - 1) / (4 * bound));
  if (values.size() != small) worst = std::numeric_limits<double>::infinity();
  return {worst, 1, "LAPACK Users' Guide 1999, 4.9: 8 n u"};
}

Check worse(const Check& a, const Check& b) { return !a.good() || b.error <= a.error ? a : b; }

}  // namespace perp::bench
