// BLAS and LAPACK called as their own documentation says, with nothing around them. Workspaces are asked for once, outside
// the timed call; an input that LAPACK overwrites is copied inside.

#include <cblas.h>
#define ASSERT(x) ((void)0)
#include <xtensor-blas/xlapack.hpp>
#undef ASSERT

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
Call make_gemm(const BareCall& call) {
  const std::size_t m = call.shape.m, n = call.shape.n, k = call.shape.k;
  const bool ta = call.letters[0] == 'T', tb = call.letters[1] == 'T';
  const auto a = operand(normal_matrix<T>(m, k, 21), call.odd, Part::all, ta),
             b = operand(normal_matrix<T>(k, n, 22), call.odd, Part::all, tb), c = operand<T>(m, n, call.odd);
  return {[=] {
            gemm(T{})(CblasColMajor, trans_of(ta), trans_of(tb), size(m), size(n), size(k), 1, a->data(),
                      a->ld(), b->data(), b->ld(), 0, c->data(), c->ld());
          },
          [=] {
            a->require_unchanged("A");
            b->require_unchanged("B");
            c->require_guards("C");
            return check_product(unit_roundoff<T>, m, n, k, a->all(ta), b->all(tb), c->all());
          }};
}

/// A triangle of op(A) op(A)ᵀ, against the product that gemm has to give.
template <class T>
Call make_syrk(const BareCall& call) {
  const std::size_t n = call.shape.n, k = call.shape.k;
  const char uplo = call.letters[0];
  const bool t = call.letters[1] == 'T';
  const auto a = operand(normal_matrix<T>(n, k, 23), call.odd, Part::all, t),
             c = operand<T>(n, n, call.odd, part_of(uplo));
  return {[=] {
            syrk(T{})(CblasColMajor, uplo_of(uplo), trans_of(t), size(n), size(k), 1, a->data(), a->ld(), 0,
                      c->data(), c->ld());
          },
          [=] {
            a->require_unchanged("A");
            c->require_guards("C");
            return check_product(unit_roundoff<T>, n, n, k, a->all(t), a->all(!t), c->symmetric());
          }};
}

/// y = op(A) x.
template <class T>
Call make_gemv(const BareCall& call) {
  const std::size_t m = call.shape.m, n = call.shape.n;
  const bool t = call.letters[0] == 'T';
  const auto a = operand(normal_matrix<T>(m, n, 24), call.odd, Part::all, t),
             x = operand(normal_matrix<T>(n, 1, 25), call.odd), y = operand<T>(m, 1, call.odd);
  return {[=] {
            gemv(T{})(CblasColMajor, trans_of(t), size(t ? n : m), size(t ? m : n), 1, a->data(), a->ld(),
                      x->data(), 1, 0, y->data(), 1);
          },
          [=] {
            a->require_unchanged("A");
            x->require_unchanged("x");
            y->require_guards("y");
            return check_product(unit_roundoff<T>, m, 1, n, a->all(t), x->all(), y->all());
          }};
}

/// A += x yᵀ. The timed calls pile up; the check makes one into zeros.
template <class T>
Call make_ger(const BareCall& call) {
  const std::size_t m = call.shape.m, n = call.shape.n;
  const auto x = operand(normal_matrix<T>(m, 1, 26), call.odd),
             y = operand(normal_matrix<T>(n, 1, 27), call.odd), none = operand(zeros<T>(m, n), call.odd),
             a = operand(zeros<T>(m, n), call.odd);
  const auto run = [=] {
    ger(T{})(CblasColMajor, size(m), size(n), 1, x->data(), 1, y->data(), 1, a->data(), a->ld());
  };
  return {run, [=] {
            a->restore(*none);
            run();
            x->require_unchanged("x");
            y->require_unchanged("y");
            a->require_guards("A");
            return check_product(unit_roundoff<T>, m, n, 1, x->all(), y->all(true), a->all());
          }};
}

