// D5: positions as plain numbers, held against vectors: why not the index, or the index over the length?

#include <functional>
#include <numbers>
#include <numeric>

#include "perp/measures/score_collisions.hpp"
#include "perp/measures/squares.hpp"
#include "perp/random/normal.hpp"
#include "perp/study/claim.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/corpus_text.hpp"
#include "perp/vectors/encoding.hpp"
#include "studies/distance/claims.hpp"

namespace perp::distance {
namespace {

/// Dimension of every table: that of one attention head.
constexpr std::size_t index_dimension = 64;
/// Of texts that are searched for collisions: position 0 is left out, and a pair needs two more.
constexpr std::size_t shortest_text = 3;
constexpr std::pair<const char*, const char*> sentences[] = {
    {"near", "I went to the river bank."},
    {"far", "I am going swimming in the river. Later, I will go to the bank."}};

struct Encoded {
  std::string measure, encoding;
  std::size_t draw;
};
PERP_ROW(Encoded, measure, encoding, draw)
struct Texts : Encoded {
  std::size_t longest;
};
PERP_ROW(Texts, measure, encoding, longest, draw)
struct Collided : Texts {
  std::uint64_t compared, equal;
};
PERP_ROW_OF(Collided, Texts, compared, equal)
struct Sentence : Encoded {
  std::string sentence;
  std::size_t words, river, bank;
  double score;
};
PERP_ROW_OF(Sentence, Encoded, sentence, words, river, bank, score)

/// What an encoding says of pairs of positions in a text of `length` words.
///   adds a vector   p_t·p_s
///   turns a vector  qᵀR(s-t)q, q turned at t and at s and multiplied: one content with entries N(0, 1/2), so
///                   that the expected score is the sinusoid's, Σ cos ω_i (s-t)
///   biases a score  b(t, s), the bias alone
class PairScores {
 public:
  PairScores(const Encoded& at, const Streams& streams, std::size_t length) {
    // Keyed by the draw alone: a drawn table is the same table at every length.
    const Stream draws = stream(streams.seed, streams.experiment, at.encoding, at.draw, "encoding");
    encoding_ = encoding_named(at.encoding, {.biases = draws});
    if (encoding_->action() == Action::adds_vector)
      rows_ = encoding_->vectors(length, index_dimension, draws);
    if (encoding_->action() == Action::rotates_vector) rows_ = turned_content(draws, length);
  }

  double operator()(std::size_t t, std::size_t s) const {
    if (encoding_->action() == Action::biases_score) return encoding_->bias(std::int64_t(t), std::int64_t(s));
    return std::inner_product(row(rows_, t).begin(), row(rows_, t).end(), row(rows_, s).begin(), 0.0);
  }

 private:
  /// One drawn content at every position of the text, turned as that position is.
  Matrix<double> turned_content(const Stream& draws, std::size_t length) const {
    std::vector<double> content(index_dimension);
    fill_normal(draws, std::span<double>(content));
    for (double& x : content) x /= std::numbers::sqrt2;
    Matrix<double> rows = matrix<double>(length, index_dimension);
    for (std::size_t t = 0; t < length; ++t) std::ranges::copy(content, row(rows, t).begin());
    encoding_->rotate(rows, 0);
    return rows;
  }

