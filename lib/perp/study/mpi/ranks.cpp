// Ranks over MPI. A program gets this definition of join_ranks by being linked with this file (PERP_MPI).
// Whoever waits for a message looks now and then and sleeps in between, for a blocking MPI call would spin
// and take a processor from the cells.

#include "perp/study/ranks.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <boost/mpi.hpp>
#include <boost/serialization/string.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "perp/base/error.hpp"
#include "perp/base/parallel.hpp"
#include "perp/study/mpi/messages.hpp"
#include "perp/study/work_queue.hpp"

namespace perp {
namespace {

namespace mpi = boost::mpi;
constexpr std::chrono::microseconds pause{200};

// mpirun ends the ranks by SIGTERM when one of them died or someone pressed Ctrl-C; the line about it is
// whoever's who started mpirun. Finished cells are on the disk already.
extern "C" void perp_leave(int) { _exit(static_cast<int>(Exit::failed)); }

void leave_on_signals() {
  struct sigaction action {};
  action.sa_handler = perp_leave;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

/// Rank 0 alone speaks.
void be_silent() {
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
  ::close(nowhere);
}

Report failure(const std::exception& error) {
  Report report;
  report.what = What::failed;
  report.error = error.what();
  if (const auto* ours = dynamic_cast<const Error*>(&error)) report.exit = ours->exit();
  return report;
}

class MpiRanks final : public Ranks {
 public:
  MpiRanks() : environment_(mpi::threading::serialized, false) {
    if (mpi::environment::thread_level() < mpi::threading::serialized)
      fail("this MPI lets only one thread speak; expected MPI_THREAD_SERIALIZED");
    leave_on_signals();
    world_.barrier();
    if (leads() && std::getenv("PERP_RANKS_ANNOUNCE")) fmt::print(stderr, "{}\n", all_ranks_are_here);
    if (!leads()) be_silent();
  }

  ~MpiRanks() override {
    try {
      if (leads()) call(no_turn);
    } catch (const std::exception&) {  // nobody is there to be told
    }
  }

  bool leads() const override { return world_.rank() == 0; }
  std::size_t count() const override { return static_cast<std::size_t>(world_.size()); }

  void run_leader(const std::vector<std::size_t>& items, std::size_t threads, const Task& task,
                  const std::function<void(const Done&)>& finished) override {
    if (items.empty()) return;
    call(static_cast<int>(turn_));
    WorkQueue queue(items.size());
    LeaderState state{items, queue, finished};
    std::vector<std::jthread> workers;
    try {
      for (std::size_t i = 0; i < std::min(threads, items.size()); ++i)
        workers.emplace_back([&] { work_here(state, task); });
    } catch (const std::exception&) {
      // No more threads to be had, or no memory for them: fewer finish the same work, other ranks' among them.
      if (workers.empty()) queue.failed(std::current_exception());
    }
    try {
      serve(state);
    } catch (...) {
      queue.failed(std::current_exception());
    }
    workers.clear();  // joined
    queue.settle();
  }

  void run_worker(const std::function<Part(std::size_t)>& prepare) override {
    for (int turn = receive<int>(0, call_tag); turn != no_turn; turn = receive<int>(0, call_tag))
      work_for(static_cast<std::size_t>(turn), prepare);
  }

 private:
  void work_for(std::size_t turn, const std::function<Part(std::size_t)>& prepare) {
    try {
      const Part part = prepare(turn);
      parallel_for(part.threads, part.threads,
                   [&](std::size_t worker) { work_away(static_cast<int>(worker), part.task); });
    } catch (const std::exception& error) {
      Report report = failure(error);
      report.what = What::unprepared;
      send(0, report_tag, report);
    }
    Report goodbye;
    goodbye.what = What::left;
    send(0, report_tag, goodbye);
  }

  /// What rank 0's workers and its conversation with the others share.
  struct LeaderState {
    const std::vector<std::size_t>& items;
    WorkQueue& queue;
    const std::function<void(const Done&)>& finished;
    std::mutex mutex{};

    void done(std::size_t position, std::size_t rank, const Spent& spent) {
      try {
        {
          const std::lock_guard lock(mutex);
          finished({items[position], rank, spent});
        }
        queue.finished(position);
      } catch (...) {
        queue.failed(position, std::current_exception());
      }
    }
  };

  /// Tells every other rank whose turn it is, or that nothing more comes.
  void call(int turn) {
    for (int rank = 1; rank < world_.size(); ++rank) send(rank, call_tag, turn);
  }

  void work_here(LeaderState& state, const Task& task) {
    while (const std::optional<std::size_t> position = state.queue.next()) {
      const Meter meter;
      try {
        task(state.items[*position]);
      } catch (...) {
        state.queue.failed(*position, std::current_exception());
        continue;
      }
      state.done(*position, 0, meter.read());
    }
  }

  void work_away(int worker, const Task& task) {
    Report report;
    for (;;) {
      report.worker = worker;
      send(0, report_tag, report);
      const Answer answer = receive<Answer>(0, answer_tag + worker);
      if (!answer.more) return;
      const Meter meter;
      try {
        task(answer.item);
        report = {};
        report.what = What::done;
      } catch (const std::exception& error) {
        report = failure(error);
      }
      report.position = answer.position;
      report.spent = meter.read();
    }
  }

  /// Rank 0's conversation with the others, until each has left.
  void serve(LeaderState& state) {
    for (int left = 0; left + 1 < world_.size();) {
      int from = mpi::any_source;
      const Report report = receive<Report>(from, report_tag, &from);
      if (report.what == What::left) {
        ++left;
        continue;
      }
      if (report.what == What::unprepared) {
        const std::string line = fmt::format("rank {}: {}", from, report.error);
        state.queue.failed(std::make_exception_ptr(Error(line, report.exit)));
        continue;
      }
      if (report.what == What::done)
        state.done(report.position, static_cast<std::size_t>(from), report.spent);
      if (report.what == What::failed)
        state.queue.failed(report.position, std::make_exception_ptr(Error(report.error, report.exit)));
      Answer answer;
      if (const std::optional<std::size_t> position = state.queue.next())
        answer = {true, *position, state.items[*position]};
      send(from, answer_tag + report.worker, answer);
    }
  }

  template <class Message>
  void send(int to, int tag, const Message& message) {
    const std::lock_guard lock(mpi_);
    world_.send(to, tag, message);
  }

  /// Waits for a message; `from_whom` receives its sender.
  template <class Message>
  Message receive(int from, int tag, int* from_whom = nullptr) {
    for (;;) {
      {
        const std::lock_guard lock(mpi_);
        if (const boost::optional<mpi::status> status = world_.iprobe(from, tag)) {
          Message message{};
          world_.recv(status->source(), tag, message);
          if (from_whom) *from_whom = status->source();
          return message;
        }
      }
      std::this_thread::sleep_for(pause);
    }
  }

  mpi::environment environment_;
  mpi::communicator world_;
  std::mutex mpi_;
};

}  // namespace

std::unique_ptr<Ranks> join_ranks() { return std::make_unique<MpiRanks>(); }

}  // namespace perp
