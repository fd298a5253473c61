// What settle_blas makes of the library that was loaded, for tests/cli/kernels.sh: a line at every start,
// then the settlement.

#include <cstdio>
#include <cstdlib>

#include "perp/base/blas.hpp"
#include "perp/base/error.hpp"

int main(int, char** argv) {
  std::puts("started");
  std::fflush(stdout);  // exec drops what is not written
  try {
    perp::settle_blas(argv);
  } catch (const perp::Error& error) {
    std::printf("refused: %s\n", error.what());
    return static_cast<int>(error.exit());
  }
  const perp::KernelSettlement& settled = perp::kernel_settlement();
  const char* threads = std::getenv("OPENBLAS_NUM_THREADS");
  std::printf("runs: %s\npicked: %s\nchosen: %s\nwhy: %s\nwarning: %s\nthreads: %s\n",
              perp::loaded_blas().kernel.c_str(), settled.picked.c_str(), settled.chosen.c_str(),
              settled.why.c_str(), settled.warning.c_str(), threads ? threads : "");
}
