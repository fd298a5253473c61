#pragma once
// Tables of any length, looked at once: everything that first and second moments of the rows can tell, and
// every row's cosines with a second, small table. Nothing of the table is kept but one number a row.
//
// Rows come in tiles. Products of a tile are float32, what is summed over tiles is float64: a tile's Gram
// matrix is off by some 1e-7 of its trace. Tiles are worked on side by side and merged in their order, so the
// bytes of a result do not depend on the number of threads. Memory: per thread two tiles (16 MiB each, or 256
// rows) and two d x d matrices of float, in all three d x d of double.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/base/linalg.hpp"
#include "perp/statistics/histogram.hpp"

namespace perp {

/// A table's rows in their order.
struct RowStream {
  std::string name;      ///< for messages
  std::size_t cols = 0;  ///< d
  /// Writes the next rows, at most `most` of them, to `out`, row-major without gaps, and says how many there
  /// were; 0 at the end. Called by several threads, by one at a time.
  std::function<std::size_t(std::size_t most, float* out)> next;
};

struct TableSums {
  std::size_t rows = 0, zero_rows = 0;  ///< n, and how many of them have no direction
  std::vector<float> norms;             ///< of every row, in order
  std::vector<double> mean;             ///< of the rows
  std::vector<double> unit_sum;         ///< Σ x/‖x‖ over the rows that are not 0
  Matrix<double> as_is;                 ///< Σ x xᵀ/n, d x d
  Matrix<double> centred;               ///< Σ (x-x̄)(x-x̄)ᵀ/n, d x d
  Matrix<double> directions;            ///< mean of x xᵀ/‖x‖² over the rows that are not 0, d x d
  double max_abs_cosine = 0;            ///< with the rows of `against`; 0 without
  std::optional<Histogram> cosines;     ///< with the rows of `against`, over [-1, 1]

  std::size_t directed() const { return rows - zero_rows; }  ///< rows that are not 0
};

struct StreamOptions {
  std::size_t threads = 1;
  View<float> against = {};  ///< L x d unit rows (unit_rows), or none
  std::size_t bins = 0;      ///< of the histogram of cosines; 0: none
};

/// Reads the stream to its end: V (2 L d + 2 d²) operations. Throws Error naming stream and row for a value
/// that is not finite, for rows so long that products overflow float32, or all so short that they underflow,
/// for no rows, and for an `against` of another d.
TableSums stream_table(const RowStream& rows, const StreamOptions& options);

/// A table in memory as such a stream, from its first row; the table must outlive it.
RowStream stream_of(View<float> table, std::string name);

/// Mean cosine over all pairs of different rows that are not 0, (‖Σu‖² - n)/(n(n-1)). Throws Error below two.
double mean_cosine(const TableSums& sums);

/// Eigenvalues of a covariance over `rows` rows, as `spectrum` gives them: descending, min(rows, d) of them,
/// none negative.
std::vector<double> covariance_spectrum(const Matrix<double>& covariance, std::size_t rows);

/// The leading `rank` eigenvectors of a symmetric matrix, as rows, that of the largest eigenvalue first.
Matrix<double> leading_directions(const Matrix<double>& covariance, std::size_t rank);
Matrix<double> leading_directions(const Eigen<double>& eigen, std::size_t rank);

}  // namespace perp
