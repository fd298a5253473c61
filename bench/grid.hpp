#pragma once
// What blas-check asks of a library: every triangle, transposition and side at sizes around the edges of kernels and at
// shapes of public reports, in both precisions, on operands that are aligned and on ones that are not, whose leading
// dimension is larger than they are. Around every operand and in what a call must not read lie NaNs, which a result
// would show and which have to be there afterwards.

#include <string>
#include <string_view>
#include <vector>

#include "bench/call.hpp"

namespace perp::bench {

/// One call. Matrices are in columns, as Fortran has them.
struct GridCase {
  std::string_view operation;  ///< gemm, syrk, trsm, potrf, geqrf, gesdd, syevd
  std::string_view
      variant;  ///< its letters in BLAS's order: "TN", "UT", "LUT", "U", "S"; "-" where there are none
  Type type = Type::f32;
  Shape shape;
  bool odd = false;          ///< at the second element of an aligned place, leading dimension larger by three
  std::string name() const;  ///< "syrk/UT/f64/55x165/shifted"
  bool is_lapack() const;
};

/// Sizes 1 to 16, about 32, 64, 128 and 256, and 300; `all`: 1 to 300. Small ones first.
std::vector<GridCase> grid_cases(bool all);

/// Makes the call and holds its result and everything around it. Throws Error where a routine says that it failed, or
/// where it wrote beside its operands.
Check check_case(const GridCase& grid_case);

}  // namespace perp::bench
