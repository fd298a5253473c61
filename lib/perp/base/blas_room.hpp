#pragma once
// What BLAS takes of the address space. Where a limit (ulimit -v) leaves less, OpenBLAS ends the process by a
// signal before main, or asks for memory for ever: so the limit is looked at first. A program that calls this
// is looked at before any library begins, too: too little for one thread ends it with one line and exit
// code 1.

#include <cstddef>

namespace perp {

/// As many threads of `wanted` as can multiply matrices within the limit.
std::size_t threads_with_room(std::size_t wanted);

}  // namespace perp
