// Alone in its file: a program that brings mpi/ranks.cpp along has this function already, and the linker then
// leaves this one in the library.

#include "perp/study/ranks.hpp"

namespace perp {

std::unique_ptr<Ranks> join_ranks() { return one_rank(); }

}  // namespace perp
