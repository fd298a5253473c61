#include "perp/base/parallel.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "perp/base/blas.hpp"
#include "perp/base/error.hpp"

namespace perp {
namespace {

// A signal handler can reach nothing but a global; a lock-free atomic may be written there and read from any
// thread.
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void perp_note_interrupt(int) { interrupted.store(true); }

/// What the workers of one parallel_for share.
struct Queue {
  std::size_t count;
  const std::function<void(std::size_t)>& task;
  std::atomic<std::size_t> next{0}, finished{0};
  std::atomic<bool> stop{false};
  std::mutex mutex{};
  std::size_t failed_index = 0;
  std::exception_ptr failure{};

  Queue(std::size_t count_, const std::function<void(std::size_t)>& task_) : count(count_), task(task_) {}

  void run() {
    while (!stop.load() && !interrupt_requested()) {
      const std::size_t index = next.fetch_add(1);
      if (index >= count) return;
      try {
        task(index);
        finished.fetch_add(1);
      } catch (...) {
        note_failure(index);
      }
    }
  }

  // Indices are handed out in ascending order, so the lowest failing index always gets to run: which error is
  // reported does not depend on the number of threads.
  void note_failure(std::size_t index) {
    const std::lock_guard lock(mutex);
    if (!failure || index < failed_index) {
      failure = std::current_exception();
      failed_index = index;
    }
    stop.store(true);
  }
};

}  // namespace

std::size_t available_threads() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max<std::size_t>(1, CPU_COUNT(&set));
  // The mask does not fit (more than 1024 processors).
  return std::max<std::size_t>(1, std::thread::hardware_concurrency());
}

void parallel_for(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& task) {
  Queue queue(count, task);
  std::vector<std::jthread> others;
  try {
    for (std::size_t i = 1; i < std::min(callers_at_once(threads), count); ++i)
      others.emplace_back([&queue] { queue.run(); });
  } catch (const std::system_error&) {
    // No more threads to be had, or no memory for them: fewer finish the same work.
  } catch (const std::bad_alloc&) {
  }
  queue.run();
  others.clear();  // joined
  if (queue.failure && !interrupt_requested()) std::rethrow_exception(queue.failure);
  if (queue.finished.load() < count)
    fail(
        "interrupted: {} of {} tasks done; cells and learned words are kept once finished; the same command "
        "goes on from those",
        queue.finished.load(), count);
}

void watch_interrupts() {
  struct sigaction action {};
  action.sa_handler = perp_note_interrupt;
  // Only the first signal is a request: the second ends a program that does not come to a stop.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (signal != SIGHUP || before.sa_handler != SIG_IGN)
      sigaction(signal, &action, nullptr);  // nohup's stays
  }
}

bool interrupt_requested() noexcept { return interrupted.load(); }

void expect_no_interrupt() {
  if (interrupt_requested()) fail("interrupted");
}

}  // namespace perp
