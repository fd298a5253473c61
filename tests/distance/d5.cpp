// D5: plain numbers as positions, held against integers and sums that know nothing of the study.

#include <boost/test/unit_test.hpp>

#include "tests/distance/quick.hpp"

using namespace perp;
using namespace perp::test;

namespace {

struct Counted {
  std::uint64_t equal = 0, compared = 0;
};
/// Pairs with t s m'^2 = t' s' m^2 in whole numbers, the second at least four times as far apart in a text at
/// least four times as long; m = m' = 1 for the plain index.
Counted whole_number_collisions(std::uint64_t longest, bool normalised) {
  Counted count;
  for (std::uint64_t n = 3; 4 * n <= longest; ++n)
    for (std::uint64_t m = 4 * n; m <= longest; ++m) {
      const std::uint64_t by_short = normalised ? (n - 1) * (n - 1) : 1,
                          by_long = normalised ? (m - 1) * (m - 1) : 1;
      for (std::uint64_t t = 1; t < n; ++t)
        for (std::uint64_t s = t + 1; s < n; ++s)
          for (std::uint64_t far = 1; far < m; ++far) {
            const std::uint64_t product = t * s * by_long, first = far + 4 * (s - t);
            count.compared += first < m ? m - first : 0;
            if (product % (far * by_short) != 0) continue;
            const std::uint64_t other = product / (far * by_short);
            count.equal += other < m && other >= first;
          }
    }
  return count;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(distance_d5)

BOOST_AUTO_TEST_CASE(collisions_are_those_of_whole_numbers) {
  for (const bool normalised : {false, true}) {
    const Finding& found = finding(normalised ? "D5.collisions.normalised_index" : "D5.collisions.index");
    const Counted counted = whole_number_collisions(64, normalised);
    BOOST_TEST(found.value == static_cast<double>(counted.equal));
    BOOST_TEST(found.n == counted.compared);
  }
  for (const char* encoding : {"sinusoidal", "rotary", "alibi", "t5"})  // T5's last bucket is farther away
    BOOST_TEST(value(std::string("D5.collisions.") + encoding) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
