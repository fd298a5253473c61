// D9: the laws of the four terms by simulation, and from how many draws on they are judged.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/measures/scores.hpp"
#include "perp/random/normal.hpp"
#include "perp/statistics/ratio.hpp"
#include "perp/theory/scores.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/scores.hpp"
#include "tests/tolerance.hpp"

using namespace perp;
using namespace perp::distance;

BOOST_AUTO_TEST_SUITE(distance_d9)

BOOST_AUTO_TEST_CASE(tied_shares_by_simulation) {
  // Low rank and dimension, where every term of the line counts. False alarm 1e-6 each, and .001 for what the
  // line leaves out: the square of the mean score, (rank d/V)² of about 60.
  const std::size_t d = 4, length = 6, count = 64, rank = 2;
  const Matrix<double> positions = sinusoidal<double>(length, d);
  std::vector<double> words_part, positions_part, sums;
  for (std::size_t draw = 0; draw < 4000; ++draw) {
    const Matrix<double> words = normal_matrix<double>(count, d, stream(1, "tests", "tied", draw, "words")),
                         query = normal_matrix<double>(rank, d, stream(1, "tests", "tied", draw, "query"));
    const FourTerms terms = four_terms(words, positions, gram_columns(query));
    words_part.push_back(terms.word_word);
    positions_part.push_back(terms.position_position);
    sums.push_back(terms.sum());
  }
  const theory::FourShares line = theory::tied_shares(d, count, 1, sinusoid_kernel(length, d), rank);
  for (const auto& [part, expected] :
       {std::pair{&words_part, line.word_word}, {&positions_part, line.position_position}}) {
    const PooledRatio ratio = pooled_ratio(*part, sums);
    const double reach = interval_at(ratio.value, *ratio.spread, 1 - 1e-6).high - ratio.value;
    BOOST_TEST(std::abs(ratio.value - expected) < reach + 0.001);
  }
}

BOOST_AUTO_TEST_CASE(judged_from_eight_hundred_draws_on) {
  for (const std::size_t draws : {judged_draws - 1, judged_draws}) {
    CellRecords entry{{{{"words", std::string("gaussian")},
                        {"matrix", std::string("heads")},
                        {"d", std::int64_t{64}},
                        {"l", std::int64_t{256}},
                        {"v", std::int64_t{1024}},
                        {"draws", static_cast<std::int64_t>(draws)}}},
                      {}};
    for (std::size_t i = 0; i < draws; ++i)
      entry.records.push_back({"terms",
                               {{"word_word", 1.0 + 0.1 * static_cast<double>(i % 7)},
                                {"word_position", 0.5},
                                {"position_word", 0.5},
                                {"position_position", 0.2}}});
    CellRecords tied = entry;
    tied.cell.at[1].value = std::string("tied");
    const Outcome outcome = scores_of_sums({}).summarise({entry, tied});
    for (const char* matrix : {"heads", "tied"}) {
      const Finding* judged = find(outcome.findings, fmt::format("D9.judged_share.gaussian.{}.d64", matrix));
      BOOST_REQUIRE((judged != nullptr) == (draws == judged_draws));
      if (judged) BOOST_TEST((judged->spread && judged->theory), matrix);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
