#pragma once
// What BLAS takes of the memory that a shell allows (ulimit -v, -d). Where there is less, OpenBLAS ends the process by a
// signal before main, or asks for memory for ever: so the limits are looked at first, in every program, before any library
// begins. Too little for one thread, or for the stack of one (ulimit -s), ends it with one line and exit code 1.

#include <cstddef>

namespace perp {

/// As many threads of `wanted` as can multiply matrices within the limits, at least one. Where there is a limit, BLAS has
/// their buffers afterwards: memory that the program itself then lacks is said, where BLAS would wait for it. Call it before
/// any other thread calls BLAS. Throws Error{Exit::failed} where not even the first buffer can be had.
std::size_t threads_with_room(std::size_t wanted);

}  // namespace perp
