#pragma once
// Large tables live on large pages where the system gives them.

#include <cstddef>

namespace perp {

/// Asks for huge pages (2 MiB on most machines) under memory of 4 MiB and more that was allocated and not
/// touched yet: fewer faults while it is filled, fewer misses of the address cache while it is read. Only a
/// wish; what the system does not know or allow changes nothing.
void prefer_huge_pages(void* memory, std::size_t bytes) noexcept;

}  // namespace perp
