#include <algorithm>
#include <cmath>
#include <limits>

#include "perp/base/error.hpp"
#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/decoding.hpp"
#include "perp/measures/rows.hpp"

// Decoders that are linear maps: projection and ridge regression.

namespace perp {
namespace {

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
  Matrix<float> out = matrix<float>(table.rows, table.cols);
  const Matrix<float> part = product(product_nt(table, basis), basis);
  for (std::size_t i = 0; i < table.rows; ++i)
    for (std::size_t j = 0; j < table.cols; ++j) out(i, j) = table(i, j) - part(i, j);
  return out;
}

std::vector<double> read_out_r2(const Examples& train, const Examples& test, double ridge) {
  const std::size_t m = test.inputs.rows, k = train.targets.cols;
  const std::vector<double> mean_input = column_means(train.inputs),
                            mean_target = column_means(train.targets);
  const Matrix<double> map =
      coefficients(less_row(train.inputs, mean_input), less_row(train.targets, mean_target), ridge);
  const Matrix<double> predicted = product(less_row(test.inputs, mean_input), map);
  const std::vector<double> test_mean = column_means(test.targets);
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

// Fisher's linear classes. Where the rows of a class are normal about its mean, all with one covariance, no
// reader is right more often; and every boundary between two classes is flat.
namespace {

/// Rows in float64, less `origin`.
Matrix<double> about(View<float> table, std::span<const double> origin) {
  return less_row(converted<double>(table), origin);
}

/// Mean row of each class, and how many rows it has.
struct Centres {
  Matrix<double> means;
  std::vector<double> counts;
};

Centres centres_of(const Matrix<double>& x, std::span<const std::uint32_t> classes, std::size_t count) {
  Centres out{zeros<double>(count, cols(x)), std::vector<double>(count, 0.0)};
  for (std::size_t i = 0; i < rows(x); ++i) {
    ++out.counts[classes[i]];
    for (std::size_t j = 0; j < cols(x); ++j) out.means(classes[i], j) += x(i, j);
  }
  for (std::size_t k = 0; k < count; ++k)
    if (out.counts[k] > 0)
      for (std::size_t j = 0; j < cols(x); ++j) out.means(k, j) /= out.counts[k];
  return out;
}

/// Of the covariance within classes, ridged.
Matrix<double> whitening_within(Matrix<double> x, std::span<const std::uint32_t> classes,
                                const Centres& centres, double ridge) {
  const std::size_t n = rows(x), d = cols(x);
  double total = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < d; ++j) {
      total += x(i, j) * x(i, j);
      x(i, j) -= centres.means(classes[i], j);
    }
  Matrix<double> within = gram_columns(x);
  for (std::size_t j = 0; j < d; ++j) within(j, j) += ridge * total / static_cast<double>(d);
  for (double& value : std::span<double>(within.data(), within.size())) value /= static_cast<double>(n);
  Matrix<double> inverse = whitening(within);
  require(inverse.size() > 0,
          "linear_classes: the covariance of {} x {} examples within their classes is singular at ridge {}",
          n, d, ridge);
  return inverse;
}

}  // namespace

std::vector<std::uint32_t> linear_classes(View<float> examples, std::span<const std::uint32_t> classes,
                                          View<float> queries, double ridge) {
  const std::size_t count = std::size_t{1} + *std::ranges::max_element(classes);
  const std::vector<double> origin = column_means(examples);
  for (std::size_t j = 0; j < origin.size(); ++j)
    require(std::isfinite(origin[j]), "linear_classes: column {} of the {} x {} examples is not finite", j,
            examples.rows, examples.cols);
  Matrix<double> x = about(examples, origin);
  const Centres centres = centres_of(x, classes, count);
  const Matrix<double> inverse = whitening_within(std::move(x), classes, centres, ridge);
  const Matrix<double> whitened = product_nt(centres.means, inverse);
  std::vector<double> offset(count, -std::numeric_limits<double>::infinity());
  for (std::size_t k = 0; k < count; ++k) {
    if (centres.counts[k] == 0) continue;
    offset[k] = std::log(centres.counts[k]);
    for (const double c : row(whitened, k)) offset[k] -= c * c / 2;
  }
  std::vector<std::uint32_t> answers(queries.rows);
  constexpr std::size_t tile = 256;  // with 4000 classes 8 MB of scores
  for (std::size_t first = 0; first < queries.rows; first += tile) {
    const std::size_t last = std::min(queries.rows, first + tile);
    const Matrix<double> scores =
        product_nt(product_nt(about(block(queries, first, last, queries.cols), origin), inverse), whitened);
    for (std::size_t i = first; i < last; ++i) {
      std::size_t best = 0;
      double most = -std::numeric_limits<double>::infinity();
      for (std::size_t k = 0; k < count; ++k) {
        const double score = scores(i - first, k) + offset[k];
        if (score > most) most = score, best = k;
      }
      require(std::isfinite(most), "linear_classes: row {} of the {} x {} queries is not finite", i,
              queries.rows, queries.cols);
      answers[i] = static_cast<std::uint32_t>(best);
    }
  }
  return answers;
}

}  // namespace perp