/// op(A) X = B or X op(A) = B, A triangular and well-conditioned; B is copied first.
template <class T>
Call make_trsm(const BareCall& call) {
  const std::size_t m = call.shape.m, n = call.shape.n;
  const bool left = call.letters[0] == 'L', t = call.letters[2] == 'T';
  const char uplo = call.letters[1];
  const auto a = operand(definite_matrix<T>(left ? m : n, 28), call.odd, part_of(uplo)),
             b = operand(normal_matrix<T>(m, n, 29), call.odd), x = operand<T>(m, n, call.odd);
  return {[=] {
            x->restore(*b);
            trsm(T{})(CblasColMajor, left ? CblasLeft : CblasRight, uplo_of(uplo), trans_of(t), CblasNonUnit,
                      size(m), size(n), 1, a->data(), a->ld(), x->data(), x->ld());
          },
          [=] {
            a->require_unchanged("A");
            x->require_guards("B");
            const At op = a->triangle(t);
            return left ? check_product(unit_roundoff<T>, m, n, m, op, x->all(), b->all())
                        : check_product(unit_roundoff<T>, m, n, n, x->all(), op, b->all());
          }};
}

// LAPACK: xtensor-blas has one name per routine for both types.
void require_info(int info, std::string_view routine) {
  if (info != 0) fail("{}: info = {}", routine, info);
}

/// A routine with a workspace as large as it asks for, or the least that is documented, whichever is more: queries in
/// float32 may be rounded down (OpenBLAS before 0.3.25), hence an eighth more.
template <class T, class Routine>
auto with_workspace(std::string_view name, std::size_t least, const Routine& routine) {
  T query{};
  require_info(routine(&query, -1), name);
  const auto asked = static_cast<std::size_t>(query);
  const auto work = std::make_shared<std::vector<T>>(std::max(least, asked + asked / 8) + 64);
  return [=] { require_info(routine(work->data(), size(work->size())), name); };
}

template <class T>
auto numbers(std::size_t count) {
  return std::make_shared<std::vector<T>>(count);
}

/// A = Uᵀ U or L Lᵀ.
template <class T>
Call make_potrf(const BareCall& call) {
  const std::size_t n = call.shape.n;
  const char uplo = call.letters[0];
  const auto input = operand(definite_matrix<T>(n, 31), call.odd, part_of(uplo)),
             a = operand<T>(n, n, call.odd, part_of(uplo));
  return {[=] {
            a->restore(*input);
            require_info(cxxlapack::potrf<int>(uplo, size(n), a->data(), a->ld()), "potrf");
          },
          [=] {
            a->require_guards("A");
            const bool upper = uplo == 'U';
            return check_product(unit_roundoff<T>, n, n, n, a->triangle(upper), a->triangle(!upper),
                                 input->symmetric());
          }};
}

/// A = Q R by geqrf, Q made explicit by orgqr.
template <class T>
Call make_geqrf(const BareCall& call) {
  const std::size_t m = call.shape.m, n = call.shape.n;
  const auto input = operand(normal_matrix<T>(m, n, 32), call.odd), a = operand<T>(m, n, call.odd),
             r = operand(zeros<T>(n, n), false);
  const auto tau = numbers<T>(n);
  const auto geqrf = with_workspace<T>("geqrf", n, [=](T* work, int lwork) {
    return cxxlapack::geqrf<int>(size(m), size(n), a->data(), a->ld(), tau->data(), work, lwork);
  });
  const auto orgqr = with_workspace<T>("orgqr", n, [=](T* work, int lwork) {
    return cxxlapack::orgqr<int>(size(m), size(n), size(n), a->data(), a->ld(), tau->data(), work, lwork);
  });
  return {[=] {
            a->restore(*input);
            geqrf();
            for (std::size_t j = 0; j < n; ++j)
              for (std::size_t i = 0; i <= j; ++i) (*r)(i, j) = (*a)(i, j);
            orgqr();
          },
          [=] {
            a->require_guards("A");
            return worse(check_factors(unit_roundoff<T>, m, n, n, a->all(), r->all(), input->all()),
                         check_orthonormal(unit_roundoff<T>, m, n, a->all()));
          }};
}

