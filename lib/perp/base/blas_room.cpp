#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <vector>

#include "perp/base/blas.hpp"
#include "perp/base/error.hpp"
#include "perp/base/memory.hpp"
#include "perp/base/parallel.hpp"

#ifdef PERP_PORTABLE
extern "C" void perp_refuse_older_processors(int, char**, char**);
#else
static void perp_refuse_older_processors(int, char**, char**) {}
#endif

namespace perp {
namespace {

/// KiB that a thread's stack may have: of this thread, and of those that the C library makes.
std::size_t stack() {
  rlimit limit{};
  constexpr std::size_t without = 2048;  // of a thread where there is no limit
  return getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ? without
                                                                                 : limit.rlim_cur >> 10U;
}
constexpr std::size_t least_stack = 1024;

/// MiB, with OpenBLAS 0.3.21: a program of one thread on one processor ran with 184, with a stack more for
/// each other processor; another thread maps a buffer of 128 and has a stack and a heap of 128 at most.
constexpr std::size_t buffer = 128;
/// With OpenMP (libgomp's function is there, then) it maps a buffer for each processor at once, and tries for ever.
std::size_t first_thread() {
  const std::size_t buffers = dlsym(RTLD_DEFAULT, "GOMP_parallel") == nullptr ? 0 : available_threads() - 1;
  return 192 + (stack() >> 10U) * available_threads() + buffer * buffers;
}
std::size_t other_thread() { return buffer + 128 + (stack() >> 10U); }

std::size_t allowed() { return process_limit().bytes >> 20U; }

// Nothing but the C library is ready here.
void look_at_limits(int count, char** arguments, char** environment) {
  perp_refuse_older_processors(count, arguments, environment);
  std::array<char, 400> line{};
  int length = 0;
  if (stack() < least_stack)
    length = std::snprintf(line.data(), line.size(),
                           "%.200s: a stack may have %zu KiB, threads take %zu; raise the limit on it "
                           "(ulimit -s)\n",
                           arguments[0], stack(), least_stack);
  else if (allowed() < first_thread())
    length = std::snprintf(line.data(), line.size(),
                           "%.200s: this process may have %zu MiB, BLAS takes %zu; raise the limit on %s\n",
                           arguments[0], allowed(), first_thread(), process_limit().on);
  if (length == 0) return;
  [[maybe_unused]] const ssize_t written =
      write(STDERR_FILENO, line.data(), static_cast<std::size_t>(length));
  _exit(1);
}

bool is_room_for(std::size_t mebibytes) {
  void* const tried =
      mmap(nullptr, mebibytes << 20U, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return tried != MAP_FAILED && munmap(tried, mebibytes << 20U) == 0;
}

/// Has OpenBLAS map buffers for so many callers at once, or for as many as there is room for: their number. Others ask for
/// what they need as they need it, and say so where it is not there.
std::size_t buffers_for(std::size_t callers) {
  const auto take = reinterpret_cast<void* (*)(int)>(dlsym(RTLD_DEFAULT, "blas_memory_alloc"));
  const auto give = reinterpret_cast<void (*)(void*)>(dlsym(RTLD_DEFAULT, "blas_memory_free"));
  if (take == nullptr || give == nullptr) return callers;
  static std::size_t mapped = 0;  // it keeps what it has got
  std::vector<void*> taken;
  // It would try for ever: so we do first, for a little more.
  while (taken.size() < callers && (taken.size() < mapped || is_room_for(buffer + 1)))
    taken.push_back(take(0));
  std::ranges::for_each(taken, give);
  mapped = std::max(mapped, taken.size());
  return taken.size();
}

}  // namespace

std::size_t threads_with_room(std::size_t wanted) {
  if (process_limit().bytes == std::numeric_limits<std::size_t>::max()) return wanted;
  const std::size_t others = (std::max(allowed(), first_thread()) - first_thread()) / other_thread();
  const std::size_t threads = buffers_for(std::min(wanted, 1 + others));
  if (threads == 0) fail("no room for the {} MiB that BLAS works in; {}", buffer, memory_limit_text());
  return threads;
}

}  // namespace perp

extern "C" {
// The loader calls it after relocation and before the first constructor of any library. Programs are linked so that they have
// it, whatever they call (lib/CMakeLists.txt).
[[gnu::used, gnu::section(".preinit_array")]] void (*perp_before_libraries)(int, char**,
                                                                            char**) = perp::look_at_limits;
}
