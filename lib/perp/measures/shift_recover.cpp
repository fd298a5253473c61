// The shift recovered from data: least squares by QR and singular vectors.

#include <algorithm>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/shift.hpp"

namespace perp {
namespace {

/// Rows of both tables that carry the same least-squares problem.
struct Rows {
  Matrix<double> from, to;  ///< k x d each
};

/// `held` with the rows first … last-1 of the table below it.
Matrix<double> stacked(const Matrix<double>& held, View<double> table, std::size_t first, std::size_t last) {
  Matrix<double> out = matrix<double>(rows(held) + last - first, table.cols);
  std::copy(held.data(), held.data() + held.size(), out.data());
  for (std::size_t r = first; r < last; ++r)
    std::copy(table.row(r).begin(), table.row(r).end(), row(out, rows(held) + r - first).begin());
  return out;
}

/// At most d rows with the same solutions: from = Q F, Q with orthonormal columns, becomes F, and `to` Qᵀ to.
Rows reduced(View<double> from, View<double> to) {
  const std::size_t d = from.cols, tile = std::max<std::size_t>(1024, 2 * d);
  Rows held{matrix<double>(0, d), matrix<double>(0, d)};
  for (std::size_t first = 0; first < from.rows; first += tile) {
    const std::size_t last = std::min(from.rows, first + tile);
    held.from = stacked(held.from, from, first, last);
    held.to = stacked(held.to, to, first, last);
    if (rows(held.from) <= d) continue;
    const Matrix<double> q = orthonormal_rows(transposed(held.from));  // d x k
    held.from = product(q, held.from);
    held.to = product(q, held.to);
  }
  return held;
}

/// Left and right singular vectors as rows, values descending, all min(m, n) of them.
struct Triplets {
  std::vector<double> values;
  Matrix<double> left, right;
};

/// From the symmetric matrix [0 A; Aᵀ 0], whose eigenvalues are plus and minus A's singular values: the
/// eigenvectors of AᵀA would lose half of the digits.
Triplets singular_triplets(const Matrix<double>& a) {
  const std::size_t m = rows(a), n = cols(a), r = std::min(m, n);
  Matrix<double> both = zeros<double>(m + n, m + n);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j) both(m + j, i) = both(i, m + j) = a(i, j);
  const Eigen<double> eigen = symmetric_eigen(std::move(both));
  Triplets out{{}, matrix<double>(r, m), matrix<double>(r, n)};
  const auto copy_unit = [](std::span<const double> from, std::span<double> to) {
    double square = 0;
    for (const double x : from) square += x * x;
    const double scale = square > 0 ? 1 / std::sqrt(square) : 0;
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = scale * from[i];
  };
  for (std::size_t i = 0; i < r; ++i) {
    const std::size_t at = m + n - 1 - i;
    out.values.push_back(std::max(0.0, eigen.values[at]));
    copy_unit(row(eigen.vectors, at).first(m), row(out.left, i));
    copy_unit(row(eigen.vectors, at).last(n), row(out.right, i));
  }
  return out;
}

}  // namespace

RecoveredMap recover_map(View<double> from, View<double> to, double cutoff) {
  require(from.rows == to.rows && from.cols == to.cols && from.rows > 0 && from.cols > 0,
          "recover_map: from is {} x {}, to {} x {}; tables of one shape, not empty, were expected",
          from.rows, from.cols, to.rows, to.cols);
  require(cutoff >= 1e-15 && cutoff < 1, "recover_map: a cutoff of {}; 1e-15 to below 1 was expected",
          cutoff);
  for (const View<double>& table : {from, to})
    for (std::size_t r = 0; r < table.rows; ++r)
      for (const double x : table.row(r))
        require(std::isfinite(x), "recover_map: row {} of the {} x {} table {} holds {}", r, table.rows,
                table.cols, table.data == from.data ? "from" : "to", x);
  const Rows problem = reduced(from, to);
  Triplets svd = singular_triplets(problem.from);
  require(svd.values[0] > 0, "recover_map: all {} rows to start from are 0", from.rows);
  RecoveredMap out;
  while (out.rank < svd.values.size() && svd.values[out.rank] > cutoff * svd.values[0]) ++out.rank;
  Matrix<double> weights = product(block(svd.left, 0, out.rank), problem.to);  // rank x d
  for (std::size_t i = 0; i < out.rank; ++i)
    for (double& x : row(weights, i)) x /= svd.values[i];
  out.map = product_tn(weights, block(svd.right, 0, out.rank));
  out.singular_values = std::move(svd.values);
  return out;
}

}  // namespace perp
