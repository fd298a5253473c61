// BLAS called as its own documentation says, with nothing around it.

#include <cblas.h>

#include "bench/operand.hpp"

namespace perp::bench {
namespace {

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
Call make_gemm(const BareCall& call) {
  const std::size_t m = call.shape.m, n = call.shape.n, k = call.shape.k;
  const bool ta = call.letters[0] == 'T', tb = call.letters[1] == 'T';
  const Operand<T> a(normal_matrix<T>(m, k, 21), call.odd, Part::all, ta),
      b(normal_matrix<T>(k, n, 22), call.odd, Part::all, tb), c(m, n, call.odd);
  return {[=] {
            gemm(T{})(CblasColMajor, trans_of(ta), trans_of(tb), size(m), size(n), size(k), 1, a.data(),
                      a.ld(), b.data(), b.ld(), 0, c.data(), c.ld());
          },
          [=] {
            a.require_unchanged("A");
            b.require_unchanged("B");
            c.require_guards("C");
            return check_product(unit_roundoff<T>, m, n, k, a.all(ta), b.all(tb), c.all());
          }};
}

/// A triangle of op(A) op(A)ᵀ, against the product that gemm has to give.
template <class T>
Call make_syrk(const BareCall& call) {
  const std::size_t n = call.shape.n, k = call.shape.k;
  const char uplo = call.letters[0];
  const bool t = call.letters[1] == 'T';
  const Operand<T> a(normal_matrix<T>(n, k, 23), call.odd, Part::all, t), c(n, n, call.odd, part_of(uplo));
  return {[=] {
            syrk(T{})(CblasColMajor, uplo_of(uplo), trans_of(t), size(n), size(k), 1, a.data(), a.ld(), 0,
                      c.data(), c.ld());
          },
          [=] {
            a.require_unchanged("A");
            c.require_guards("C");
            return check_product(unit_roundoff<T>, n, n, k, a.all(t), a.all(!t), c.symmetric());
          }};
}

/// y = op(A) x.
template <class T>
Call make_gemv(const BareCall& call) {
  const std::size_t m = call.shape.m, n = call.shape.n;
  const bool t = call.letters[0] == 'T';
  const Operand<T> a(normal_matrix<T>(m, n, 24), call.odd, Part::all, t),
      x(normal_matrix<T>(n, 1, 25), call.odd), y(m, 1, call.odd);
  return {[=] {
            gemv(T{})(CblasColMajor, trans_of(t), size(t ? n : m), size(t ? m : n), 1, a.data(), a.ld(),
                      x.data(), 1, 0, y.data(), 1);
          },
          [=] {
            a.require_unchanged("A");
            x.require_unchanged("x");
            y.require_guards("y");
            return check_product(unit_roundoff<T>, m, 1, n, a.all(t), x.all(), y.all());
          }};
}

/// A += x yᵀ. The timed calls pile up; the check makes one into zeros.
template <class T>
Call make_ger(const BareCall& call) {
  const std::size_t m = call.shape.m, n = call.shape.n;
  const Operand<T> x(normal_matrix<T>(m, 1, 26), call.odd), y(normal_matrix<T>(n, 1, 27), call.odd),
      none(zeros<T>(m, n), call.odd), a(zeros<T>(m, n), call.odd);
  const auto run = [=] {
    ger(T{})(CblasColMajor, size(m), size(n), 1, x.data(), 1, y.data(), 1, a.data(), a.ld());
  };
  return {run, [=] {
            a.restore(none);
            run();
            x.require_unchanged("x");
            y.require_unchanged("y");
            a.require_guards("A");
            return check_product(unit_roundoff<T>, m, n, 1, x.all(), y.all(true), a.all());
          }};
}

/// op(A) X = B or X op(A) = B, A triangular and well-conditioned; B is copied first.
template <class T>
Call make_trsm(const BareCall& call) {
  const std::size_t m = call.shape.m, n = call.shape.n;
  const bool left = call.letters[0] == 'L', t = call.letters[2] == 'T';
  const char uplo = call.letters[1];
  const Operand<T> a(definite_matrix<T>(left ? m : n, 28), call.odd, part_of(uplo)),
      b(normal_matrix<T>(m, n, 29), call.odd), x(m, n, call.odd);
  return {[=] {
            x.restore(b);
            trsm(T{})(CblasColMajor, left ? CblasLeft : CblasRight, uplo_of(uplo), trans_of(t), CblasNonUnit,
                      size(m), size(n), 1, a.data(), a.ld(), x.data(), x.ld());
          },
          [=] {
            a.require_unchanged("A");
            x.require_guards("B");
            const At op = a.triangle(t);
            return left ? check_product(unit_roundoff<T>, m, n, m, op, x.all(), b.all())
                        : check_product(unit_roundoff<T>, m, n, n, x.all(), op, b.all());
          }};
}

template <class T>
Call make(const BareCall& call) {
  if (call.operation == "gemm") return make_gemm<T>(call);
  if (call.operation == "syrk") return make_syrk<T>(call);
  if (call.operation == "gemv") return make_gemv<T>(call);
  if (call.operation == "ger") return make_ger<T>(call);
  if (call.operation == "trsm") return make_trsm<T>(call);
  fail("no such call: {}", call.name());
}

}  // namespace

Call make_blas(const BareCall& call) {
  return call.type == Type::f32 ? make<float>(call) : make<double>(call);
}

}  // namespace perp::bench
