#pragma once
// Which BLAS and LAPACK the loader really loaded, and how threads and kernels of a BLAS are settled before
// any work.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace perp {

struct BlasIdentity {
  std::string name;         ///< "OpenBLAS", "BLIS", "MKL", "ATLAS", "reference" or "unknown"
  std::string version;      ///< as the library states it, or empty
  std::string kernel;       ///< the core type or kernel set that runs, or empty
  std::string path;         ///< resolved file that answers cblas_dgemm
  std::string lapack_path;  ///< resolved file that answers dgesdd_
  bool dynamic = false;     ///< kernels for several core types: OpenBLAS with DYNAMIC_ARCH, or BLIS
  bool one_caller = false;  ///< two threads that call it at once spoil each other's results
};
BlasIdentity loaded_blas();

/// As many of `threads` as may call the loaded BLAS at once; parallel_for asks for itself. It is one for an OpenBLAS built
/// without threads, which hands its buffers out without a lock (OpenBLAS, issue 2126): of float32 products of 8 x 8 that two
/// threads asked of Debian's libopenblas0-serial 0.3.21 (SkylakeX) one in ninety was wrong.
std::size_t callers_at_once(std::size_t threads);

/// How the kernels that run were come by; base/kernels.hpp has the table.
struct KernelSettlement {
  std::string picked;   ///< by the library itself; empty where it does not say
  std::string chosen;   ///< asked for by this program; empty where the library's pick stands
  std::string why;      ///< one line
  std::string warning;  ///< one line for people, empty if all is as it should be
};

/// Sets every known BLAS's thread variable to 1 and asks OpenBLAS or BLIS for the kernels that suit the
/// processor (PERP_KERNELS=best|as-picked|NAME; the user's own OPENBLAS_CORETYPE or BLIS_ARCH_TYPE stands).
/// Libraries read both when they are loaded: if anything is to change, the process is replaced by itself,
/// once; kernels that do not take are a warning and never a second restart. Call first thing in main, before
/// any thread. Throws Error{Exit::unusable} for a PERP_KERNELS that cannot be had, Error{Exit::failed} if the
/// process cannot be replaced.
void settle_blas(char** argv);

/// LD_LIBRARY_PATH as it is for a program that looks for libraries in `folder` first.
std::string loader_path_from(const std::string& folder);

/// Has the loader look for libraries in `folder` first: if it does not yet, `before` is called, the process is replaced by
/// itself, and what settle_blas then does is for the library that is found there. Throws what `before` throws, and
/// Error{Exit::failed} if the process cannot be replaced.
void load_first_from(const std::string& folder, char** argv, const std::function<void()>& before);

/// A core type and what has to stand in the environment before the library is loaded.
struct KernelSetting {
  std::string core, variable, value;
};
/// Every core type that the loaded library holds and this processor runs usefully (usable_cores); empty for a
/// library that cannot be told.
std::vector<KernelSetting> usable_kernels();

/// What settle_blas found; nothing chosen before it was called.
const KernelSettlement& kernel_settlement();

// What BLAS takes of the memory that a shell allows (ulimit -v, -d). Where there is less, OpenBLAS ends the process by a
// signal before main, or asks for memory for ever: so the limits are looked at first, in every program, before any library
// begins. Too little for one thread, or for the stack of one (ulimit -s), ends it with one line and exit code 1.

/// As many threads of `wanted` as can multiply matrices within the limits, at least one. Where there is a limit, BLAS has
/// their buffers afterwards: memory that the program itself then lacks is said, where BLAS would wait for it. Call it before
/// any other thread calls BLAS. Throws Error{Exit::failed} where not even the first buffer can be had.
std::size_t threads_with_room(std::size_t wanted);

// Whether BLAS and LAPACK are what they say: a few small calls whose answers are known.

/// Throws Error{Exit::failed} naming the routine whose answer is wrong, in either precision: products, some of them of shapes
/// that libraries treat apart, and each decomposition once; with `threads` above 1 products again, in two threads at once.
/// What `perp blas-check` asks of every size is more. A library that takes 64-bit integers, a wrong one, may also end the
/// process, or never come back: ask in a process of its own (study/start.hpp).
void try_blas(std::size_t threads);

}  // namespace perp
