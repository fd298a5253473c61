#pragma once
// Is a result right? Plain loops in double precision, and bounds that grow with the sizes as rounding errors
// do.
//
// Up to 257 rows and columns every element of a product is compared with γ_k|A||B|, γ_k = 2(k + 4)u (Higham
// 2002, "Accuracy and Stability of Numerical Algorithms", section 3.5; twice as wide because the reference
// rounds too). Above, the product's action on vectors of random signs (Freivalds 1979) with the probable
// error of an inner product of factors whose mean is zero, λ u ‖a‖‖b‖ (Higham & Mary 2020, SIAM J. Sci.
// Comput. 42, A3427), λ = 6: in float32 an element that is off by a hundredth of its size shows up to n =
// 4096. Factorisations are held by their residuals and by the orthogonality of their factors (Higham 2002,
// chapter 19); spectra by their power sums (Anderson et al. 1999, "LAPACK Users' Guide", chapter 4).

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "bench/call.hpp"
#include "perp/base/array.hpp"
#include "perp/random/draws.hpp"

namespace perp::bench {

inline constexpr std::size_t compared_in_full = 257;

template <class T>
inline constexpr double unit_roundoff = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;

/// Entries N(0, 1), the same in every process.
template <class T>
Matrix<T> normal_matrix(std::size_t rows, std::size_t cols, std::uint64_t which) {
  return perp::normal_matrix<T>(rows, cols, stream(7, "bench", "input", which, "matrix"));
}
/// Symmetric and positive definite: noise with eigenvalues in about [-2, 2] (Wigner), and 3 on the diagonal.
template <class T>
Matrix<T> definite_matrix(std::size_t n, std::uint64_t which) {
  Matrix<T> a = normal_matrix<T>(n, n, which);
  const double scale = 1 / std::sqrt(2 * static_cast<double>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const double v = scale * (static_cast<double>(a(i, j)) + static_cast<double>(a(j, i)));
      a(i, j) = a(j, i) = static_cast<T>(i == j ? v + 3 : v);
    }
  return a;
}

/// Reads element (i, j) of something m x n.
using At = std::function<double(std::size_t i, std::size_t j)>;

// Results were rounded in units of `u`.
/// c (m x n) against a b, a: m x k, b: k x n, given by element.
Check check_product(double u, std::size_t m, std::size_t n, std::size_t k, const At& a, const At& b,
                    const At& c);
/// The same for c's own factors by orthogonal transformations, which err by columns and not by elements:
/// 36 √(k + 4) u ‖c_j‖ (Higham 2002, theorem 19.4; √ instead of the worst case: Connolly & Higham 2023, SIAM
/// J. Matrix Anal. Appl. 44, "Probabilistic rounding error analysis of Householder QR factorization").
Check check_factors(double u, std::size_t m, std::size_t n, std::size_t k, const At& a, const At& b,
                    const At& c);
/// The columns of q (m x n) orthonormal.
Check check_orthonormal(double u, std::size_t m, std::size_t n, const At& q);
/// Singular values of a (m x n): Σσ² = ‖A‖² and Σσ⁴ = ‖AᵀA‖² (or AAᵀ, the smaller), descending and not negative.
Check check_singular_values(double u, std::size_t m, std::size_t n, const At& a,
                            const std::vector<double>& values);

/// The worse of two.
Check worse(const Check& a, const Check& b);

}  // namespace perp::bench
