// LAPACK called bare. Column-major, as it is: element (i, j) of an m x n matrix is at i + j m. Workspaces are
// asked for once, outside the timed call; the input is copied inside, since LAPACK overwrites it.

// One name per routine for both types.
#define ASSERT(x) ((void)0)
#include <xtensor-blas/xlapack.hpp>
#undef ASSERT

#include <algorithm>
#include <cmath>

#include "bench/call.hpp"
#include "bench/reference.hpp"
#include "perp/base/error.hpp"

namespace perp::bench {
namespace {

int size(std::size_t n) { return static_cast<int>(n); }

/// A workspace as large as the query says. Float queries above 2^24 lose their last bits (OpenBLAS before
/// 0.3.25 rounds down), hence an eighth more.
template <class T>
std::vector<T> workspace(T query) {
  return std::vector<T>(static_cast<std::size_t>(query) + static_cast<std::size_t>(query) / 8 + 64);
}

void check_info(int info, const char* routine) {
  if (info != 0) fail("{}: info = {}", routine, info);
}

template <class T>
class Factorisation : public Call {
 public:
  /// m x n in column-major order is n rows of m here.
  explicit Factorisation(Matrix<T> input) : input_(std::move(input)), a_(input_) {}

 protected:
  void restore() { std::copy(input_.data(), input_.data() + input_.size(), a_.data()); }
  At<T> input() const {
    return [this](std::size_t i, std::size_t j) { return input_(j, i); };
  }
  Matrix<T> input_, a_;
};

/// A = L Lᵀ.
template <class T>
class Potrf final : public Factorisation<T> {
 public:
  explicit Potrf(const Shape& s) : Factorisation<T>(definite_matrix<T>(s.n, 11)) {}
  void run() override {
    this->restore();
    const int n = size(rows(this->a_));
    check_info(cxxlapack::potrf<int>('U', n, this->a_.data(), n), "potrf");
  }
  Check check() override {
    // Fortran's upper triangle of UᵀU is our lower one of L Lᵀ.
    const Matrix<T>& l = this->a_;
    const std::size_t n = rows(l);
    return check_product<T>(
        n, n, n, [&](std::size_t i, std::size_t j) { return j <= i ? l(i, j) : T{0}; },
        [&](std::size_t i, std::size_t j) { return i <= j ? l(j, i) : T{0}; }, this->input());
  }
};

/// A = Q R by geqrf, Q made explicit by orgqr.
template <class T>
class Qr final : public Factorisation<T> {
 public:
  explicit Qr(const Shape& s)
      : Factorisation<T>(normal_matrix<T>(s.n, s.m, 12)), r_(zeros<T>(s.n, s.n)), tau_(s.n) {
    T one{}, two{};
    const int m = size(s.m), n = size(s.n);
    check_info(cxxlapack::geqrf<int>(m, n, this->a_.data(), m, tau_.data(), &one, -1), "geqrf");
    check_info(cxxlapack::orgqr<int>(m, n, n, this->a_.data(), m, tau_.data(), &two, -1), "orgqr");
    work_ = workspace(std::max(one, two));
  }
  void run() override {
    this->restore();
    Matrix<T>& a = this->a_;
    const int m = size(cols(a)), n = size(rows(a)), lwork = size(work_.size());
    check_info(cxxlapack::geqrf<int>(m, n, a.data(), m, tau_.data(), work_.data(), lwork), "geqrf");
    for (std::size_t j = 0; j < rows(a); ++j)
      for (std::size_t i = 0; i <= j; ++i) r_(i, j) = a(j, i);
    check_info(cxxlapack::orgqr<int>(m, n, n, a.data(), m, tau_.data(), work_.data(), lwork), "orgqr");
  }
  Check check() override {
    const Matrix<T>& q = this->a_;
    const At<T> at = [&](std::size_t i, std::size_t j) { return q(j, i); };
    const Check residual = check_factors<T>(
        cols(q), rows(q), rows(q), at, [&](std::size_t i, std::size_t j) { return r_(i, j); }, this->input());
    return worse(residual, check_orthonormal<T>(cols(q), rows(q), at));
  }

