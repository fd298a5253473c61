// BLAS called as its own documentation says, row-major, with nothing around it.

#include <cblas.h>

#include "bench/call.hpp"
#include "bench/reference.hpp"
#include "perp/base/error.hpp"

namespace perp::bench {
namespace {

int size(std::size_t n) { return static_cast<int>(n); }

// One name per routine for both types.
void gemm(int m, int n, int k, const float* a, const float* b, float* c) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, n, k, 1, a, k, b, k, 0, c, n);
}
void gemm(int m, int n, int k, const double* a, const double* b, double* c) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, n, k, 1, a, k, b, k, 0, c, n);
}
void syrk(int n, int k, const float* a, float* c) {
  cblas_ssyrk(CblasRowMajor, CblasLower, CblasTrans, n, k, 1, a, n, 0, c, n);
}
void syrk(int n, int k, const double* a, double* c) {
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, n, k, 1, a, n, 0, c, n);
}
void gemv(int m, int n, const float* a, const float* x, float* y) {
  cblas_sgemv(CblasRowMajor, CblasNoTrans, m, n, 1, a, n, x, 1, 0, y, 1);
}
void gemv(int m, int n, const double* a, const double* x, double* y) {
  cblas_dgemv(CblasRowMajor, CblasNoTrans, m, n, 1, a, n, x, 1, 0, y, 1);
}
void ger(int m, int n, const float* x, const float* y, float* a) {
  cblas_sger(CblasRowMajor, m, n, 1, x, 1, y, 1, a, n);
}
void ger(int m, int n, const double* x, const double* y, double* a) {
  cblas_dger(CblasRowMajor, m, n, 1, x, 1, y, 1, a, n);
}
void trsm(int m, int n, const float* l, float* b) {
  cblas_strsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, m, n, 1, l, m, b, n);
}
void trsm(int m, int n, const double* l, double* b) {
  cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, m, n, 1, l, m, b, n);
}

/// C = A Bᵀ, two tables of row vectors, as the studies multiply them.
template <class T>
class Gemm final : public Call {
 public:
  explicit Gemm(const Shape& s)
      : a_(normal_matrix<T>(s.m, s.k, 1)), b_(normal_matrix<T>(s.n, s.k, 2)), c_(zeros<T>(s.m, s.n)) {}
  void run() override {
    gemm(size(rows(a_)), size(rows(b_)), size(cols(a_)), a_.data(), b_.data(), c_.data());
  }
  Check check() override {
    return check_product<T>(
        rows(a_), rows(b_), cols(a_), [&](std::size_t i, std::size_t j) { return a_(i, j); },
        [&](std::size_t i, std::size_t j) { return b_(j, i); },
        [&](std::size_t i, std::size_t j) { return c_(i, j); });
  }

 private:
  Matrix<T> a_, b_, c_;
};

/// The lower triangle of AᵀA.
template <class T>
class Syrk final : public Call {
 public:
  explicit Syrk(const Shape& s) : a_(normal_matrix<T>(s.k, s.n, 3)), c_(zeros<T>(s.n, s.n)) {}
  void run() override { syrk(size(cols(a_)), size(rows(a_)), a_.data(), c_.data()); }
  Check check() override {
    return check_product<T>(
        cols(a_), cols(a_), rows(a_), [&](std::size_t i, std::size_t j) { return a_(j, i); },
        [&](std::size_t i, std::size_t j) { return a_(i, j); },
        [&](std::size_t i, std::size_t j) { return i >= j ? c_(i, j) : c_(j, i); });
  }

 private:
  Matrix<T> a_, c_;
};

template <class T>
class Gemv final : public Call {
 public:
  explicit Gemv(const Shape& s)
      : a_(normal_matrix<T>(s.m, s.n, 4)), x_(normal_matrix<T>(s.n, 1, 5)), y_(zeros<T>(s.m, 1)) {}
  void run() override { gemv(size(rows(a_)), size(cols(a_)), a_.data(), x_.data(), y_.data()); }
  Check check() override {
    return check_product<T>(
        rows(a_), 1, cols(a_), [&](std::size_t i, std::size_t j) { return a_(i, j); },
        [&](std::size_t i, std::size_t) { return x_(i, 0); },
        [&](std::size_t i, std::size_t) { return y_(i, 0); });
  }

 private:
  Matrix<T> a_, x_, y_;
};

/// A += x yᵀ. The timed calls pile up; the check makes one into zeros.
template <class T>
class Ger final : public Call {
 public:
  explicit Ger(const Shape& s)
      : x_(normal_matrix<T>(s.m, 1, 6)), y_(normal_matrix<T>(s.n, 1, 7)), a_(zeros<T>(s.m, s.n)) {}
  void run() override { ger(size(rows(a_)), size(cols(a_)), x_.data(), y_.data(), a_.data()); }
  Check check() override {
    a_.fill(T{0});
    run();
    return check_product<T>(
        rows(a_), cols(a_), 1, [&](std::size_t i, std::size_t) { return x_(i, 0); },
        [&](std::size_t, std::size_t j) { return y_(j, 0); },
        [&](std::size_t i, std::size_t j) { return a_(i, j); });
  }

 private:
  Matrix<T> x_, y_, a_;
};

/// X of L X = B, L lower triangular and well-conditioned; B is copied first.
template <class T>
class Trsm final : public Call {
 public:
  explicit Trsm(const Shape& s) : l_(definite_matrix<T>(s.m, 8)), b_(normal_matrix<T>(s.m, s.n, 9)), x_(b_) {
    for (std::size_t i = 0; i < s.m; ++i)
      for (std::size_t j = i + 1; j < s.m; ++j) l_(i, j) = T{0};
  }
  void run() override {
    std::copy(b_.data(), b_.data() + b_.size(), x_.data());
    trsm(size(rows(l_)), size(cols(b_)), l_.data(), x_.data());
  }
  Check check() override {
    return check_product<T>(
        rows(l_), cols(b_), rows(l_), [&](std::size_t i, std::size_t j) { return l_(i, j); },
        [&](std::size_t i, std::size_t j) { return x_(i, j); },
        [&](std::size_t i, std::size_t j) { return b_(i, j); });
  }

 private:
  Matrix<T> l_, b_, x_;
};

template <class T>
std::unique_ptr<Call> make(const Row& row) {
  const Shape& s = row.shape;
  if (row.operation.starts_with("gemm")) return std::make_unique<Gemm<T>>(s);
  if (row.operation.starts_with("syrk")) return std::make_unique<Syrk<T>>(s);
  if (row.operation == "gemv") return std::make_unique<Gemv<T>>(s);
  if (row.operation == "ger") return std::make_unique<Ger<T>>(s);
  if (row.operation == "trsm") return std::make_unique<Trsm<T>>(s);
  return nullptr;
}

}  // namespace

std::unique_ptr<Call> make_blas(const Row& row) {
  return row.type == Type::f32 ? make<float>(row) : make<double>(row);
}

std::unique_ptr<Call> make_call(const Row& row) {
  std::unique_ptr<Call> call;
  if (row.through == Through::bare) {
    call = make_blas(row);
    if (!call) call = make_lapack(row);
  } else {
    call = row.through == Through::checked ? make_checked(row) : make_own(row);
  }
  if (!call) fail("no such call: {}", row.name());
  return call;
}

}  // namespace perp::bench
