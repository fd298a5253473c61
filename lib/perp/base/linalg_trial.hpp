#pragma once
// Whether BLAS and LAPACK are what they say: a few small calls whose answers are known.

#include <cstddef>

namespace perp {

/// Throws Error{Exit::failed} naming the routine whose answer is wrong, in either precision: products, some of them of shapes
/// that libraries treat apart, and each decomposition once; with `threads` above 1 products again, in two threads at once.
/// What `perp blas-check` asks of every size is more. A library that takes 64-bit integers, a wrong one, may also end the
/// process, or never come back: ask in a process of its own (study/blas_trial.hpp).
void try_blas(std::size_t threads);

}  // namespace perp
