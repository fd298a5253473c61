// BLAS called as its own documentation says, with nothing around it.

#include <cblas.h>

#include "bench/operand.hpp"

namespace perp::bench {
namespace {

int size(std::size_t n) { return static_cast<int>(n); }

// One name per routine for both types.
auto* gemm(float) { return cblas_sgemm; }
auto* gemm(double) { return cblas_dgemm; }
auto* syrk(float) { return cblas_ssyrk; }
auto* syrk(double) { return cblas_dsyrk; }
auto* gemv(float) { return cblas_sgemv; }
auto* gemv(double) { return cblas_dgemv; }
auto* ger(float) { return cblas_sger; }
auto* ger(double) { return cblas_dger; }
auto* trsm(float) { return cblas_strsm; }
auto* trsm(double) { return cblas_dtrsm; }
CBLAS_TRANSPOSE trans_of(bool turned) { return turned ? CblasTrans : CblasNoTrans; }
CBLAS_UPLO uplo_of(char letter) { return letter == 'U' ? CblasUpper : CblasLower; }

/// C = op(A) op(B); C holds NaNs before, which a factor of 0 has to overwrite.
template <class T>
class Gemm final : public Call {
 public:
  explicit Gemm(const BareCall& c)
      : shape_(c.shape),
        ta_(c.letters[0] == 'T'),
        tb_(c.letters[1] == 'T'),
        a_(normal_matrix<T>(shape_.m, shape_.k, 21), c.odd, Part::all, ta_),
        b_(normal_matrix<T>(shape_.k, shape_.n, 22), c.odd, Part::all, tb_),
        c_(shape_.m, shape_.n, c.odd) {}
  void run() override {
    gemm(T{})(CblasColMajor, trans_of(ta_), trans_of(tb_), size(shape_.m), size(shape_.n), size(shape_.k), 1,
              a_.data(), a_.ld(), b_.data(), b_.ld(), 0, c_.data(), c_.ld());
  }
  Check check() override {
    a_.require_unchanged("A");
    b_.require_unchanged("B");
    c_.require_guards("C");
    return check_product<T>(shape_.m, shape_.n, shape_.k, a_.all(ta_), b_.all(tb_), c_.all());
  }

 private:
  Shape shape_;
  bool ta_, tb_;
  Operand<T> a_, b_, c_;
};

/// A triangle of op(A) op(A)ᵀ, against the product that gemm has to give.
template <class T>
class Syrk final : public Call {
 public:
  explicit Syrk(const BareCall& c)
      : n_(c.shape.n),
        k_(c.shape.k),
        uplo_(c.letters[0]),
        t_(c.letters[1] == 'T'),
        a_(normal_matrix<T>(n_, k_, 23), c.odd, Part::all, t_),
        c_(n_, n_, c.odd, part_of(uplo_)) {}
  void run() override {
    syrk(T{})(CblasColMajor, uplo_of(uplo_), trans_of(t_), size(n_), size(k_), 1, a_.data(), a_.ld(), 0,
              c_.data(), c_.ld());
  }
  Check check() override {
    a_.require_unchanged("A");
    c_.require_guards("C");
    return check_product<T>(n_, n_, k_, a_.all(t_), a_.all(!t_), c_.symmetric());
  }

 private:
  std::size_t n_, k_;
  char uplo_;
  bool t_;
  Operand<T> a_, c_;
};

/// y = op(A) x.
template <class T>
class Gemv final : public Call {
 public:
  explicit Gemv(const BareCall& c)
      : m_(c.shape.m),
        n_(c.shape.n),
        t_(c.letters[0] == 'T'),
        a_(normal_matrix<T>(m_, n_, 24), c.odd, Part::all, t_),
        x_(normal_matrix<T>(n_, 1, 25), c.odd),
        y_(m_, 1, c.odd) {}
  void run() override {
    gemv(T{})(CblasColMajor, trans_of(t_), size(t_ ? n_ : m_), size(t_ ? m_ : n_), 1, a_.data(), a_.ld(),
              x_.data(), 1, 0, y_.data(), 1);
  }
  Check check() override {
    a_.require_unchanged("A");
    x_.require_unchanged("x");
    y_.require_guards("y");
    return check_product<T>(m_, 1, n_, a_.all(t_), x_.all(), y_.all());
  }

 private:
  std::size_t m_, n_;
  bool t_;
  Operand<T> a_, x_, y_;
};

/// A += x yᵀ. The timed calls pile up; the check makes one into zeros.
template <class T>
class Ger final : public Call {
 public:
  explicit Ger(const BareCall& c)
      : m_(c.shape.m),
        n_(c.shape.n),
        x_(normal_matrix<T>(m_, 1, 26), c.odd),
        y_(normal_matrix<T>(n_, 1, 27), c.odd),
        zeros_(zeros<T>(m_, n_), c.odd),
        a_(zeros<T>(m_, n_), c.odd) {}
  void run() override {
    ger(T{})(CblasColMajor, size(m_), size(n_), 1, x_.data(), 1, y_.data(), 1, a_.data(), a_.ld());
  }
  Check check() override {
    a_.restore(zeros_);
    run();
    x_.require_unchanged("x");
    y_.require_unchanged("y");
    a_.require_guards("A");
    return check_product<T>(m_, n_, 1, x_.all(), y_.all(true), a_.all());
  }

 private:
  std::size_t m_, n_;
  Operand<T> x_, y_, zeros_, a_;
};

/// op(A) X = B or X op(A) = B, A triangular and well-conditioned; B is copied first.
template <class T>
class Trsm final : public Call {
 public:
  explicit Trsm(const BareCall& c)
      : m_(c.shape.m),
        n_(c.shape.n),
        left_(c.letters[0] == 'L'),
        uplo_(c.letters[1]),
        t_(c.letters[2] == 'T'),
        a_(definite_matrix<T>(left_ ? m_ : n_, 28), c.odd, part_of(uplo_)),
        b_(normal_matrix<T>(m_, n_, 29), c.odd),
        x_(m_, n_, c.odd) {}
  void run() override {
    x_.restore(b_);
    trsm(T{})(CblasColMajor, left_ ? CblasLeft : CblasRight, uplo_of(uplo_), trans_of(t_), CblasNonUnit,
              size(m_), size(n_), 1, a_.data(), a_.ld(), x_.data(), x_.ld());
  }
  Check check() override {
    a_.require_unchanged("A");
    x_.require_guards("B");
    return left_ ? check_product<T>(m_, n_, m_, a_.triangle(t_), x_.all(), b_.all())
                 : check_product<T>(m_, n_, n_, x_.all(), a_.triangle(t_), b_.all());
  }

 private:
  std::size_t m_, n_;
  bool left_;
  char uplo_;
  bool t_;
  Operand<T> a_, b_, x_;
};

template <class T>
std::unique_ptr<Call> make(const BareCall& c) {
  if (c.operation == "gemm") return std::make_unique<Gemm<T>>(c);
  if (c.operation == "syrk") return std::make_unique<Syrk<T>>(c);
  if (c.operation == "gemv") return std::make_unique<Gemv<T>>(c);
  if (c.operation == "ger") return std::make_unique<Ger<T>>(c);
  if (c.operation == "trsm") return std::make_unique<Trsm<T>>(c);
  return nullptr;
}

}  // namespace

std::unique_ptr<Call> make_blas(const BareCall& c) {
  return c.type == Type::f32 ? make<float>(c) : make<double>(c);
}

}  // namespace perp::bench
