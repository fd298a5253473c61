// D9: the score of two sums in four terms, whose sizes follow from the lengths of words and positions. In words: d9.toml.

#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/measures/scores.hpp"
#include "perp/random/draws.hpp"
#include "perp/statistics/spread.hpp"
#include "perp/study/experiment.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/scores.hpp"

namespace perp::distance {
namespace {

/// Draws of a cell that it is judged by, at least (d9.toml).
constexpr std::size_t judged_draws = 800;
constexpr std::size_t dimension = 64, length = 256, vocabulary = 1024, rank = 64;

Matrix<double> draw_matrix(const std::string& kind, const Streams& streams, std::size_t draw) {
  const Matrix<double> query = normal_matrix<double>(rank, dimension, streams("query", draw));
  if (kind == "tied") return gram_columns(query);
  return product_tn(query, normal_matrix<double>(rank, dimension, streams("key", draw)));
}

/// The terms' variances at word entries of variance 1.
void measure(const std::string& kind, std::size_t draws, const Streams& streams, Out& out) {
  const Matrix<double> positions = sinusoidal<double>(length, dimension);
  for (std::size_t draw = 0; draw < draws; ++draw) {
    const Matrix<double> words = draw_words(Family::gaussian, vocabulary, dimension, streams("words", draw));
    const FourTerms terms = four_terms(words, positions, draw_matrix(kind, streams, draw));
    out("terms", {{"word_word", terms.word_word},
                  {"position_position", terms.position_position},
                  {"sum", terms.sum()}});
  }
}

/// The terms' shares of the sum of their variances, each summed over draws, and what to expect.
void fold(const Frames& measured, Out& out) {
  const std::vector<double> kernel = sinusoid_kernel(length, dimension);
  const theory::FourShares random =
      theory::four_shares({double(dimension), 0}, {kernel[0], theory::square_mean(kernel)});
  for (const Frame& draws : measured["terms"].by("words matrix d")) {
    const auto share = [&](const char* term) {
      const PooledRatio pooled = pooled_ratio(draws.numbers(term), draws.numbers("sum"));
      return pooled.spread ? estimated(pooled.value, *pooled.spread) : Estimate{pooled.value};
    };
    const theory::FourShares own = draws.front().text("matrix") == "tied"
                                       ? theory::tied_shares(dimension, vocabulary, 1, kernel, rank)
                                       : random;
    out("shares", draws,
        {{"positions", length},
         {"draws", draws.size()},
         {"word_word", share("word_word")},
         {"position_position", share("position_position")},
         {"word_word_line", random.word_word},
         {"position_position_line", random.position_position},
         {"own_line", own.position_position}});
  }
}

}  // namespace

Experiment scores_of_sums(const Options& options) {
  Experiment claim("D9", toml_of("d9"));
  const std::size_t draws = pick<std::size_t>(options.preset, 20, judged_draws, 2000);
  for (const std::string kind : {"heads", "tied"})
    claim.cell({{"words", "gaussian"},
                {"matrix", kind},
                {"d", whole(dimension)},
                {"l", whole(length)},
                {"v", whole(vocabulary)},
                {"draws", whole(draws)}},
               3e-3 * double(draws),
               [=](const Streams& streams, Out& out) { measure(kind, draws, streams, out); });
  claim.fold(fold);
  return claim;
}

}  // namespace perp::distance
