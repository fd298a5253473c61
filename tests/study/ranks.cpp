// Items are handed out in order, each once, to whoever is free; which error is told does not depend on who
// was faster. The same over MPI: tests/cli/ranks.sh.

#include "perp/study/ranks.hpp"

#include <algorithm>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <thread>

#include "perp/base/error.hpp"
#include "perp/study/work_queue.hpp"
#include "tests/support/refusal.hpp"

using namespace perp;
using namespace perp::test;

namespace {

std::exception_ptr error(const std::string& text) {
  return std::make_exception_ptr(Error(text, Exit::unusable));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(study_ranks)

BOOST_AUTO_TEST_CASE(one_rank_leads_and_runs_every_item_once) {
  const auto ranks = one_rank();
  BOOST_TEST(ranks->leads());
  BOOST_TEST(ranks->count() == 1U);
  const std::vector<std::size_t> items = {7, 3, 9, 1};
  for (const std::size_t threads : {1, 3}) {
    std::vector<int> runs(10, 0), told(10, 0);
    ranks->run_leader(
        items, threads,
        [&](std::size_t item) {
          ++runs[item];
          count_normals(static_cast<double>(item));
        },
        [&](const Ranks::Done& done) {
          BOOST_TEST(runs[done.item] == 1);  // told after, not before
          BOOST_TEST(done.rank == 0U);
          BOOST_TEST(done.spent.work.normals == static_cast<double>(done.item));  // its own work, no other's
          ++told[done.item];
        });
    BOOST_TEST((runs == std::vector<int>{0, 1, 0, 1, 0, 0, 0, 1, 0, 1}));
    BOOST_TEST((told == runs));
  }
  bool followed = false;
  ranks->run_worker([&](std::size_t) -> Ranks::Part {
    followed = true;
    return {1, {}};
  });
  BOOST_TEST(!followed);
}

// The dearest item ends when all the others have: a plan made before the start would hang.
BOOST_AUTO_TEST_CASE(unequal_items_go_to_whoever_is_free) {
  constexpr std::size_t count = 60;
  for (const std::size_t workers : {2, 3, 5}) {
    WorkQueue queue(count);
    std::atomic<std::size_t> ended{0};
    std::vector<std::atomic<int>> runs(count);
    const auto work = [&] {
      while (const std::optional<std::size_t> item = queue.next()) {
        ++runs[*item];
        while (*item == 0 && ended < count - 1) std::this_thread::yield();
        ++ended;
        queue.finished(*item);
      }
    };
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < workers; ++i) threads.emplace_back(work);
    for (std::thread& thread : threads) thread.join();
    queue.settle();
    BOOST_TEST(std::all_of(runs.begin(), runs.end(), [](const std::atomic<int>& n) { return n == 1; }));
  }
}

BOOST_AUTO_TEST_CASE(the_earliest_failure_is_told_whatever_came_first) {
  for (const bool in_order : {false, true}) {
    WorkQueue queue(5);
    for (std::size_t i = 0; i < 3; ++i) BOOST_TEST(*queue.next() == i);
    if (in_order) queue.failed(1, error("earlier"));
    queue.failed(2, error("later"));
    BOOST_TEST(!queue.next().has_value());
    if (!in_order) queue.failed(1, error("earlier"));
    queue.failed(error("a rank that was not prepared"));
    queue.finished(0);
    check_refusal([&] { queue.settle(); }, "earlier");
  }
}

BOOST_AUTO_TEST_CASE(what_ended_too_early_is_no_success) {
  WorkQueue unprepared(1);
  unprepared.failed(error("no such file"));
  BOOST_TEST(!unprepared.next().has_value());
  check_refusal([&] { unprepared.settle(); }, "no such file");
  WorkQueue queue(2);
  queue.next();
  queue.finished(0);
  BOOST_CHECK_THROW(queue.settle(), Error);
  BOOST_CHECK_THROW(queue.finished(1), Error);  // never handed out
  queue.next();
  queue.finished(1);
  BOOST_CHECK_NO_THROW(queue.settle());
}

BOOST_AUTO_TEST_SUITE_END()
