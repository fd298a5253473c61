#pragma once
// How much memory this process may have, asked before much is allocated: what is too much is then a line that
// says how much, and neither a death nor a machine that swaps.

#include <cstddef>
#include <string>

namespace perp {

/// A limit on this process's memory that a shell sets, in bytes; the most there is where there is none.
struct ProcessLimit {
  std::size_t bytes;
  const char* on;  ///< "the address space (ulimit -v)"
};
/// The lower one of those on the address space and on data. Needs nothing but the C library.
ProcessLimit process_limit() noexcept;

/// Bytes: the machine's memory, or less where a limit (ulimit -v or -d, a control group) says so.
std::size_t memory_limit() noexcept;

/// "1.5 GiB", for messages.
std::string in_gib(double bytes);

/// "this process may have 15.3 GiB", for messages about memory that was not there.
std::string memory_limit_text();

/// Throws Error{Exit::failed} naming both sizes where a table of rows x cols items is more than that, or has
/// more items than can be counted.
void require_room(std::size_t rows, std::size_t cols, std::size_t item_bytes);

/// Asks for huge pages (2 MiB on most machines) under memory of 4 MiB and more that was allocated and not
/// touched yet: fewer faults while it is filled, fewer misses of the address cache while it is read. Only a
/// wish; what the system does not know or allow changes nothing.
void prefer_huge_pages(void* memory, std::size_t bytes) noexcept;

/// Keeps up to 256 MiB of freed memory a thread, in pieces of up to 32 MiB, for what this process allocates
/// next. Otherwise a loop that makes and drops its tables hands their pages back each time and waits for new
/// ones: half of the time of training a small model. Only a wish; libraries other than glibc do as they do.
void keep_freed_memory() noexcept;

}  // namespace perp
