#pragma once
// What blas-check asks of a library: every triangle, transposition and side at sizes around the edges of kernels and at
// shapes of public reports, in both precisions, on operands that are aligned and on ones that are not.

#include <vector>

#include "bench/call.hpp"

namespace perp::bench {

/// Sizes 1 to 16, about 32, 64, 128 and 256, and 300; `all`: 1 to 300. Small ones first.
std::vector<BareCall> grid_calls(bool all);

}  // namespace perp::bench
