// LAPACK called bare. Workspaces are asked for once, outside the timed call; the input is copied inside, since LAPACK
// overwrites it.

// One name per routine for both types.
#define ASSERT(x) ((void)0)
#include <xtensor-blas/xlapack.hpp>
#undef ASSERT

#include "bench/operand.hpp"

namespace perp::bench {
namespace {

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

/// A = Uᵀ U or L Lᵀ.
template <class T>
Call make_potrf(const BareCall& call) {
  const std::size_t n = call.shape.n;
  const char uplo = call.letters[0];
  const Operand<T> input(definite_matrix<T>(n, 31), call.odd, part_of(uplo)),
      a(n, n, call.odd, part_of(uplo));
  return {[=] {
            a.restore(input);
            require_info(cxxlapack::potrf<int>(uplo, size(n), a.data(), a.ld()), "potrf");
          },
          [=] {
            a.require_guards("A");
            const bool upper = uplo == 'U';
            return check_product(unit_roundoff<T>, n, n, n, a.triangle(upper), a.triangle(!upper),
                                 input.symmetric());
          }};
}

/// A = Q R by geqrf, Q made explicit by orgqr.
template <class T>
Call make_geqrf(const BareCall& call) {
  const std::size_t m = call.shape.m, n = call.shape.n;
  const Operand<T> input(normal_matrix<T>(m, n, 32), call.odd), a(m, n, call.odd), r(zeros<T>(n, n), false);
  const auto tau = std::make_shared<std::vector<T>>(n);
  const auto geqrf = with_workspace<T>("geqrf", n, [=](T* work, int lwork) {
    return cxxlapack::geqrf<int>(size(m), size(n), a.data(), a.ld(), tau->data(), work, lwork);
  });
  const auto orgqr = with_workspace<T>("orgqr", n, [=](T* work, int lwork) {
    return cxxlapack::orgqr<int>(size(m), size(n), size(n), a.data(), a.ld(), tau->data(), work, lwork);
  });
  return {[=] {
            a.restore(input);
            geqrf();
            for (std::size_t j = 0; j < n; ++j)
              for (std::size_t i = 0; i <= j; ++i) r(i, j) = a(i, j);
            orgqr();
          },
          [=] {
            a.require_guards("A");
            return worse(check_factors(unit_roundoff<T>, m, n, n, a.all(), r.all(), input.all()),
                         check_orthonormal(unit_roundoff<T>, m, n, a.all()));
          }};
}

/// Singular values, with thin U and Vᵀ ("S") or alone ("N").
template <class T>
Call make_gesdd(const BareCall& call) {
  const std::size_t m = call.shape.m, n = call.shape.n, least = std::min(m, n);
  const char job = call.letters[0];
  const Operand<T> input(normal_matrix<T>(m, n, 33), call.odd), a(m, n, call.odd), u(m, least, call.odd),
      vt(least, n, call.odd);
  const auto values = std::make_shared<std::vector<T>>(least);
  const auto integers = std::make_shared<std::vector<int>>(8 * least);
  const auto gesdd =
      with_workspace<T>("gesdd", 4 * least * least + 7 * least + std::max(m, n), [=](T* work, int lwork) {
        return cxxlapack::gesdd<int>(job, size(m), size(n), a.data(), a.ld(), values->data(), u.data(),
                                     u.ld(), vt.data(), vt.ld(), work, lwork, integers->data());
      });
  return {[=] {
            a.restore(input);
            gesdd();
          },
          [=] {
            a.require_guards("A");
            u.require_guards("U");
            vt.require_guards("VT");
            const double unit = unit_roundoff<T>;
            const Check spectrum =
                check_singular_values(unit, m, n, input.all(), {values->begin(), values->end()});
            if (job == 'N') return spectrum;
            const At scaled = [&](std::size_t i, std::size_t j) { return (*values)[i] * vt(i, j); };
            return worse(worse(spectrum, check_factors(unit, m, n, least, u.all(), scaled, input.all())),
                         worse(check_orthonormal(unit, m, least, u.all()),
                               check_orthonormal(unit, n, least, vt.all(true))));
          }};
}

/// Eigenvalues and eigenvectors of a symmetric matrix; vectors take the place of the other triangle, too.
template <class T>
Call make_syevd(const BareCall& call) {
  const std::size_t n = call.shape.n;
  const char uplo = call.letters[0];
  const Operand<T> input(definite_matrix<T>(n, 34), call.odd, part_of(uplo)), a(n, n, call.odd);
  const auto values = std::make_shared<std::vector<T>>(n);
  const auto integers = std::make_shared<std::vector<int>>(5 * n + 3);
  const auto syevd = with_workspace<T>("syevd", 1 + 6 * n + 2 * n * n, [=](T* work, int lwork) {
    return cxxlapack::syevd<int>('V', uplo, size(n), a.data(), a.ld(), values->data(), work, lwork,
                                 integers->data(), lwork < 0 ? -1 : size(integers->size()));
  });
  return {[=] {
            a.restore(input);
            syevd();
          },
          [=] {
            a.require_guards("A");
            const At scaled = [&](std::size_t i, std::size_t j) { return (*values)[i] * a(j, i); };
            return worse(check_factors(unit_roundoff<T>, n, n, n, a.all(), scaled, input.symmetric()),
                         check_orthonormal(unit_roundoff<T>, n, n, a.all()));
          }};
}

template <class T>
Call make(const BareCall& call) {
  if (call.operation == "potrf") return make_potrf<T>(call);
  if (call.operation == "geqrf") return make_geqrf<T>(call);
  if (call.operation == "gesdd") return make_gesdd<T>(call);
  return make_syevd<T>(call);
}

}  // namespace

Call make_lapack(const BareCall& call) {
  return call.type == Type::f32 ? make<float>(call) : make<double>(call);
}

}  // namespace perp::bench
