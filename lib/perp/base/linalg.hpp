#pragma once
// The one door to BLAS and LAPACK. Every call checks shapes, that sizes fit BLAS's int, that inputs are
// finite where a decomposition would otherwise return plausible nonsense, and LAPACK's info afterwards. T is
// float or double. All throw Error; a shape mismatch prints both shapes.
// Products take a Matrix or a View, each of them: product(words, block(m, 0, 3)).
//
// Subspaces are held as rows: a k-dimensional subspace of R^d is a k x d matrix of orthonormal rows.

#include <vector>

#include "perp/base/array.hpp"

namespace perp {

/// a b: (m x k)(k x n).
Matrix<float> product(View<float> a, View<float> b);
Matrix<double> product(View<double> a, View<double> b);
/// a bᵀ: (m x k)(n x k)ᵀ, the product of two tables of row vectors.
Matrix<float> product_nt(View<float> a, View<float> b);
Matrix<double> product_nt(View<double> a, View<double> b);
/// aᵀ b: (k x m)ᵀ(k x n).
Matrix<float> product_tn(View<float> a, View<float> b);
Matrix<double> product_tn(View<double> a, View<double> b);
/// a bᵀ into memory of a.rows x b.rows values, row stride b.rows; for streaming loops. No finiteness check.
void product_nt_into(View<float> a, View<float> b, float* out);
void product_nt_into(View<double> a, View<double> b, double* out);
/// aᵀ b into memory of a.cols x b.cols values, likewise.
void product_tn_into(View<float> a, View<float> b, float* out);
void product_tn_into(View<double> a, View<double> b, double* out);

/// aᵀ a, cols x cols, by SYRK; both triangles filled.
Matrix<float> gram_columns(View<float> a);
Matrix<double> gram_columns(View<double> a);
/// a aᵀ, rows x rows, by SYRK; both triangles filled.
Matrix<float> gram_rows(View<float> a);
Matrix<double> gram_rows(View<double> a);

/// Lower triangular L with a = L Lᵀ. Returns an empty matrix if `a` is not numerically positive definite.
template <class T>
Matrix<T> cholesky(const Matrix<T>& a);
/// L⁻¹ b for lower triangular L (n x n) and b (n x m).
template <class T>
Matrix<T> solve_lower(const Matrix<T>& lower, const Matrix<T>& b);
/// Ratio of the largest to the smallest diagonal entry of a Cholesky factor: a cheap lower bound of its
/// condition.
template <class T>
double diagonal_ratio(const Matrix<T>& lower);

/// Orthonormal rows spanning the rows of `a` (k x d, k <= d), by Householder QR.
template <class T>
Matrix<T> orthonormal_rows(const Matrix<T>& a);
/// d orthonormal rows whose first k span the rows of `a` (k x d), the rest its complement.
template <class T>
Matrix<T> complete_basis(const Matrix<T>& a);

/// Singular values, descending; min(rows, cols) of them.
template <class T>
std::vector<T> singular_values(const Matrix<T>& a);

template <class T>
struct Singular {
  std::vector<T> values;  ///< descending, k = min(rows, cols) of them
  Matrix<T> left;         ///< rows x k: column i belongs to values[i]
  Matrix<T> right;        ///< k x cols: row i belongs to values[i]
};
/// The thin decomposition a = left · diag(values) · right, with orthonormal columns and rows.
template <class T>
Singular<T> singular_decomposition(Matrix<T> a);

/// Eigenvalues of a symmetric matrix, ascending. Only the lower triangle is read.
template <class T>
std::vector<T> symmetric_eigenvalues(Matrix<T> a);

template <class T>
struct Eigen {
  std::vector<T> values;  ///< ascending
  Matrix<T> vectors;      ///< row i belongs to values[i]
};
/// Eigenvalues and orthonormal eigenvectors (as rows) of a symmetric matrix.
template <class T>
Eigen<T> symmetric_eigen(Matrix<T> a);

}  // namespace perp
