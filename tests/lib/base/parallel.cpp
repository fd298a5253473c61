#include "perp/base/parallel.hpp"

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/scratch.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(parallel)

BOOST_AUTO_TEST_CASE(every_index_runs_once) {
  for (const std::size_t threads : {0U, 1U, 2U, 7U, 64U}) {
    std::vector<std::atomic<int>> runs(1000);
    parallel_for(runs.size(), threads, [&](std::size_t i) { ++runs[i]; });
    bool once = true;
    for (const std::atomic<int>& count : runs) once = once && count == 1;
    BOOST_TEST(once, threads << " threads");
  }
  parallel_for(0, 3, [](std::size_t) { BOOST_ERROR("nothing to run"); });
  BOOST_TEST(available_threads() >= 1U);
}

BOOST_AUTO_TEST_CASE(the_lowest_failing_index_is_reported) {
  const auto failed_at = [](std::size_t count, std::size_t threads, const auto& task) -> std::string {
    try {
      parallel_for(count, threads, task);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "nothing";
  };
  for (const std::size_t threads : {1U, 2U, 7U})
    for (int round = 0; round < 50; ++round) {
      std::atomic<std::size_t> runs{0};
      // The later ones wait: all of them would run while a thread that fails is held up.
      const auto task = [&](std::size_t i) {
        ++runs;
        if (i == 20 || i == 21 || i == 25) throw std::runtime_error(std::to_string(i));
        if (i > 25) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      };
      BOOST_TEST(failed_at(100000, threads, task) == "20");
      BOOST_TEST(runs < 100000U);
    }
  // Whoever fails first.
  for (const std::size_t slow : {0U, 1U}) {
    std::atomic<int> running{0};
    const auto task = [&](std::size_t i) {
      for (++running; running < 2;) std::this_thread::yield();
      if (i == slow) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      throw std::runtime_error(std::to_string(i));
    };
    BOOST_TEST(failed_at(2, 2, task) == "0");
  }
}

// In a process of its own: the flag stays set.
BOOST_AUTO_TEST_CASE(an_interrupt_leaves_the_rest_undone) {
  const std::string said = in_child([] {
    watch_interrupts();
    std::size_t runs = 0;
    const auto error = error_of([&] {
      parallel_for(10, 1, [&](std::size_t i) {
        ++runs;
        if (i == 2) std::raise(SIGTERM);
      });
    });
    if (!error || error->exit() != Exit::failed || !interrupt_requested()) return std::string("no error");
    return std::to_string(runs) + ' ' + error->what();
  });
  BOOST_TEST(
      said.starts_with("3 interrupted: 3 of 10 tasks done; cells and learned words are kept once finished"),
      said);
  BOOST_TEST(!interrupt_requested());
  BOOST_TEST(in_child([] {
               watch_interrupts();
               return std::string(error_of([] {
                                    parallel_for(10, 1, [](std::size_t i) {
                                      if (i == 2) std::raise(SIGTERM);
                                      expect_no_interrupt();
                                    });
                                  })->what());
             }).starts_with("interrupted: 2 of 10 tasks done"),
             "a task that ends early is none that was done");
  BOOST_TEST(in_child([] {
               watch_interrupts();
               std::raise(SIGINT);
               std::raise(SIGINT);
               return std::string("alive");
             }) == "");
}

BOOST_AUTO_TEST_CASE(shared_threads_are_given_to_one_at_a_time) {
  SharedThreads threads(4);
  {
    const SharedThreads::Taken first(threads);
    BOOST_TEST(first.count() == 4U);
    {
      const SharedThreads::Taken second(threads);
      BOOST_TEST(second.count() == 1U);  // its own
    }
    BOOST_TEST(SharedThreads::Taken(threads).count() == 1U);
  }
  BOOST_TEST(SharedThreads::Taken(threads).count() == 4U);
}

BOOST_AUTO_TEST_SUITE_END()
