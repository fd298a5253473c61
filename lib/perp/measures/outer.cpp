#include "perp/measures/outer.hpp"

#include <algorithm>

#include "perp/base/expect.hpp"
#include "perp/base/linalg.hpp"

namespace perp {
namespace {

template <class T>
void check_filled(View<T> table) {
  require(table.rows > 0 && table.cols > 0, "mean_outer_product: an empty table, {} x {}", table.rows,
          table.cols);
}

Matrix<double> over(Matrix<double> sum, std::size_t rows) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] /= static_cast<double>(rows);
  return sum;
}

}  // namespace

Matrix<double> mean_outer_product(View<float> table) {
  check_filled(table);
  constexpr std::size_t tile = 2048;
  Matrix<double> sum = zeros<double>(table.cols, table.cols);
  for (std::size_t first = 0; first < table.rows; first += tile) {
    const std::size_t last = std::min(table.rows, first + tile);
    const Matrix<float> part = gram_columns(block(table, first, last, table.cols));
    for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += part.data()[i];
  }
  return over(std::move(sum), table.rows);
}

Matrix<double> mean_outer_product(View<double> table) {
  check_filled(table);
  return over(gram_columns(table), table.rows);
}

Matrix<double> whitening(const Matrix<double>& covariance) {
  const Matrix<double> lower = cholesky(covariance);
  if (lower.size() == 0 || !(diagonal_ratio(lower) < 1e7)) return {};
  Matrix<double> identity = zeros<double>(rows(lower), rows(lower));
  for (std::size_t j = 0; j < rows(lower); ++j) identity(j, j) = 1;
  return solve_lower(lower, identity);
}

double trace_of_product(const Matrix<double>& a, const Matrix<double>& b) {
  expect(rows(a) == rows(b) && cols(a) == cols(b), "trace_of_product: a is {} x {}, b is {} x {}", rows(a),
         cols(a), rows(b), cols(b));
  double trace = 0;
  for (std::size_t i = 0; i < rows(a); ++i) {
    double part = 0;
    for (std::size_t j = 0; j < cols(a); ++j) part += a(i, j) * b(i, j);
    trace += part;
  }
  return trace;
}

double trace_of_square(const Matrix<double>& a) {
  const double square = trace(a) * trace(a);
  return std::clamp(trace_of_product(a, a), square / static_cast<double>(rows(a)), square);
}

}  // namespace perp
