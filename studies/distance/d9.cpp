// D9: the score of two sums in four terms, whose sizes follow from the lengths of words and positions.

#include <cmath>

#include "perp/base/linalg.hpp"
#include "perp/measures/scores.hpp"
#include "perp/random/normal.hpp"
#include "perp/statistics/spread.hpp"
#include "perp/study/claim.hpp"
#include "perp/theory/scores.hpp"
#include "perp/vectors/positions.hpp"
#include "perp/vectors/words.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/scores.hpp"

namespace perp::distance {
namespace {

constexpr std::size_t length = 256, vocabulary = 1024, rank = 64;

struct Setting {
  std::string words, matrix;
  std::size_t d, l, v, draws;
};
PERP_ROW(Setting, words, matrix, d, l, v, draws)
struct Terms : Setting {
  double word_word, word_position, position_word, position_position;

  double sum() const { return word_word + word_position + position_word + position_position; }
};
PERP_ROW_OF(Terms, Setting, word_word, word_position, position_word, position_position)

Matrix<double> draw_matrix(const Setting& at, const Streams& streams, std::size_t draw) {
  const Matrix<double> query = normal_matrix<double>(rank, at.d, streams("query", draw));
  if (at.matrix == "tied") return gram_columns(query);
  return product_tn(query, normal_matrix<double>(rank, at.d, streams("key", draw)));
}

/// The terms at word entries of variance 1.
void measure(const Setting& at, const Streams& streams, Rows& rows) {
  const Matrix<double> positions = sinusoidal<double>(at.l, at.d);
  for (std::size_t draw = 0; draw < at.draws; ++draw) {
    const Matrix<float> drawn = draw_words(family_from(at.words), at.v, at.d, streams("words", draw));
    const Matrix<double> words = drawn;
    const FourTerms terms = four_terms(words, positions, draw_matrix(at, streams, draw));
    rows.add(Terms{at, terms.word_word, terms.word_position, terms.position_word, terms.position_position});
  }
}

/// One setting's draws: the terms' shares of the sum of their variances, each summed over draws, and what to
/// expect.
struct Shares : Setting {
  Estimate word_word, position_position;
  theory::FourShares random, own;  ///< for random M, and for this kind of M
};

Shares shares(const Group<Terms>& draws) {
  const Setting& at = draws.front();
  const std::vector<double> sums = draws.values(&Terms::sum);
  const auto share = [&](const auto& part) {
    const PooledRatio pooled = pooled_ratio(draws.values(part), sums);
    return pooled.spread ? estimated(pooled.value, *pooled.spread) : Estimate{pooled.value};
  };
  const std::vector<double> kernel = sinusoid_kernel(at.l, at.d);
  const theory::FourShares random =
      theory::four_shares({double(at.d), 0}, {kernel[0], theory::square_mean(kernel)});
  return {at, share(&Terms::word_word), share(&Terms::position_position), random,
          at.matrix == "tied" ? theory::tied_shares(at.d, at.v, 1, kernel, rank) : random};
}

void add_shares(const std::vector<Shares>& all, Summary& summary) {
  const auto words = exact("words", "family of the word vectors, entries of variance 1", &Setting::words);
  const auto weights = exact("matrix", "heads: QᵀK of rank 64; tied: QᵀQ of rank 64", &Setting::matrix);
  const auto d = exact("d", "dimension", &Setting::d);
  const auto own_line = [](const Shares& s) { return s.own.position_position; };
  const auto share = [](const std::string& name, const char* meaning, Estimate Shares::*get) {
    return sampled(name, meaning, get)
        .interval(name + "_low", name + "_high", "its 99% interval by Student's t on the linearised ratio")
        .n(&Setting::draws);
  };
  const auto position =
      share("position_position", "share of the position-position term", &Shares::position_position);
  summary.table(
      "d9_shares.csv", all,
      {words, weights, d, exact("positions", "L", &Setting::l),
       exact("draws", "draws of words and M", &Setting::draws),
       share("word_word", "share of the word-word term in the four variances, both summed over draws",
             &Shares::word_word),
       position, exact("word_word_line", "for random M", [](const Shares& s) { return s.random.word_word; }),
       exact("position_position_line", "for random M",
             [](const Shares& s) { return s.random.position_position; }),
       exact("own_line", "position-position share to expect of this kind of M", own_line)});
  summary.each(
      where(all, [](const Setting& at) { return at.draws >= judged_draws; }), {words, weights, d},
      {position.theory(own_line).as(
          "judged_share",
          "Share of the position-position term in the variance of the score of two sums, words with entries "
          "of "
          "variance 1 and the sinusoid as it is, from at least 800 draws; theory: for this kind of M.")});
}

/// The share that the claim is judged by, and how near to its line it has to be.
Condition beside_its_line(const char* matrix, double margin, const char* weights, const char* says) {
  Condition made =
      condition(Role::core, fmt::format("judged_share.gaussian.{}.d64", matrix), Is::equal, "theory",
                Evidence::simulation, {{"weights", weights}}, says, "at least 800 draws: preset full");
  made.margin = margin;
  return made;
}

/// At words whose entries have variance 1.
void add_draws(const std::vector<Terms>& draws, Summary& summary) {
  summary.table("d9_draws.csv", draws,
                {exact("words", "as in d9_shares.csv; entries of variance 1", &Terms::words),
                 exact("matrix", "as in d9_shares.csv", &Terms::matrix), exact("d", "dimension", &Terms::d),
                 sampled("word_word", "variance of the word-word term over all pairs", &Terms::word_word),
                 sampled("word_position", "of the word-position term", &Terms::word_position),
                 sampled("position_word", "of the position-word term", &Terms::position_word),
                 sampled("position_position", "of the position-position term", &Terms::position_position)});
}

void conclude(const Cells& cells, Summary& summary) {
  add_draws(rows_of<Terms>(cells), summary);
  std::vector<Shares> all;
  for (const auto& draws : group_by(rows_of<Terms>(cells), &Terms::matrix)) all.push_back(shares(draws));
  add_shares(all, summary);
  summary.rule = {
      beside_its_line("heads", 0.005, "Q and K drawn independently",
                      "share of the position–position term in the variance of the score of two sums, random "
                      "Q and K of rank 64, d = 64, against theory from norms and means alone"),
      beside_its_line("tied", 0.01, "Q = K", "the same, Q = K of rank 64, against theory for tied weights")};
}

}  // namespace

Experiment scores_of_sums(const Options& options) {
  Experiment claim{"D9",
                   "The logit of two sums is a sum of four terms, whose sizes follow from the norms of words "
                   "and positions.",
                   "[a, d]"};
  const auto cost = [](const Setting& at) { return at.draws * (4e-10 * at.d * at.d * at.d + 3e-3); };
  const std::size_t draws = pick<std::size_t>(options.preset, 20, judged_draws, 2000);
  claim.measure(std::vector<Setting>{{"gaussian", "heads", 64, length, vocabulary, draws},
                                     {"gaussian", "tied", 64, length, vocabulary, draws}},
                cost, measure);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::distance
