// Decoders that are linear maps: projection and ridge regression.

#include <cmath>
#include <limits>

#include "perp/base/expect.hpp"
#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/decoding.hpp"
#include "perp/measures/outer.hpp"
#include "perp/measures/squares.hpp"

namespace perp {
namespace {

std::vector<double> finite_means(View<double> table) {
  const std::vector<double> mean = column_means(table);
  for (std::size_t j = 0; j < table.cols; ++j)
    require(std::isfinite(mean[j]), "read_out_r2: column {} of a {} x {} table is not finite", j, table.rows,
            table.cols);
  return mean;
}

/// (XᵀX + ridge · mean eigenvalue)⁻¹ Xᵀ F: d x k.
Matrix<double> coefficients(const Matrix<double>& x, const Matrix<double>& f, double ridge) {
  const std::size_t d = cols(x);
  Matrix<double> gram = gram_columns(x);
  const double energy = trace(gram);
  for (std::size_t j = 0; j < d; ++j) gram(j, j) += ridge * energy / static_cast<double>(d);
  const Matrix<double> inverse = whitening(gram);
  require(inverse.size() > 0,
          "read_out_r2: the covariance of {} x {} inputs is singular at ridge {}; give a larger one", rows(x),
          d, ridge);
  const Matrix<double> whitened = product(inverse, product_tn(x, f));
  return product_tn(inverse, whitened);
}

}  // namespace

Matrix<float> project_out(View<float> table, View<float> basis) {
  expect(table.cols == basis.cols, "project_out: the table is {} x {}, the basis {} x {}", table.rows,
         table.cols, basis.rows, basis.cols);
  const Matrix<float> gram = gram_rows(basis);
  for (std::size_t i = 0; i < basis.rows; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      require(std::abs(gram(i, j) - (i == j ? 1.0F : 0.0F)) < 1e-3F,
              "project_out: rows {} and {} of the basis have inner product {}; expected orthonormal rows", i,
              j, gram(i, j));
  Matrix<float> out = matrix<float>(table.rows, table.cols);
  const Matrix<float> inside = product_nt(table, basis);
  const Matrix<float> part = product(inside, basis);
  for (std::size_t i = 0; i < table.rows; ++i) {
    require(std::isfinite(sum_of_squares(table.row(i))),
            "project_out: row {} of the {} x {} table is not finite", i, table.rows, table.cols);
    for (std::size_t j = 0; j < table.cols; ++j) out(i, j) = table(i, j) - part(i, j);
  }
  return out;
}

std::vector<double> read_out_r2(const Examples& train, const Examples& test, double ridge) {
  const std::size_t n = train.inputs.rows, m = test.inputs.rows, k = train.targets.cols;
  require(n == train.targets.rows && m == test.targets.rows && n >= 2 && m >= 2,
          "read_out_r2: {} inputs with {} targets to learn from, {} with {} to test; expected two or more, "
          "equally many",
          n, train.targets.rows, m, test.targets.rows);
  expect(train.inputs.cols == test.inputs.cols && k == test.targets.cols && train.inputs.cols > 0,
         "read_out_r2: learned from {} columns for {} targets, tested on {} for {}", train.inputs.cols, k,
         test.inputs.cols, test.targets.cols);
  require(ridge >= 0 && std::isfinite(ridge), "read_out_r2: a ridge of {}; expected 0 or more", ridge);
  const std::vector<double> mean_input = finite_means(train.inputs),
                            mean_target = finite_means(train.targets);
  const Matrix<double> map =
      coefficients(less_row(train.inputs, mean_input), less_row(train.targets, mean_target), ridge);
  const Matrix<double> predicted = product(less_row(test.inputs, mean_input), map);
  const std::vector<double> test_mean = finite_means(test.targets);
  std::vector<double> missed(k, 0.0), all(k, 0.0), r2(k);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < k; ++j) {
      const double f = test.targets(i, j), error = f - mean_target[j] - predicted(i, j),
                   spread = f - test_mean[j];
      missed[j] += error * error;
      all[j] += spread * spread;
    }
  for (std::size_t j = 0; j < k; ++j)
    r2[j] = all[j] > 0 ? 1 - missed[j] / all[j] : std::numeric_limits<double>::quiet_NaN();
  return r2;
}

}  // namespace perp
