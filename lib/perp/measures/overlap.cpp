#include "perp/measures/overlap.hpp"

#include <algorithm>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/outer.hpp"
#include "perp/theory/overlap.hpp"

namespace perp {
TableOverlap table_overlap(View<float> a, View<float> b) {
  require(a.cols == b.cols, "table_overlap: a is {} x {}, b is {} x {}; both need the same number of columns",
          a.rows, a.cols, b.rows, b.cols);
  const Matrix<double> outer_a = mean_outer_product(a), outer_b = mean_outer_product(b);
  TableOverlap result;
  result.mean_square = trace_of_product(outer_a, outer_b);
  result.trace_a = trace(outer_a);
  result.trace_b = trace(outer_b);
  result.trace_square_a = trace_of_square(outer_a);
  result.trace_square_b = trace_of_square(outer_b);
  return result;
}

double overlap(const Matrix<double>& a, const Matrix<double>& b) {
  return double(rows(a)) * trace_of_product(a, b) / (trace(a) * trace(b));
}

double least_overlap(const Matrix<double>& a, const Matrix<double>& b) {
  return theory::least_overlap(symmetric_eigenvalues(a), symmetric_eigenvalues(b));
}

double mean_square_cosine(const Matrix<double>& products, std::size_t k, std::size_t r) {
  double squares = 0;
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = 0; j < r; ++j) squares += products(i, j) * products(i, j);
  return squares / double(std::min(k, r));
}

}  // namespace perp
