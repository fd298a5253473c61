// Freed memory that is kept costs no page faults when it is used again.

#include "perp/base/memory.hpp"

#include <sys/resource.h>

#include <boost/test/unit_test.hpp>
#include <thread>
#include <vector>

#include "perp/base/array.hpp"

using namespace perp;

namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
constexpr bool sanitized = __has_feature(address_sanitizer);
#else
constexpr bool sanitized = false;
#endif

/// The calling thread's page faults in ten rounds of eight tables of 1 MiB, made, filled and dropped, once
/// the memory is there.
long later_faults() {
  long before = 0;
  rusage usage{};
  for (int round = 0; round <= 10; ++round) {
    std::vector<Matrix<float>> tables;
    for (int k = 0; k < 8; ++k) tables.push_back(zeros<float>(512, 512));
    getrusage(RUSAGE_THREAD, &usage);
    if (round == 0) before = usage.ru_minflt;
  }
  return usage.ru_minflt - before;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(base_memory)

BOOST_AUTO_TEST_CASE(kept_memory_is_not_asked_for_again) {
  // AddressSanitizer brings an allocator of its own, which keeps nothing.
  if (sanitized) return;
  keep_freed_memory();
  // 8 MiB are 2048 pages; a few more may be touched by whatever else runs.
  BOOST_TEST(later_faults() < 2048);
  long of_a_worker = 0;
  std::thread([&] { of_a_worker = later_faults(); }).join();
  BOOST_TEST(of_a_worker < 2048);
}

BOOST_AUTO_TEST_SUITE_END()
