#pragma once
// The one level of parallelism: independent tasks on worker threads, each with single-threaded BLAS.

#include <cstddef>
#include <functional>

namespace perp {

/// Number of threads this process may run on (its affinity mask), at least 1.
std::size_t available_threads();

/// Runs task(0) … task(count-1) on up to `threads` threads, each index once, in no promised order.
/// An exception stops the hand-out of further indices; the one of the lowest failing index is rethrown here,
/// whatever the number of threads. Throws Error{Exit::failed} if an interrupt left work undone. The calling
/// thread works too; with threads <= 1 everything runs on it.
void parallel_for(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& task);

/// Once `watch_interrupts` was called, the first SIGINT or SIGTERM is a request: parallel_for stops handing
/// out work. A second one ends the process.
void watch_interrupts();
bool interrupt_requested() noexcept;

}  // namespace perp
