#include "perp/base/freed_memory.hpp"

#include <malloc.h>

namespace perp {

void keep_freed_memory() noexcept {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
}

}  // namespace perp
