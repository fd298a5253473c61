#include "perp/base/pages.hpp"

#include <sys/mman.h>

#include <cstdint>

namespace perp {

void prefer_huge_pages(void* memory, std::size_t bytes) noexcept {
  constexpr std::size_t least = std::size_t{4} << 20;
  constexpr std::uintptr_t page = 4096;
  if (memory == nullptr || bytes < least) return;
#ifdef MADV_HUGEPAGE
  // Whole pages only. On a system of larger ones the call fails, which is as good.
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(memory),
                       first = (begin + page - 1) / page * page, last = (begin + bytes) / page * page;
  madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

}  // namespace perp
