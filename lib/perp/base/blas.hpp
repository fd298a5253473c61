#pragma once
// Which BLAS and LAPACK the loader really loaded, and how their own threads are kept out of the way.

#include <string>

namespace perp {

struct BlasIdentity {
  std::string name;         ///< "OpenBLAS", "BLIS", "MKL", "ATLAS", "reference" or "unknown"
  std::string version;      ///< as the library states it, or empty
  std::string kernel;       ///< the core type or kernel set it chose, or empty
  std::string path;         ///< resolved file that answers cblas_dgemm
  std::string lapack_path;  ///< resolved file that answers dgesdd_
};
BlasIdentity loaded_blas();

/// Sets every known BLAS's thread variable to 1 and, if any was different, replaces the process by itself
/// once (an OpenMP build reads its variable only when it is loaded). Call first thing in main, before any
/// thread.
void pin_blas_threads(char** argv);

}  // namespace perp
