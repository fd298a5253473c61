// Kernels on processors and libraries made up for them, and threads. What is loaded, and how a program restarts for it,
// tests/cli/kernels.sh asks.

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <csignal>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "perp/base/error.hpp"
#include "perp/base/kernels.hpp"
#include "perp/base/parallel.hpp"
#include "tests/support/scratch.hpp"

using namespace perp;
using namespace perp::test;

namespace {

bool any_core(const std::string&) { return true; }
KernelOffer openblas(const std::string& picked, const std::string& version = "0.3.21") {
  return {"OpenBLAS", version, picked, true, any_core, std::identity{}};
}
KernelOffer blis(const std::string& picked, const std::string& version = "0.9.0") {
  const auto value = [](const std::string& core) {
    return core == "skx" ? "0" : core == "haswell" ? "3" : "";
  };
  return {"BLIS", version, picked, true, any_core, value};
}
KernelOffer other(const std::string& library) {
  KernelOffer offer = openblas("zen3");
  offer.library = library;
  return offer;
}
KernelOffer without(KernelOffer offer, const std::string& missing) {
  offer.has = [=](const std::string& core) { return missing.find(core + ' ') == missing.npos; };
  return offer;
}
KernelOffer fixed(KernelOffer offer) {
  offer.dynamic = false;
  return offer;
}

constexpr Processor xeon{Instructions::avx512, false}, zen4{Instructions::avx512, true},
    zen2{Instructions::avx2, true}, haswell{Instructions::avx2, false}, sandy{},
    graviton{Instructions::armv8_2, false};
const char* const refused = nullptr;

struct Case {
  KernelOffer offer;
  Processor processor;
  const char *wish, *own;
  const char* core;
  const char* also = "";  ///< what else a library may have picked, with the same end
};

const std::vector<Case> cases{
    // An unknown processor gets what it can run.
    {openblas("Prescott"), xeon, "best", "", "SkylakeX", "Barcelona Sandybridge Haswell"},
    {openblas("Prescott"), haswell, "best", "", "Haswell", "Nehalem"},
    {openblas("Prescott"), zen2, "best", "", "Zen", "Bulldozer"},
    // A pick that is not below stays, and one that the rule does not know.
    {openblas("SkylakeX"), xeon, "best", "", "", "Zen9"},
    {openblas("Zen"), zen2, "best", "", "", "Haswell Excavator"},
    {openblas("Haswell"), zen4, "best", "", "SkylakeX", "Zen"},
    // An arm64 has kernels of its own, and the others have not.
    {openblas("ARMV8"), graviton, "best", "", "NEOVERSEN1"},
    {openblas("NEOVERSEN1"), graviton, "best", "", "", "NEOVERSEV1 THUNDERX2T99"},
    {openblas("ARMV8"), graviton, "Haswell", "", refused},
    {without(openblas("Prescott"), "SkylakeX Haswell "), xeon, "NEOVERSEN1", "", refused},
    // BLIS has another list, without AVX-512 for AMD's, and is told by number.
    {blis("generic"), xeon, "best", "", "skx", "penryn sandybridge haswell"},
    {blis("generic"), haswell, "best", "", "haswell", "penryn sandybridge"},
    {blis("generic"), zen4, "best", "", "zen", "penryn sandybridge"},
    {blis("generic"), sandy, "best", "", "", "penryn sandybridge"},
    {blis("haswell"), zen4, "best", "", "", "zen zen2 zen3 skx zen4 zen9"},
    {blis("zen3"), zen4, "HASWELL", "", "haswell"},
    {blis("zen3"), zen4, "haswell", "3", "haswell"},
    {blis("zen3"), zen4, "haswell", "0", refused},
    {blis("haswell"), xeon, "zen", "", refused},
    {blis("haswell", "0.9.1"), xeon, "best", "", ""},
    // Kernels that add bfloat16 alone are below SkylakeX.
    {openblas("Cooperlake", "0.3.29"), xeon, "best", "", "SkylakeX", "SapphireRapids"},
    // Only what the library holds.
    {without(openblas("Prescott"), "SkylakeX Zen "), xeon, "best", "", "Haswell"},
    {without(openblas("Prescott"), "SkylakeX Haswell Zen "), xeon, "best", "", ""},
    // Other libraries are left alone.
    {fixed(openblas("Prescott")), xeon, "best", "", ""},
    {other("MKL"), xeon, "best", "", ""},
    // What the user says stands, unless the processor cannot run it.
    {openblas("Prescott"), xeon, "", "Haswell", ""},
    {openblas("Prescott"), xeon, "as-picked", "", ""},
    {openblas("Prescott"), xeon, "haswell", "", "Haswell"},
    {openblas("Prescott", "0.3.20"), xeon, "SkylakeX", "", "SkylakeX"},
    {openblas("Prescott"), xeon, "Haswell", "Zen", refused},
    {openblas("Prescott"), haswell, "SkylakeX", "", refused},
    {openblas("Prescott"), xeon, "Pentium", "", refused}};
}  // namespace

BOOST_AUTO_TEST_SUITE(kernels)

BOOST_AUTO_TEST_CASE(for_each_library_and_processor_the_right_ones) {
  for (const Case& of : cases) {
    std::istringstream picks(of.offer.picked + ' ' + of.also);
    for (std::string picked; picks >> picked;) {
      KernelOffer offer = of.offer;
      offer.picked = picked;
      const auto choose = [&] { return choose_kernels(offer, of.processor, of.wish, of.own).core; };
      BOOST_TEST_CONTEXT(offer.library << " picked " << picked << ", wished " << of.wish) {
        if (of.core == refused)
          BOOST_CHECK_THROW(choose(), Error);
        else
          BOOST_TEST(choose() == of.core);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(usable_cores_are_those_that_run_and_are_held) {
  const auto text = [](const KernelOffer& offer, const Processor& processor) {
    std::string names;
    for (const std::string& core : usable_cores(offer, processor)) names += core + ' ';
    return names;
  };
  BOOST_TEST(text(openblas("Prescott"), zen4) == "SkylakeX Zen Haswell ");
  BOOST_TEST(text(blis("generic"), zen2) == "zen haswell ");
  BOOST_TEST(text(without(openblas("Prescott"), "Zen "), zen2) == "Haswell ");
  BOOST_TEST(text(fixed(openblas("Prescott")), haswell) == "");
  BOOST_TEST(text(other("MKL"), xeon) == "");
}

BOOST_AUTO_TEST_SUITE_END()

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
