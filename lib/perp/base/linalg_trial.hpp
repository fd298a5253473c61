#pragma once
// Whether BLAS and LAPACK are what they say: a few small calls whose answers are known.

namespace perp {

/// Throws Error{Exit::failed} naming the routine whose answer is wrong: gemm, syrk and potrf in both precisions. A library
/// that takes 64-bit integers, a wrong one, may also end the process, or never come back: ask in a process of its own
/// (study/blas_trial.hpp).
void try_blas();

}  // namespace perp
