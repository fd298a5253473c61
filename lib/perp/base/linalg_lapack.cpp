// Decompositions (LAPACK). Our row-major k x d table of row vectors is Fortran's d x k table of column
// vectors, so QR needs no transposition; our lower triangle is Fortran's upper one.

// Through the lowest layer of xtensor-blas, with workspaces of our own: the one above sizes them by a query
// in float. Its assertions would end the program where `check_info` speaks. It passes no lengths of character
// arguments, which LAPACK's one-letter options do not need as long as its callees leave the caller's stack
// alone: gfortran's -ftail-call-workaround, the default of Debian's builds.
#include <xtensor-blas/xblas_config.hpp>  // first, see linalg.cpp
#define ASSERT(x) ((void)0)
#include <xtensor-blas/xlapack.hpp>
#undef ASSERT

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "perp/base/error.hpp"
#include "perp/base/linalg.hpp"

namespace perp {
namespace {

int lapack_int(std::size_t size, std::string_view where) {
  require(size <= static_cast<std::size_t>(std::numeric_limits<int>::max()),
          "{}: a size or workspace of {} is beyond LAPACK's 32-bit int", where, size);
  return static_cast<int>(size);
}

/// Refuses NaN and infinity: LAPACK returns plausible nonsense or aborts on them.
template <class T>
void check_finite(const Matrix<T>& a, bool lower_only, std::string_view where) {
  for (std::size_t i = 0; i < rows(a); ++i) {
    const std::span<const T> r = row(a, i).first(lower_only ? std::min(i + 1, cols(a)) : cols(a));
    const auto bad = std::find_if(r.begin(), r.end(), [](T x) { return !std::isfinite(x); });
    require(bad == r.end(), "{}: entry ({}, {}) of the {} x {} matrix is {}; finite values were expected",
            where, i, bad - r.begin(), rows(a), cols(a), bad == r.end() ? T{0} : *bad);
  }
}

template <class T>
std::size_t check_square(const Matrix<T>& a, std::string_view where) {
  expect(rows(a) == cols(a), "{}: the matrix is {} x {}; a square one was expected", where, rows(a), cols(a));
  check_finite(a, true, where);
  return rows(a);
}

void check_info(int info, std::string_view routine, std::size_t m, std::size_t n) {
  if (info != 0) fail("{}: info = {} for a {} x {} matrix", routine, info, m, n);
}

/// Calls a routine, which takes a workspace and its size, first for that size, then with it: LAPACK's answer
/// to the query, but never below its documented minimum. A float query loses the last bits above 2^24
/// (OpenBLAS before 0.3.25 rounds it down), hence the next float up.
template <class T, class Call>
void with_workspace(std::size_t minimum, std::string_view where, const Call& call) {
  T query{};
  call(&query, -1);
  const T up = std::nextafter(query, std::numeric_limits<T>::infinity());
  const auto asked = static_cast<std::size_t>(std::max(std::ceil(up), T{1}));
  const int size = lapack_int(std::max(asked, minimum), where);
  std::vector<T> work(static_cast<std::size_t>(size));
  call(work.data(), size);
}

/// The first `count` Householder columns' Q of the d x k matrix in `q`'s memory (rows of q = columns of
/// Fortran's).
template <class T>
void householder_q(Matrix<T>& q, std::size_t k, std::string_view where) {
  const int d = lapack_int(cols(q), where), ik = lapack_int(k, where), n = lapack_int(rows(q), where);
  std::vector<T> tau(k);
  with_workspace<T>(k, where, [&](T* work, int size) {
    check_info(cxxlapack::geqrf<int>(d, ik, q.data(), d, tau.data(), work, size), "geqrf", cols(q), k);
  });
  with_workspace<T>(rows(q), where, [&](T* work, int size) {
    check_info(cxxlapack::orgqr<int>(d, n, ik, q.data(), d, tau.data(), work, size), "orgqr", cols(q),
               rows(q));
  });
}

/// Eigenvalues ascending; with job 'V' the rows of `a` become the eigenvectors.
template <class T>
std::vector<T> syevd(char job, Matrix<T>& a, std::string_view where) {
  const std::size_t n = check_square(a, where);
  std::vector<T> values(n);
  if (n == 0) return values;
  const bool vectors = job == 'V';
  const int in = lapack_int(n, where);
  std::vector<int> integers(1);  // the first call's is the size of the second's
  with_workspace<T>(vectors ? 1 + 6 * n + 2 * n * n : 2 * n + 1, where, [&](T* work, int size) {
    if (size != -1) integers.resize(std::max<std::size_t>(vectors ? 3 + 5 * n : 1, std::max(integers[0], 1)));
    const int integer_size = size == -1 ? -1 : lapack_int(integers.size(), where);
    check_info(cxxlapack::syevd<int>(job, 'U', in, a.data(), in, values.data(), work, size, integers.data(),
                                     integer_size),
               "syevd", n, n);
  });
  return values;
}

/// Singular values, descending; with job 'S' both factors, of which Fortran sees the transposes: its left one
/// is our right one. Overwrites `a`.
template <class T>
std::vector<T> gesdd(char job, Matrix<T>& a, T* left, T* right, std::string_view where) {
  check_finite(a, false, where);
  const std::size_t least = std::min(rows(a), cols(a)), most = std::max(rows(a), cols(a));
  std::vector<T> values(least);
  if (least == 0) return values;
  const bool vectors = job == 'S';
  const int m = lapack_int(cols(a), where), n = lapack_int(rows(a), where);
  std::vector<int> integers(8 * least);
  const std::size_t room =
      vectors ? 4 * least * least + 7 * least + most : 3 * least + std::max(most, 7 * least);
  with_workspace<T>(room, where, [&](T* work, int size) {
    check_info(cxxlapack::gesdd<int>(job, m, n, a.data(), m, values.data(), right, m, left, std::min(m, n),
                                     work, size, integers.data()),
               "gesdd", rows(a), cols(a));
  });
  return values;
}

}  // namespace

template <class T>
Matrix<T> cholesky(const Matrix<T>& a) {
  const std::size_t n = check_square(a, "cholesky");
  Matrix<T> lower = a;
  const int in = lapack_int(n, "cholesky");
  if (n == 0) return lower;
  const int info = cxxlapack::potrf<int>('U', in, lower.data(), in);
  if (info > 0) return Matrix<T>();
  check_info(info, "potrf", n, n);
  for (std::size_t i = 0; i < n; ++i)
    std::fill(lower.data() + i * n + i + 1, lower.data() + (i + 1) * n, T{0});
  return lower;
}

template <class T>
Matrix<T> orthonormal_rows(const Matrix<T>& a) {
  require(rows(a) <= cols(a), "orthonormal_rows: {} rows in {} dimensions cannot be independent", rows(a),
          cols(a));
  check_finite(a, false, "orthonormal_rows");
  Matrix<T> q = a;
  if (rows(a) > 0) householder_q(q, rows(a), "orthonormal_rows");
  return q;
}

template <class T>
Matrix<T> complete_basis(const Matrix<T>& a) {
  const std::size_t k = rows(a), d = cols(a);
  require(k <= d, "complete_basis: {} rows in {} dimensions cannot be independent", k, d);
  check_finite(a, false, "complete_basis");
  Matrix<T> q = zeros<T>(d, d);
  std::copy(a.data(), a.data() + k * d, q.data());
  if (k == 0) {
    for (std::size_t i = 0; i < d; ++i) q(i, i) = T{1};
    return q;
  }
  householder_q(q, k, "complete_basis");
  return q;
}

template <class T>
std::vector<T> singular_values(const Matrix<T>& a) {
  Matrix<T> copy = a;
  T none{};
  return gesdd('N', copy, &none, &none, "singular_values");
}

template <class T>
Singular<T> singular_decomposition(Matrix<T> a) {
  const std::size_t least = std::min(rows(a), cols(a));
  Singular<T> result{{}, matrix<T>(rows(a), least), matrix<T>(least, cols(a))};
  result.values = gesdd('S', a, result.left.data(), result.right.data(), "singular_decomposition");
  return result;
}

template <class T>
std::vector<T> symmetric_eigenvalues(Matrix<T> a) {
  return syevd('N', a, "symmetric_eigenvalues");
}

template <class T>
Eigen<T> symmetric_eigen(Matrix<T> a) {
  Eigen<T> result;
  result.values = syevd('V', a, "symmetric_eigen");
  result.vectors = std::move(a);
  return result;
}

#define PERP_INSTANTIATE(T)                                  \
  template Matrix<T> cholesky(const Matrix<T>&);             \
  template Matrix<T> orthonormal_rows(const Matrix<T>&);     \
  template Matrix<T> complete_basis(const Matrix<T>&);       \
  template std::vector<T> singular_values(const Matrix<T>&); \
  template Singular<T> singular_decomposition(Matrix<T>);    \
  template std::vector<T> symmetric_eigenvalues(Matrix<T>);  \
  template Eigen<T> symmetric_eigen(Matrix<T>);
PERP_INSTANTIATE(float)
PERP_INSTANTIATE(double)
#undef PERP_INSTANTIATE

}  // namespace perp
