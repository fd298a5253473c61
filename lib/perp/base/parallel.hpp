#pragma once
// The one level of parallelism: independent tasks on worker threads, each with single-threaded BLAS.

#include <atomic>
#include <cstddef>
#include <functional>

namespace perp {

/// Number of threads this process may run on (its affinity mask), at least 1.
std::size_t available_threads();

/// Runs task(0) … task(count-1) on up to `threads` threads, of which as many work as may call the loaded BLAS at once
/// (base/blas.hpp), each index once, in no promised order.
/// An exception stops the hand-out of further indices; the one of the lowest failing index is rethrown here,
/// whatever the number of threads. Throws Error{Exit::failed} if an interrupt left work undone. The calling
/// thread works too; with threads <= 1 everything runs on it.
void parallel_for(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& task);

/// Threads for work inside tasks that run side by side already: who comes first gets all of them, because the
/// others mostly wait for what it makes; who comes meanwhile goes on alone.
class SharedThreads {
 public:
  explicit SharedThreads(std::size_t threads) : free_(threads) {}

  /// Given back at the end of its life.
  class Taken {
   public:
    explicit Taken(SharedThreads& from) : from_(&from), taken_(from.free_.exchange(0)) {}
    ~Taken() { from_->free_ += taken_; }
    Taken(const Taken&) = delete;
    Taken& operator=(const Taken&) = delete;
    std::size_t count() const noexcept { return taken_ > 0 ? taken_ : 1; }  ///< with the caller's own

   private:
    SharedThreads* from_;
    std::size_t taken_;
  };

 private:
  std::atomic<std::size_t> free_;
};

/// Once `watch_interrupts` was called, the first SIGINT, SIGTERM, SIGHUP or SIGXCPU is a request: parallel_for stops handing
/// out work. A second one ends the process.
void watch_interrupts();
bool interrupt_requested() noexcept;

/// Throws Error{Exit::failed} once an interrupt was requested: for stages that parallel_for has no part in.
void expect_no_interrupt();

}  // namespace perp
