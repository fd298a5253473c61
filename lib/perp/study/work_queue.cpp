#include "perp/study/work_queue.hpp"

#include <utility>

#include "perp/base/error.hpp"

namespace perp {

std::optional<std::size_t> WorkQueue::next() {
  const std::lock_guard lock(mutex_);
  if (failure_ || next_ == count_) return std::nullopt;
  return next_++;
}

void WorkQueue::finished(std::size_t item) {
  const std::lock_guard lock(mutex_);
  if (item >= next_) fail("item {} is finished and was never handed out", item);
  ++finished_;
}

void WorkQueue::failed(std::size_t item, std::exception_ptr why) {
  const std::lock_guard lock(mutex_);
  if (failure_ && item >= failed_item_) return;
  failure_ = std::move(why);
  failed_item_ = item;
}

void WorkQueue::settle() const {
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
  if (finished_ != count_) fail("{} of {} items done", finished_, count_);
}

}  // namespace perp
