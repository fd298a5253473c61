#pragma once
// The processes that share the cells of one study. An ordinary program is one rank; the same objects linked
// with mpi/ranks.cpp are as many ranks as mpirun starts. Rank 0 leads: it alone reads the options first,
// loads or learns the inputs first, hands out cells, merges, speaks and writes; the others run cells and keep
// them in the cell store.

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "perp/base/work.hpp"

namespace perp {

/// What one task took.
struct Spent {
  double seconds = 0;   ///< of wall time
  WorkCounters work{};  ///< of the thread that ran it
};

/// Reads it: from its making on, on the thread that makes it.
class Meter {
 public:
  Spent read() const {
    return {std::chrono::duration<double>(Clock::now() - start_).count(), thread_work() - before_};
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
  WorkCounters before_ = thread_work();
};

class Ranks {
 public:
  virtual ~Ranks() = default;  ///< on rank 0: tells the others, if they still wait, that nothing comes

  virtual bool leads() const = 0;  ///< whether this is rank 0
  virtual std::size_t count() const = 0;

  using Task = std::function<void(std::size_t item)>;
  struct Done {
    std::size_t item, rank;
    Spent spent;
  };

  /// On rank 0: runs task(item) for every item, each once, handed out in this order to whichever worker of
  /// whichever rank is free; rank 0 has `threads` workers of its own. `finished` is called here, one at a
  /// time, once an item's task has returned wherever it ran. Throws as parallel_for does: an exception stops
  /// the hand-out, what is under way ends, and the one of the earliest item is rethrown.
  virtual void run_leader(const std::vector<std::size_t>& items, std::size_t threads, const Task& task,
                          const std::function<void(const Done&)>& finished) = 0;

  struct Part {
    std::size_t threads;
    Task task;
  };
  /// On the others: waits until rank 0 leads, calls `prepare`, and runs what is handed out. What `prepare` or
  /// a task throws is rethrown on rank 0, not here. Returns at once if rank 0 ends without leading.
  virtual void run_worker(const std::function<Part()>& prepare) = 0;
};

/// This process alone.
std::unique_ptr<Ranks> one_rank();

/// All processes of this run. Which definition a program gets is decided by what it is linked with.
std::unique_ptr<Ranks> join_ranks();

}  // namespace perp
