#pragma once
// One row of the bench, ready to run: inputs drawn, outputs allocated, and a check that trusts nobody.

#include <memory>
#include <string_view>

#include "bench/operation.hpp"

namespace perp::bench {

/// Largest error of a result in units of what rounding may do to it: good up to 1.
struct Check {
  double error = 0, bound = 0;
  std::string_view source;                      ///< of the bound
  bool good() const { return error <= bound; }  // NaN is not
};

class Call {
 public:
  virtual ~Call() = default;
  virtual void run() = 0;     ///< the timed call; factorisations copy their input first
  virtual Check check() = 0;  ///< of the result of the last run
};

/// Throws Error for an operation that there is not.
std::unique_ptr<Call> make_call(const Row& row);

// By who makes the call; each in a file of its own.
std::unique_ptr<Call> make_blas(const Row& row);     ///< gemm … trsm
std::unique_ptr<Call> make_lapack(const Row& row);   ///< potrf … syevd
std::unique_ptr<Call> make_checked(const Row& row);  ///< through perp's linalg
std::unique_ptr<Call> make_own(const Row& row);      ///< the library's fused kernels

}  // namespace perp::bench