/// Singular values, with thin U and Vᵀ ("S") or alone ("N").
template <class T>
Call make_gesdd(const BareCall& call) {
  const std::size_t m = call.shape.m, n = call.shape.n, least = std::min(m, n);
  const char job = call.letters[0];
  const auto input = operand(normal_matrix<T>(m, n, 33), call.odd), a = operand<T>(m, n, call.odd),
             u = operand<T>(m, least, call.odd), vt = operand<T>(least, n, call.odd);
  const auto values = numbers<T>(least);
  const auto integers = numbers<int>(8 * least);
  const auto gesdd =
      with_workspace<T>("gesdd", 4 * least * least + 7 * least + std::max(m, n), [=](T* work, int lwork) {
        return cxxlapack::gesdd<int>(job, size(m), size(n), a->data(), a->ld(), values->data(), u->data(),
                                     u->ld(), vt->data(), vt->ld(), work, lwork, integers->data());
      });
  return {[=] {
            a->restore(*input);
            gesdd();
          },
          [=] {
            a->require_guards("A");
            u->require_guards("U");
            vt->require_guards("VT");
            const double unit = unit_roundoff<T>;
            const Check spectrum =
                check_singular_values(unit, m, n, input->all(), {values->begin(), values->end()});
            if (job == 'N') return spectrum;
            const At scaled = [&](std::size_t i, std::size_t j) { return (*values)[i] * (*vt)(i, j); };
            return worse(worse(spectrum, check_factors(unit, m, n, least, u->all(), scaled, input->all())),
                         worse(check_orthonormal(unit, m, least, u->all()),
                               check_orthonormal(unit, n, least, vt->all(true))));
          }};
}

/// Eigenvalues and eigenvectors of a symmetric matrix; vectors take the place of the other triangle, too.
template <class T>
Call make_syevd(const BareCall& call) {
  const std::size_t n = call.shape.n;
  const char uplo = call.letters[0];
  const auto input = operand(definite_matrix<T>(n, 34), call.odd, part_of(uplo)),
             a = operand<T>(n, n, call.odd);
  const auto values = numbers<T>(n);
  const auto integers = numbers<int>(5 * n + 3);
  const auto syevd = with_workspace<T>("syevd", 1 + 6 * n + 2 * n * n, [=](T* work, int lwork) {
    return cxxlapack::syevd<int>('V', uplo, size(n), a->data(), a->ld(), values->data(), work, lwork,
                                 integers->data(), lwork < 0 ? -1 : size(integers->size()));
  });
  return {[=] {
            a->restore(*input);
            syevd();
          },
          [=] {
            a->require_guards("A");
            const At scaled = [&](std::size_t i, std::size_t j) { return (*values)[i] * (*a)(j, i); };
            return worse(check_factors(unit_roundoff<T>, n, n, n, a->all(), scaled, input->symmetric()),
                         check_orthonormal(unit_roundoff<T>, n, n, a->all()));
          }};
}

template <class T>
Call make(const BareCall& call) {
  constexpr std::pair<std::string_view, Call (*)(const BareCall&)> all[] = {
      {"gemm", make_gemm<T>},   {"syrk", make_syrk<T>},   {"gemv", make_gemv<T>},
      {"ger", make_ger<T>},     {"trsm", make_trsm<T>},   {"potrf", make_potrf<T>},
      {"geqrf", make_geqrf<T>}, {"gesdd", make_gesdd<T>}, {"syevd", make_syevd<T>}};
  for (const auto& [operation, of] : all)
    if (call.operation == operation) return of(call);
  fail("no such call: {}", call.name());
}

}  // namespace

Call make_call(const BareCall& call) {
  return call.type == Type::f32 ? make<float>(call) : make<double>(call);
}

}  // namespace perp::bench
