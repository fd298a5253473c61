#include "perp/measures/outer.hpp"

#include <algorithm>

#include "perp/base/expect.hpp"
#include "perp/base/linalg.hpp"

namespace perp {

Matrix<double> mean_outer_product(View<float> table) {
  require(table.rows > 0 && table.cols > 0, "mean_outer_product: an empty table, {} x {}", table.rows,
          table.cols);
  constexpr std::size_t tile = 2048;
  Matrix<double> sum = zeros<double>(table.cols, table.cols);
  for (std::size_t first = 0; first < table.rows; first += tile) {
    const std::size_t last = std::min(table.rows, first + tile);
    const Matrix<float> part = gram_columns(block(table, first, last, table.cols));
    for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += part.data()[i];
  }
  for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] /= static_cast<double>(table.rows);
  return sum;
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

}  // namespace perp
