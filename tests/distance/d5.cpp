// D5: plain numbers as positions, held against integers and sums that know nothing of the study.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/measures/score_collisions.hpp"
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

/// Likeness of distances by all pairs of them.
Likeness pair_by_pair(const std::vector<double>& scores) {
  Likeness found;
  for (std::size_t k = 1; k <= scores.size(); ++k)
    for (std::size_t far = 4 * k; far <= scores.size(); ++far) {
      const double a = scores[k - 1], b = scores[far - 1],
                   gap = a == b ? 0 : std::abs(a - b) / std::max(std::abs(a), std::abs(b));
      ++found.compared;
      found.equal += gap <= 1e-12;
      found.alike += gap <= 0x1p-24;
      found.closest = std::min(found.closest, gap);
      if (gap <= 1e-12 && !found.first) found.first = std::pair{k, far};
    }
  return found;
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
  // The examples, (1, 2) of 4 words and (5, 10) of 16 for one: 2/9 = 50/225.
  const Table& examples = table("d5_examples.csv");
  BOOST_TEST(examples.rows.size() == 2u);
  for (std::size_t i = 0; i < examples.rows.size(); ++i) {
    const bool index = to_text(examples.at(i, "encoding")) == "index";
    const double m = index ? 1 : examples.number(i, "short_length") - 1,
                 n = index ? 1 : examples.number(i, "long_length") - 1;
    BOOST_TEST(examples.number(i, "near_first") * examples.number(i, "near_second") * n * n ==
               examples.number(i, "far_first") * examples.number(i, "far_second") * m * m);
  }
}

BOOST_AUTO_TEST_CASE(distances_are_compared_as_pair_by_pair) {
  std::vector<std::vector<double>> cases(4);
  for (int k = 1; k <= 300; ++k) {
    cases[0].push_back(std::cos(.37 * k));           // both signs, all different
    cases[1].push_back((k * k) % 17 - 8);            // both signs, nought, many equal
    cases[2].push_back(1 + 3e-8 * ((k * 7) % 31));   // many alike to float32, some equal
    cases[3].push_back(-k * (1 + (k % 3) * 3e-13));  // falling, and rounded in its own way
  }
  cases.push_back({1, 1, 1});                            // nothing to compare
  cases.push_back({1 - 0x1p-24, 5, 5, 1, 1});            // just alike to float32, from below
  cases.push_back({1, 5, 5, 1 - 0x1p-24, 1 - 0x1p-23});  // and from above, and just not
  for (const std::vector<double>& scores : cases) {
    const Likeness found = compare_distances(scores), expected = pair_by_pair(scores);
    BOOST_TEST(found.compared == expected.compared);
    BOOST_TEST(found.equal == expected.equal);
    BOOST_TEST(found.alike == expected.alike);
    BOOST_TEST(found.closest == expected.closest);
    BOOST_TEST((found.first == expected.first));
    BOOST_TEST(found.compared == distance_pairs(1, scores.size()));
  }
}

BOOST_AUTO_TEST_SUITE_END()
