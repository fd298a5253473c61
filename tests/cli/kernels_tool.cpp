// What settle_blas makes of the library that was loaded, for tests/cli/kernels.sh: a line at every start,
// then the settlement.

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <thread>

#include "perp/base/blas.hpp"
#include "perp/base/error.hpp"
#include "perp/base/parallel.hpp"

/// Threads that four tasks run on.
std::size_t workers() {
  std::array<std::thread::id, 4> ids;
  perp::parallel_for(ids.size(), ids.size(), [&](std::size_t i) {
    ids.at(i) = std::this_thread::get_id();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  });
  return std::set(ids.begin(), ids.end()).size();
}

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
  std::printf("runs: %s\npicked: %s\nchosen: %s\nwhy: %s\nwarning: %s\nthreads: %s\nworkers: %zu\n",
              perp::loaded_blas().kernel.c_str(), settled.picked.c_str(), settled.chosen.c_str(),
              settled.why.c_str(), settled.warning.c_str(), threads ? threads : "", workers());
}
