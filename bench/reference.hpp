#pragma once
// Is a result right? Plain loops in double precision, and bounds that grow with the sizes as rounding errors
// do.
//
// Up to 257 rows and columns every element of a product is compared with γ_k|A||B|, γ_k = 2(k + 4)u (Higham
// 2002, "Accuracy and Stability of Numerical Algorithms", section 3.5; twice as wide because the reference
// rounds too). Above, the product's action on a random vector (Freivalds 1979) with the probable error of an
// inner product, λ√k u (Higham & Mary 2019, SIAM J. Sci. Comput. 41, A2815), λ = 6: an element that is off by
// a tenth of its size shows. Factorisations are held by their residuals, as products, and by the
// orthogonality of their factors (Higham 2002, chapter 19); spectra by their power sums (Anderson et al.
// 1999, "LAPACK Users' Guide", chapter 4).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "bench/call.hpp"
#include "perp/base/array.hpp"

namespace perp::bench {

inline constexpr std::size_t compared_in_full = 257;

/// Entries N(0, 1), the same in every process.
template <class T>
Matrix<T> normal_matrix(std::size_t rows, std::size_t cols, std::uint64_t which);
/// Symmetric and positive definite: noise with eigenvalues in about [-2, 2] (Wigner), and 3 on the diagonal.
template <class T>
Matrix<T> definite_matrix(std::size_t n, std::uint64_t which);

/// Reads element (i, j) of something m x n.
template <class T>
using At = std::function<T(std::size_t i, std::size_t j)>;

/// c (m x n) against a b, a: m x k, b: k x n, given by element.
template <class T>
Check check_product(std::size_t m, std::size_t n, std::size_t k, const At<T>& a, const At<T>& b,
                    const At<T>& c);
/// The columns of q (m x n) orthonormal.
template <class T>
Check check_orthonormal(std::size_t m, std::size_t n, const At<T>& q);
/// Singular values: Σσ² = ‖A‖² and Σσ⁴ = ‖AᵀA‖² (or AAᵀ, the smaller), descending and not negative.
template <class T>
Check check_singular_values(const Matrix<T>& a, const std::vector<T>& values);

/// The worse of two.
Check worse(const Check& a, const Check& b);

}  // namespace perp::bench
