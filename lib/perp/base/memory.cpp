#include "perp/base/memory.hpp"

#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>

#include "perp/base/error.hpp"

namespace perp {
namespace {

std::size_t machine_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && page > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page)
                               : static_cast<std::size_t>(-1);
}

// Seen from inside a container; "max", which is no number, where there is no limit.
std::size_t control_group() {
  std::size_t bytes = 0;
  std::ifstream file("/sys/fs/cgroup/memory.max");
  return file >> bytes && bytes > 0 ? bytes : static_cast<std::size_t>(-1);
}

}  // namespace

ProcessLimit process_limit() noexcept {
  // RLIM_INFINITY is the largest number that there is.
  rlimit space{RLIM_INFINITY, RLIM_INFINITY}, data = space;
  getrlimit(RLIMIT_AS, &space);
  getrlimit(RLIMIT_DATA, &data);
  if (data.rlim_cur < space.rlim_cur) return {data.rlim_cur, "data (ulimit -d)"};
  return {space.rlim_cur, "the address space (ulimit -v)"};
}

std::size_t memory_limit() noexcept {
  // These do not change while the process lives; a limit of the shell's may.
  static const std::size_t machine = std::min(machine_memory(), control_group());
  return std::min(machine, process_limit().bytes);
}

std::string in_gib(double bytes) { return fmt::format("{:.3g} GiB", bytes / (std::size_t{1} << 30)); }

std::string memory_limit_text() {
  const ProcessLimit limit = process_limit();
  return fmt::format("this process may have {}{}", in_gib(static_cast<double>(memory_limit())),
                     limit.bytes == memory_limit() ? fmt::format("; raise the limit on {}", limit.on) : "");
}

void require_room(std::size_t rows, std::size_t cols, std::size_t item_bytes) {
  constexpr std::size_t always = std::size_t{1} << 24;  // asking the system would take longer than this
  std::size_t items = 0, bytes = 0;
  const bool counted =
      !__builtin_mul_overflow(rows, cols, &items) && !__builtin_mul_overflow(items, item_bytes, &bytes);
  if (counted && (bytes <= always || bytes <= memory_limit())) return;
  fail("a table of {} x {} numbers takes {}; {}", rows, cols,
       in_gib(static_cast<double>(rows) * static_cast<double>(cols) * static_cast<double>(item_bytes)),
       memory_limit_text());
}

void prefer_huge_pages(void* memory, std::size_t bytes) noexcept {
  constexpr std::size_t least = std::size_t{4} << 20;
  constexpr std::uintptr_t page = 4096;
  if (memory == nullptr || bytes < least) return;
  // Whole pages only. On a system of larger ones the call fails, which is as good.
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(memory),
                       first = (begin + page - 1) / page * page, last = (begin + bytes) / page * page;
  madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
}

void keep_freed_memory() noexcept {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
}

}  // namespace perp