 private:
  Matrix<T> r_;
  std::vector<T> tau_, work_;
};

/// Singular values, with thin U and Vᵀ or alone.
template <class T>
class Svd final : public Factorisation<T> {
 public:
  Svd(const Shape& s, bool vectors)
      : Factorisation<T>(normal_matrix<T>(s.n, s.m, 13)),
        vectors_(vectors),
        values_(std::min(s.m, s.n)),
        u_(zeros<T>(values_.size(), s.m)),
        vt_(zeros<T>(s.n, values_.size())),
        integers_(8 * values_.size()) {
    work_.resize(1);
    check_info(call(-1), "gesdd");
    work_ = workspace(work_[0]);
  }
  void run() override {
    this->restore();
    check_info(call(size(work_.size())), "gesdd");
  }
  Check check() override {
    const Check values = check_singular_values<T>(this->input_, values_);
    if (!vectors_) return values;
    const At<T> u = [&](std::size_t i, std::size_t j) { return u_(j, i); };
    const std::size_t m = cols(this->input_), n = rows(this->input_), least = values_.size();
    const Check residual = check_factors<T>(
        m, n, least, u, [&](std::size_t i, std::size_t j) { return values_[i] * vt_(j, i); }, this->input());
    const Check left = check_orthonormal<T>(m, least, u);
    const Check right =
        check_orthonormal<T>(n, least, [&](std::size_t i, std::size_t j) { return vt_(i, j); });
    return worse(worse(values, residual), worse(left, right));
  }

 private:
  int call(int lwork) {
    Matrix<T>& a = this->a_;
    const int m = size(cols(a)), n = size(rows(a));
    // Without vectors neither factor is looked at, but both need a leading dimension.
    return cxxlapack::gesdd<int>(vectors_ ? 'S' : 'N', m, n, a.data(), m, values_.data(), u_.data(), m,
                                 vt_.data(), std::min(m, n), work_.data(), lwork, integers_.data());
  }
  bool vectors_;
  std::vector<T> values_;
  Matrix<T> u_, vt_;
  std::vector<T> work_;
  std::vector<int> integers_;
};

/// Eigenvalues and eigenvectors of a symmetric matrix.
template <class T>
class Syevd final : public Factorisation<T> {
 public:
  explicit Syevd(const Shape& s)
      : Factorisation<T>(definite_matrix<T>(s.n, 14)), values_(s.n), work_(1), integers_(5 * s.n + 3) {
    const int n = size(s.n);
    check_info(cxxlapack::syevd<int>('V', 'U', n, this->a_.data(), n, values_.data(), work_.data(), -1,
                                     integers_.data(), size(integers_.size())),
               "syevd");
    work_ = workspace(std::max(work_[0], static_cast<T>(1 + 6 * s.n + 2 * s.n * s.n)));
  }
  void run() override {
    this->restore();
    const int n = size(rows(this->a_));
    check_info(cxxlapack::syevd<int>('V', 'U', n, this->a_.data(), n, values_.data(), work_.data(),
                                     size(work_.size()), integers_.data(), size(integers_.size())),
               "syevd");
  }
  Check check() override {
    const Matrix<T>& v = this->a_;  // row j: eigenvector j
    const std::size_t n = rows(v);
    const At<T> column = [&](std::size_t i, std::size_t j) { return v(j, i); };
    const Check residual = check_factors<T>(
        n, n, n, column, [&](std::size_t i, std::size_t j) { return values_[i] * v(i, j); }, this->input());
    return worse(residual, check_orthonormal<T>(n, n, column));
  }

 private:
  std::vector<T> values_, work_;
  std::vector<int> integers_;
};

template <class T>
std::unique_ptr<Call> make(const Row& row) {
  const Shape& s = row.shape;
  if (row.operation == "potrf") return std::make_unique<Potrf<T>>(s);
  if (row.operation == "qr") return std::make_unique<Qr<T>>(s);
  if (row.operation == "svd_values") return std::make_unique<Svd<T>>(s, false);
  if (row.operation == "svd_thin") return std::make_unique<Svd<T>>(s, true);
  if (row.operation == "syevd") return std::make_unique<Syevd<T>>(s);
  return nullptr;
}

}  // namespace

std::unique_ptr<Call> make_lapack(const Row& row) {
  return row.type == Type::f32 ? make<float>(row) : make<double>(row);
}

}  // namespace perp::bench
