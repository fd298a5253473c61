#include "perp/base/blas_room.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "perp/base/parallel.hpp"

#ifdef PERP_PORTABLE
extern "C" void perp_refuse_older_processors(int, char**, char**);
#else
static void perp_refuse_older_processors(int, char**, char**) {}
#endif

namespace perp {
namespace {

/// MiB, with OpenBLAS 0.3.21: a program of one thread on one processor ran with 184, with a stack more for
/// each other processor; another thread maps a buffer of 128 and has a stack of 8 and a heap of 128 at most.
std::size_t first_thread() { return 192 + 8 * available_threads(); }
constexpr std::size_t other_thread = 264;

/// MiB; the most there is without a limit.
std::size_t allowed() {
  rlimit limit{};
  return (getrlimit(RLIMIT_AS, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY) >> 20U;
}

// Nothing but the C library is ready here.
void look_at_limit(int count, char** arguments, char** environment) {
  perp_refuse_older_processors(count, arguments, environment);
  if (allowed() >= first_thread()) return;
  std::array<char, 400> line{};
  const int length =
      std::snprintf(line.data(), line.size(),
                    "%.200s: this process may have %zu MiB, BLAS takes %zu; raise the limit on "
                    "the address space (ulimit -v)\n",
                    arguments[0], allowed(), first_thread());
  [[maybe_unused]] const ssize_t written =
      write(STDERR_FILENO, line.data(), static_cast<std::size_t>(length));
  _exit(1);
}
using BeforeLibraries = void (*)(int, char**, char**);
[[gnu::used, gnu::section(".preinit_array")]] BeforeLibraries before_libraries = look_at_limit;

}  // namespace

std::size_t threads_with_room(std::size_t wanted) {
  const std::size_t others = (std::max(allowed(), first_thread()) - first_thread()) / other_thread;
  return std::min(wanted, 1 + others);
}

}  // namespace perp
