#pragma once

namespace perp {

/// Keeps up to 256 MiB of freed memory a thread, in pieces of up to 32 MiB, for what this process allocates
/// next. Otherwise a loop that makes and drops its tables hands their pages back each time and waits for new
/// ones: half of the time of training a small model. Only a wish; libraries other than glibc do as they do.
void keep_freed_memory() noexcept;

}  // namespace perp
