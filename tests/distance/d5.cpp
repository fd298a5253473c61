// D5: plain numbers as positions, held against integers and sums that know nothing of the study.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <set>

#include "perp/measures/score_collisions.hpp"
#include "perp/random/normal.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/encoding.hpp"
#include "tests/distance/quick.hpp"

using namespace perp;
using namespace perp::test;

namespace {

/// Collisions of t s m'^2 = t' s' m^2 in whole numbers; m = m' = 1 for the plain index.
std::uint64_t whole_number_collisions(std::uint64_t longest, bool normalised) {
  std::uint64_t count = 0;
  for (std::uint64_t n = 3; 4 * n <= longest; ++n)
    for (std::uint64_t m = 4 * n; m <= longest; ++m) {
      const std::uint64_t by_short = normalised ? (n - 1) * (n - 1) : 1,
                          by_long = normalised ? (m - 1) * (m - 1) : 1;
      for (std::uint64_t t = 1; t < n; ++t)
        for (std::uint64_t s = t + 1; s < n; ++s)
          for (std::uint64_t far = 1; far < m; ++far) {
            const std::uint64_t product = t * s * by_long;
            if (product % (far * by_short) != 0) continue;
            const std::uint64_t other = product / (far * by_short);
            count += other < m && other > far && other - far >= 4 * (s - t);
          }
    }
  return count;
}

/// Near pairs of a text times far pairs of a longer one, over all pairs of lengths.
std::uint64_t pairs_compared(std::uint64_t longest) {
  std::uint64_t count = 0;
  for (std::uint64_t n = 3; 4 * n <= longest; ++n)
    for (std::uint64_t m = 4 * n; m <= longest; ++m)
      for (std::uint64_t near = 1; near + 1 < n; ++near) {
        const std::uint64_t farthest = m - 2, least = 4 * near;
        const std::uint64_t far = farthest < least ? 0 : farthest - least + 1;
        count += (n - 1 - near) * (far * (far + 1) / 2);
      }
  return count;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(distance_d5)

BOOST_AUTO_TEST_CASE(collisions_are_those_of_whole_numbers) {
  BOOST_TEST(value("D5.collisions.index") == static_cast<double>(whole_number_collisions(64, false)));
  BOOST_TEST(value("D5.collisions.normalised_index") ==
             static_cast<double>(whole_number_collisions(64, true)));
  // Every length from 3 words on: the shortest text with a pair of positions besides the first.
  BOOST_TEST(finding("D5.collisions.index").n == pairs_compared(64));
  BOOST_TEST(pairs_compared(128) == 483'772'112U);
  for (const char* encoding : {"sinusoidal", "rotary", "alibi", "t5"})  // T5's last bucket is farther away
    BOOST_TEST(value(std::string("D5.collisions.") + encoding) == 0);
}

BOOST_AUTO_TEST_CASE(compared_pairs_are_counted) {
  const auto index = [](std::size_t t, std::size_t s) { return static_cast<double>(t * s); };
  const std::vector<ScoredPair> shorter = scored_pairs(5, index), longer = scored_pairs(20, index);
  std::uint64_t compared = 0;
  for (const auto& near : shorter)
    for (const auto& far : longer) compared += far.s - far.t >= 4 * (near.s - near.t);
  BOOST_TEST(collisions(shorter, longer).compared == compared);
  BOOST_TEST(shorter.size() == 6u);  // pairs of positions 1 … 4
}

BOOST_AUTO_TEST_CASE(the_example_of_four_and_sixteen_words) {
  // (1, 2) of 4 and (5, 10) of 16: 2/9 = 50/225.
  for (const Table& table : results_of("D5").tables) {
    if (table.file != "d5_examples.csv") continue;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      const double m = table.number(i, "short_length") - 1, n = table.number(i, "long_length") - 1;
      const double near = table.number(i, "near_first") * table.number(i, "near_second"),
                   far = table.number(i, "far_first") * table.number(i, "far_second");
      if (std::get<std::string>(table.at(i, "encoding")) == "normalised_index")
        BOOST_TEST(near * n * n == far * m * m);
      else
        BOOST_TEST(near == far);
    }
    BOOST_TEST(table.rows.size() == 2u);
  }
}

BOOST_AUTO_TEST_CASE(river_and_bank) {
  const Table& sentences = table("d5_sentences.csv");
  BOOST_TEST(sentences.rows.size() == 2 * encodings().size());
  for (std::size_t i = 0; i < sentences.rows.size(); ++i)
    BOOST_TEST(sentences.number(i, "words") == (to_text(sentences.at(i, "sentence")) == "near" ? 6 : 14));
  BOOST_TEST(value("D5.river_bank.index.near") == 4.0 * 5);
  BOOST_TEST(value("D5.river_bank.index.far") == 6.0 * 13);
  // Dot products of 64 terms of one sign: 64 u each and u for every factor.
  constexpr double rounding = 128 * 0x1p-53;
  BOOST_TEST(std::abs(value("D5.river_bank.normalised_index.near") / (20.0 / 25) - 1) < rounding);
  BOOST_TEST(std::abs(value("D5.river_bank.normalised_index.far") / (78.0 / 169) - 1) < rounding);
  double near = 0, far = 0;
  for (int i = 0; i < 32; ++i) {
    near += std::cos(std::pow(1e4, -2.0 * i / 64));
    far += std::cos(7 * std::pow(1e4, -2.0 * i / 64));
  }
  // Sums of 64 terms up to 1 in absolute value, with angles up to 13.
  BOOST_TEST(std::abs(value("D5.river_bank.sinusoidal.near") - near) < 64 * 32 * 0x1p-53);
  BOOST_TEST(std::abs(value("D5.river_bank.sinusoidal.far") - far) < 64 * 32 * 0x1p-53);
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

BOOST_AUTO_TEST_CASE(turns_say_what_the_frequencies_say) {
  for (std::size_t i = 0; i < table("d5_growth.csv").rows.size(); ++i) {
    const Table& growth = table("d5_growth.csv");
    if (std::get<std::string>(growth.at(i, "encoding")) != "rotary") continue;
    std::vector<double> content(64);
    fill_normal(stream(1, "D5", "rotary", static_cast<std::uint64_t>(growth.number(i, "draw")), "encoding"),
                std::span<double>(content));
    double score = 0, power = 0;
    for (int j = 0; j < 32; ++j) {
      const double square = (content[2 * j] * content[2 * j] + content[2 * j + 1] * content[2 * j + 1]) / 2;
      score += square * std::cos(std::pow(1e4, -2.0 * j / 64));
      power += square;
    }
    const double length = growth.number(i, "positions");
    // Half of what two neighbours may differ by.
    std::vector<double> halved = content;
    for (double& x : halved) x /= std::sqrt(2);
    const double bound = std::abs(score) * theory::turned_rounding_spread(1e4, length, halved) / 2;
    for (const char* column : {"last", "least", "most"})
      BOOST_TEST(std::abs(growth.number(i, column) - score) < bound);
    BOOST_TEST(std::abs(growth.number(i, "norm") / std::sqrt(power) - 1) < 128 * 0x1p-53);
  }
  const Finding& spread = finding("D5.neighbour_spread.rotary");
  BOOST_TEST(spread.value < *spread.theory);
  BOOST_TEST(*spread.theory < 1e-11);
  BOOST_TEST(spread.value > 0);
}

BOOST_AUTO_TEST_CASE(biases_say_one_number_of_neighbours) {
  const Table& growth = table("d5_growth.csv");
  std::set<std::string> seen;
  for (std::size_t i = 0; i < growth.rows.size(); ++i) {
    const std::string& name = std::get<std::string>(growth.at(i, "encoding"));
    if (name != "alibi" && name != "t5") continue;
    seen.insert(name);
    BOOST_TEST(growth.number(i, "least") == growth.number(i, "most"));
    if (name == "alibi") {
      BOOST_TEST(growth.number(i, "most") == -1.0 / 16);
      BOOST_TEST(growth.number(i, "norm") == (growth.number(i, "positions") - 1) / 16);
    } else {
      EncodingSettings settings;
      settings.biases =
          stream(1, "D5", "t5", static_cast<std::uint64_t>(growth.number(i, "draw")), "encoding");
      const EncodingPointer encoding = encoding_named("t5", settings);
      BOOST_TEST(growth.number(i, "most") == encoding->bias(0, 1));
      double largest = 0;
      const auto longest = static_cast<std::int64_t>(growth.number(i, "positions"));
      for (std::int64_t k = 1 - longest; k < longest; ++k)
        largest = std::max(largest, std::abs(encoding->bias(0, k)));
      BOOST_TEST(growth.number(i, "norm") == largest);
    }
  }
  BOOST_TEST(seen.size() == 2u);
  BOOST_TEST(value("D5.neighbour_spread.alibi") == 0);
  BOOST_TEST(value("D5.neighbour_spread.t5") == 0);
  BOOST_TEST(value("D5.norm_ratio.alibi") == (3162.0 - 1) / 3);
  BOOST_TEST(*finding("D5.norm_ratio.alibi").theory == value("D5.norm_ratio.alibi"));
}

BOOST_AUTO_TEST_CASE(distances_that_share_a_score) {
  // T5: k from 91 on and k' from 4k to 4096 are in the last bucket, both; no other bucket reaches so far.
  std::uint64_t last_bucket = 0, buckets = 0;
  for (std::uint64_t k = 1; k <= 1024; ++k)
    for (std::uint64_t far = 4 * k; far <= 4096; ++far) {
      last_bucket += k >= 91;
      buckets += t5_bucket(static_cast<std::int64_t>(k)) == t5_bucket(static_cast<std::int64_t>(far));
    }
  BOOST_TEST(value("D5.distance_collisions.t5") == static_cast<double>(buckets));
  BOOST_TEST(*finding("D5.distance_collisions.t5").theory == static_cast<double>(last_bucket));
  BOOST_TEST(buckets == last_bucket);
  BOOST_TEST(value("D5.first_collision.t5") == 91);
  BOOST_TEST(value("D5.closest_distances.alibi") == .75);
  // The sinusoid's, from sums of cosines.
  std::vector<double> scores;
  for (int k = 1; k <= 4096; ++k) {
    double score = 0;
    for (int i = 0; i < 32; ++i) score += std::cos(k * std::pow(1e4, -2.0 * i / 64));
    scores.push_back(score);
  }
  // Angles up to 4096 turn by 4096 u in 32 terms: 1.5e-11 of scores near one.
  BOOST_TEST(std::abs(value("D5.closest_distances.sinusoidal") - pair_by_pair(scores).closest) < 1e-9);
}

BOOST_AUTO_TEST_SUITE_END()
