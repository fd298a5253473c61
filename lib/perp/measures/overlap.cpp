#include "perp/measures/overlap.hpp"

#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/outer.hpp"

namespace perp {
TableOverlap table_overlap(View<float> a, View<float> b) {
  require(a.cols == b.cols, "table_overlap: a is {} x {}, b is {} x {}; both need the same number of columns",
          a.rows, a.cols, b.rows, b.cols);
  const Matrix<double> outer_a = mean_outer_product(a), outer_b = mean_outer_product(b);
  TableOverlap result;
  result.mean_square = trace_of_product(outer_a, outer_b);
  result.trace_a = trace(outer_a);
  result.trace_b = trace(outer_b);
  result.trace_square_a = trace_of_product(outer_a, outer_a);
  result.trace_square_b = trace_of_product(outer_b, outer_b);
  result.rows_a = a.rows;
  result.rows_b = b.rows;
  return result;
}

}  // namespace perp
