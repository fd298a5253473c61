#pragma once
// The processes that share the cells of one study, or of several one after the other. An ordinary program is one rank; the same objects linked
// with mpi/ranks.cpp are as many ranks as mpirun starts. Rank 0 leads: it alone reads the options first,
// loads or learns the inputs first, hands out cells, merges, speaks and writes; the others run cells and keep
// them in the cell store.

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
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

/// The line that rank 0 says on standard error once it has heard of every rank, if PERP_RANKS_ANNOUNCE is set:
/// for whoever started mpirun, who keeps it to himself.
inline constexpr std::string_view all_ranks_are_here = "ranks: all are here";

class Ranks {
 public:
  virtual ~Ranks() = default;  ///< on rank 0: tells the others that nothing more comes

  virtual bool leads() const = 0;  ///< whether this is rank 0
  virtual std::size_t count() const = 0;

  /// On rank 0: what run_leader is called for from now on is the study of this turn, from 0.
  void take_turn(std::size_t turn) { turn_ = turn; }

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
  /// On the others: whenever rank 0 leads, calls `prepare` with its turn and runs what is handed out. What
  /// `prepare` or a task throws is rethrown on rank 0, not here. Returns when rank 0 ends.
  virtual void run_worker(const std::function<Part(std::size_t turn)>& prepare) = 0;

 protected:
  std::size_t turn_ = 0;
};

/// This process alone.
std::unique_ptr<Ranks> one_rank();

/// All processes of this run. Which definition a program gets is decided by what it is linked with.
std::unique_ptr<Ranks> join_ranks();

}  // namespace perp