  EncodingPointer encoding_;
  Matrix<double> rows_;  ///< length x d; nothing for biases
};

void measure_collisions(const Texts& at, const Streams& streams, Rows& rows) {
  std::vector<std::vector<ScoredPair>> by_length(at.longest + 1);
  for (std::size_t n = shortest_text; n <= at.longest; ++n) {
    const PairScores score(at, streams, n);
    by_length[n] = scored_pairs(n, std::cref(score));
  }
  Collided all{at, 0, 0};
  for (std::size_t n = shortest_text; farther * n <= at.longest; ++n)
    for (std::size_t m = farther * n; m <= at.longest; ++m) {
      const Collisions found = collisions(by_length[n], by_length[m]);
      all.compared += found.compared;
      all.equal += found.equal;
    }
  rows.add(all);
}

void measure_sentences(const Encoded& at, const Streams& streams, Rows& rows) {
  for (const auto& [name, sentence] : sentences) {
    std::vector<std::string> words;
    for_each_word(sentence, [&](std::string_view word) { words.emplace_back(word); });
    const std::size_t river = std::ranges::find(words, "river") - words.begin(),
                      bank = std::ranges::find(words, "bank") - words.begin();
    rows.add(
        Sentence{at, name, words.size(), river, bank, PairScores(at, streams, words.size())(river, bank)});
  }
}

/// How each tells a position, and whether some of its pairs collide. T5's last bucket begins beyond texts of
/// these lengths; before it no bucket reaches from k to 4k.
struct Told {
  const char *encoding, *said;
  bool collides, is_drawn;
};
constexpr Told told[] = {
    {"sinusoidal", "sinusoid", false, false}, {"rotary", "RoPE", false, true},
    {"alibi", "ALiBi", false, false},         {"t5", "T5's biases up to their last bucket", false, true},
    {"index", "index", true, false},          {"normalised_index", "index over length", true, false}};

void conclude(const Cells& cells, Summary& summary) {
  const auto counts = rows_of<Collided>(cells);
  summary.table(
      "d5_collisions.csv", counts,
      {exact("encoding", "how a position is told", &Encoded::encoding),
       exact("draw", "replicate of an encoding that is drawn", &Encoded::draw),
       exact("longest", "every length from 3 up to this one was held against every other", &Texts::longest),
       exact("compared", "near pairs in a short text times far pairs in a long one", &Collided::compared),
       counted("equal", "of them with equal scores", &Collided::equal)});
  for (const Told& of : told) {
    const auto draws = only(counts, &Encoded::encoding, of.encoding);
    const std::string finding = fmt::format("collisions.{}", of.encoding);
    summary.number("collisions", {{"encoding", of.encoding}}, {double(total(draws, &Collided::equal))},
                   {.theory = of.collides ? std::nullopt : std::optional(0.0),
                    .n = total(draws, &Collided::compared),
                    .kind = of.is_drawn ? Kind::sampled : Kind::count,
                    .meaning = "Pairs of positions with the score of a pair at least four times as far apart "
                               "in a text at least four times as long, over all draws; n counts what was "
                               "compared."});
    summary.rule.push_back(condition(Role::core, finding, of.collides ? Is::above : Is::equal, 0.0,
                                     Evidence::theorem, {{"position told by", of.said}}));
  }
  for (const Sentence& s : rows_of<Sentence>(cells)) {
    double law = s.river * s.bank;
    if (s.encoding == "sinusoidal") law = theory::kernel_exact(index_dimension, usual_base, s.bank - s.river);
    if (s.encoding == "normalised_index") law /= squared(s.words - 1.0);
    summary.number("river_bank", {{"encoding", s.encoding}, {"sentence", s.sentence}}, {s.score},
                   {.theory = law,
                    .kind = Kind::rounded,
                    .meaning = "Product of the positions of river and bank in the sentence."});
  }
}

}  // namespace

Experiment index_instead(const Options& options) {
  Experiment claim{"D5",
                   "Neither the index, which grows, nor the index divided by the length, which makes far "
                   "words of a long text look like near ones of a short text, will do; a sinusoid gives one "
                   "number per distance at every length.",
                   "[b, c]"};
  const std::size_t longest = pick<std::size_t>(options.preset, 64, 128, 256),
                    draws = pick<std::size_t>(options.preset, 3, 5, 10);
  std::vector<Texts> texts;
  for (const Told& of : told)
    for (const std::size_t draw : first(of.is_drawn ? draws : 1))
      texts.push_back({{"collisions", of.encoding, draw}, longest});
  claim.measure(texts, 0.1, measure_collisions);
  claim.measure(
      std::vector<Encoded>{
          {"sentences", "sinusoidal", 0}, {"sentences", "index", 0}, {"sentences", "normalised_index", 0}},
      1e-3, measure_sentences);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::distance
