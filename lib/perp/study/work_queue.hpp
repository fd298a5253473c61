#pragma once
// What the leader of several ranks knows of its items: which is next, how many are under way, what failed.

#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>

namespace perp {

/// Items 0 … count-1, handed out in ascending order, each once. Thread-safe.
class WorkQueue {
 public:
  explicit WorkQueue(std::size_t count) : count_(count) {}

  /// The next item, or nothing: all are handed out, or one failed.
  std::optional<std::size_t> next();
  void finished(std::size_t item);
  void failed(std::size_t item, std::exception_ptr why);
  /// Work failed before it had an item: stops the hand-out; reported only if no item failed.
  void failed(std::exception_ptr why) { failed(count_, std::move(why)); }

  /// Rethrows the failure of the lowest item: since items go out in order, that item always got to run, so
  /// which error people see does not depend on who was faster. Throws Error{Exit::failed} if items are
  /// unfinished without a failure.
  void settle() const;

 private:
  const std::size_t count_;
  mutable std::mutex mutex_{};
  std::size_t next_ = 0, finished_ = 0, failed_item_ = 0;
  std::exception_ptr failure_{};
};

}  // namespace perp
