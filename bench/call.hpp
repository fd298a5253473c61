#pragma once
// One row of the bench or of blas-check, ready to run: inputs drawn, outputs allocated, and a check that trusts nobody.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/operation.hpp"

namespace perp::bench {

/// Largest error of a result in units of what rounding may do to it: good up to 1.
struct Check {
  double error = 0, bound = 0;
  std::string_view source;                      ///< of the bound
  bool good() const { return error <= bound; }  // NaN is not
  std::string said() const;                     ///< "error 7, bound 1"
};

struct Call {
  std::function<void()> run;  ///< what is timed; factorisations copy their input first
  /// Of the result of the last run. Throws Error where a routine wrote beside its operands.
  std::function<Check()> check;
};

/// A call of BLAS or LAPACK itself. Matrices are in columns, as Fortran has them.
struct BareCall {
  std::string_view operation;  ///< gemm, syrk, gemv, ger, trsm, potrf, geqrf, gesdd, syevd
  std::string_view letters;    ///< in BLAS's order: "TN", "UT", "LUT", "U", "S"; "-" where there are none
  Type type = Type::f32;
  Shape shape;
  bool odd = false;          ///< operands are not aligned, and leading dimensions larger than they have to be
  std::string name() const;  ///< "syrk/UT/f64/55x165/shifted"
};

/// The row of that name, or nothing where it is a name of a BareCall. Throws Error for neither.
std::optional<Row> row_of(std::string_view name);
/// The call of a row or a BareCall by its name. Throws Error for an operation that there is not, as these do:
Call make_call(std::string_view name);
Call make_blas(const BareCall& call);    ///< gemm … trsm
Call make_lapack(const BareCall& call);  ///< potrf … syevd

/// What blas-check asks of a library: every triangle, transposition and side at sizes around the edges of kernels and at
/// shapes of public reports, in both precisions, on operands that are aligned and on ones that are not. Sizes 1 to 16,
/// about 32, 64, 128 and 256, and 300; `all`: 1 to 300. Small ones first.
std::vector<BareCall> grid_calls(bool all);

}  // namespace perp::bench
