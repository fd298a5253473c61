#include "perp/vectors/layout.hpp"

#include <numeric>

#include "perp/base/matrix_algebra.hpp"
#include "perp/vectors/positions.hpp"

namespace perp {
namespace {

void check_permutation(const char* what, const std::vector<std::size_t>& order, std::size_t n) {
  require(order.size() == n, "reorder: an order of {} for {} {}", order.size(), n, what);
  std::vector<bool> seen(n);
  for (const std::size_t j : order) {
    require(j < n && !seen[j], "reorder: the order of {} {} holds {} twice or outside", n, what, j);
    seen[j] = true;
  }
}

}  // namespace

std::string_view to_text(Layout layout) {
  return layout == Layout::interleaved ? "interleaved" : "half_split";
}

std::vector<std::size_t> layout_permutation(std::size_t d, Layout layout) {
  require(d > 0 && d % 2 == 0, "layout {}: dimension {}; expected an even number above 0", to_text(layout),
          d);
  std::vector<std::size_t> order(d);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (layout == Layout::interleaved) return order;
  for (std::size_t i = 0; i < d / 2; ++i) {
    order[i] = 2 * i;
    order[d / 2 + i] = 2 * i + 1;
  }
  return order;
}

template <class T>
Matrix<T> reorder_columns(const Matrix<T>& table, const std::vector<std::size_t>& order) {
  check_permutation("columns", order, cols(table));
  Matrix<T> result = matrix<T>(rows(table), cols(table));
  for (std::size_t t = 0; t < rows(table); ++t) {
    const std::span<const T> from = row(table, t);
    const std::span<T> to = row(result, t);
    for (std::size_t j = 0; j < order.size(); ++j) to[j] = from[order[j]];
  }
  return result;
}

template <class T>
Matrix<T> reorder_rows(const Matrix<T>& table, const std::vector<std::size_t>& order) {
  check_permutation("rows", order, rows(table));
  return select_rows(table, order);
}

template <class T>
Matrix<T> sinusoidal(std::size_t length, std::size_t d, double base, Layout layout) {
  Matrix<T> table = sinusoidal<T>(length, d, base);
  return layout == Layout::interleaved ? table : reorder_columns(table, layout_permutation(d, layout));
}

template Matrix<float> reorder_columns(const Matrix<float>&, const std::vector<std::size_t>&);
template Matrix<double> reorder_columns(const Matrix<double>&, const std::vector<std::size_t>&);
template Matrix<float> reorder_rows(const Matrix<float>&, const std::vector<std::size_t>&);
template Matrix<double> reorder_rows(const Matrix<double>&, const std::vector<std::size_t>&);
template Matrix<float> sinusoidal(std::size_t, std::size_t, double, Layout);
template Matrix<double> sinusoidal(std::size_t, std::size_t, double, Layout);

}  // namespace perp
