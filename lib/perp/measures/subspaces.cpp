#include "perp/measures/subspaces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "perp/base/linalg.hpp"
#include "perp/base/matrix_algebra.hpp"
#include "perp/measures/rows.hpp"
#include "perp/theory/subspaces.hpp"

namespace perp {
namespace {

template <class T>
constexpr T epsilon = std::numeric_limits<T>::epsilon();

std::vector<double> clipped(std::vector<double> cosines) {
  for (double& c : cosines) c = std::clamp(c, 0.0, 1.0);
  return cosines;
}

/// Singular values, descending, of the k x r matrix of products of two orthonormal bases, given the smaller
/// of its two Gram matrices; `cross` makes the matrix itself and is called only when small cosines need it.
template <class T, class MakeCross>
std::vector<double> roots(const Matrix<T>& gram, MakeCross cross) {
  const std::vector<T> squares = symmetric_eigenvalues(gram);
  std::vector<double> cosines(squares.size());
  if (cosines.empty()) return cosines;
  if (squares.front() < std::sqrt(epsilon<T>)) {
    const std::vector<T> values = singular_values(cross());
    std::copy(values.begin(), values.end(), cosines.begin());
  } else {
    for (std::size_t i = 0; i < squares.size(); ++i)
      cosines[i] = std::sqrt(static_cast<double>(squares[squares.size() - 1 - i]));
  }
  return clipped(std::move(cosines));
}

template <class T>
std::vector<double> cosines_of_cross(const Matrix<T>& cross) {
  const Matrix<T> gram = rows(cross) <= cols(cross) ? gram_rows(cross) : gram_columns(cross);
  return roots(gram, [&]() -> const Matrix<T>& { return cross; });
}

/// The Cholesky factor of the rows' Gram matrix if whitening with it is accurate enough, else empty.
template <class T>
Matrix<T> good_factor(const Matrix<T>& a) {
  Matrix<T> lower = cholesky(gram_rows(a));
  const double limit = std::pow(static_cast<double>(epsilon<T>), -0.125);
  if (lower.size() > 0 && diagonal_ratio(lower) <= limit) return lower;
  return Matrix<T>();
}

/// Orthonormal rows with the span of the rows of `a`, which must be independent.
template <class T>
Matrix<T> careful_basis(const Matrix<T>& a, const char* which) {
  const std::vector<T> values = singular_values(a);
  const double rounding = static_cast<double>(epsilon<T>) * static_cast<double>(cols(a)) * values.front();
  require(values.back() > rounding,
          "principal_cosines: the {} rows of {} ({} dimensions) are dependent: singular values {} to {}",
          rows(a), which, cols(a), values.front(), values.back());
  return orthonormal_rows(a);
}

/// Rows first … last-1, columns from … of the square `c`, as a matrix of its own.
template <class T>
View<T> part(const Matrix<T>& c, std::size_t row0, std::size_t row1, std::size_t col0, std::size_t col1) {
  return {c.data() + row0 * cols(c) + col0, row1 - row0, col1 - col0, cols(c)};
}

/// Cosines of one pair of ranks; `c` holds all products of basis rows.
template <class T>
std::vector<double> cosines_of_ranks(const Matrix<T>& c, std::size_t k, std::size_t r) {
  const std::size_t d = rows(c), sure = k + r > d ? k + r - d : 0;
  // The leading block, or the complements' trailing one.
  const View<T> cross = sure == 0 ? part(c, 0, k, 0, r) : part(c, k, d, r, d);
  std::vector<double> cosines(sure, 1.0);
  if (cross.rows == 0 || cross.cols == 0) return cosines;
  const Matrix<T> gram = cross.rows <= cross.cols ? gram_rows(cross) : gram_columns(cross);
  const std::vector<double> others = roots(gram, [&] { return converted<T>(cross); });
  cosines.insert(cosines.end(), others.begin(), others.end());
  return cosines;
}

}  // namespace

template <class T>
std::vector<double> principal_cosines(const Matrix<T>& a, const Matrix<T>& b) {
  const Matrix<T> lower_a = good_factor(a);
  const Matrix<T> lower_b = lower_a.size() > 0 ? good_factor(b) : Matrix<T>();
  if (lower_a.size() > 0 && lower_b.size() > 0) {
    const Matrix<T> half = solve_lower(lower_a, product_nt(a, b));    // k x r
    return cosines_of_cross(solve_lower(lower_b, transposed(half)));  // r x k
  }
  return cosines_of_cross(product_nt(careful_basis(a, "a"), careful_basis(b, "b")));
}

template <class T>
std::vector<std::vector<double>> principal_cosines_nested(const Matrix<T>& basis_a, const Matrix<T>& basis_b,
                                                          std::span<const std::size_t> ks,
                                                          std::span<const std::size_t> rs) {
  const Matrix<T> c = product_nt(basis_a, basis_b);
  std::vector<std::vector<double>> all;
  all.reserve(ks.size() * rs.size());
  for (const std::size_t k : ks)
    for (const std::size_t r : rs) all.push_back(cosines_of_ranks(c, k, r));
  return all;
}

#define PERP_INSTANTIATE(T)                                                           \
  template std::vector<double> principal_cosines(const Matrix<T>&, const Matrix<T>&); \
  template std::vector<std::vector<double>> principal_cosines_nested(                 \
      const Matrix<T>&, const Matrix<T>&, std::span<const std::size_t>, std::span<const std::size_t>);
PERP_INSTANTIATE(float)
PERP_INSTANTIATE(double)
#undef PERP_INSTANTIATE

TableOverlap table_overlap(View<float> a, View<float> b) {
  const Matrix<double> outer_a = mean_outer_product(a), outer_b = mean_outer_product(b);
  return {trace_of_product(outer_a, outer_b), trace(outer_a), trace(outer_b), trace_of_square(outer_a),
          trace_of_square(outer_b)};
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

std::vector<double> energy_inside(View<float> words, const Matrix<float>& basis) {
  constexpr std::size_t tile = 1024;
  Matrix<float> inside = matrix<float>(std::min(tile, words.rows), rows(basis));
  std::vector<double> energy;
  energy.reserve(words.rows);
  for (std::size_t first = 0; first < words.rows; first += tile) {
    const std::size_t last = std::min(words.rows, first + tile);
    product_nt_into(block(words, first, last, words.cols), basis, inside.data());
    for (std::size_t i = first; i < last; ++i) {
      const double whole = sum_of_squares(words.row(i));
      if (whole > 0) energy.push_back(std::min(1.0, sum_of_squares(row(inside, i - first)) / whole));
    }
  }
  return energy;
}

}  // namespace perp
