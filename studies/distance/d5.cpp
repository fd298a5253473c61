// D5: positions as plain numbers, held against vectors: why not the index, or the index over the length? In words: d5.toml.

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include "perp/measures/rows.hpp"
#include "perp/measures/scores.hpp"
#include "perp/random/draws.hpp"
#include "perp/study/experiment.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/corpus.hpp"
#include "perp/vectors/encoding.hpp"
#include "studies/distance/claims.hpp"

namespace perp::distance {
namespace {

/// Dimension of every table: that of one attention head.
constexpr std::size_t dimension = 64;
/// Of texts that are searched for collisions: position 0 is left out, and a pair needs two more.
constexpr std::size_t shortest_text = 3;
constexpr std::pair<const char*, const char*> sentences[] = {
    {"near", "I went to the river bank."},
    {"far", "I am going swimming in the river. Later, I will go to the bank."}};

/// What an encoding says of pairs of positions in a text of `length` words.
///   adds a vector   p_t·p_s
///   turns a vector  qᵀR(s-t)q, q turned at t and at s and multiplied: one content with entries N(0, 1/2), so
///                   that the expected score is the sinusoid's, Σ cos ω_i (s-t)
///   biases a score  b(t, s), the bias alone
class PairScores {
 public:
  /// `draws`: the same at every length, so that a drawn table is the same table.
  PairScores(const std::string& encoding, const Stream& draws, std::size_t length)
      : encoding_(encoding_named(encoding, {.biases = draws})) {
    if (encoding_->action() == Action::adds_vector) rows_ = encoding_->vectors(length, dimension, draws);
    if (encoding_->action() == Action::rotates_vector) rows_ = turned_content(draws, length);
  }

  double operator()(std::size_t t, std::size_t s) const {
    if (encoding_->action() == Action::biases_score) return encoding_->bias(std::int64_t(t), std::int64_t(s));
    return std::inner_product(row(rows_, t).begin(), row(rows_, t).end(), row(rows_, s).begin(), 0.0);
  }

 private:
  /// One drawn content at every position of the text, turned as that position is.
  Matrix<double> turned_content(const Stream& draws, std::size_t length) const {
    std::vector<double> content(dimension);
    fill_normal(draws, std::span<double>(content));
    for (double& x : content) x /= std::numbers::sqrt2;
    Matrix<double> rows = matrix<double>(length, dimension);
    for (std::size_t t = 0; t < length; ++t) std::ranges::copy(content, row(rows, t).begin());
    encoding_->rotate(rows, 0);
    return rows;
  }

  EncodingPointer encoding_;
  Matrix<double> rows_;  ///< length x d; nothing for biases
};

void measure_collisions(const std::string& encoding, const Stream& draws, std::size_t longest, Out& out) {
  std::vector<std::vector<ScoredPair>> by_length(longest + 1);
  for (std::size_t n = shortest_text; n <= longest; ++n) {
    const PairScores score(encoding, draws, n);
    by_length[n] = scored_pairs(n, std::cref(score));
  }
  std::uint64_t compared = 0, equal = 0;
  for (std::size_t n = shortest_text; farther * n <= longest; ++n)
    for (std::size_t m = farther * n; m <= longest; ++m) {
      const Collisions found = collisions(by_length[n], by_length[m]);
      compared += found.compared;
      equal += found.equal;
    }
  out("collisions", {{"compared", compared}, {"equal", equal}});
}

void measure_sentences(const std::string& encoding, const Stream& draws, Out& out) {
  for (const auto& [name, sentence] : sentences) {
    std::vector<std::string> words;
    for_each_word(sentence, [&](std::string_view word) { words.emplace_back(word); });
    const std::size_t river = std::ranges::find(words, "river") - words.begin(),
                      bank = std::ranges::find(words, "bank") - words.begin();
    const double law = encoding == "sinusoidal" ? theory::kernel_exact(dimension, usual_base, bank - river)
                       : encoding == "index"    ? double(river * bank)
                                                : double(river * bank) / squared(words.size() - 1.0);
    out("sentences", {{"sentence", name},
                      {"score", PairScores(encoding, draws, words.size())(river, bank)},
                      {"law", law}});
  }
}

/// T5's last bucket begins beyond texts of these lengths; before it no bucket reaches from k to 4k.
bool collides(const std::string& encoding) { return encoding.ends_with("index"); }

void fold(const Frames& measured, Out& out) {
  for (const Frame& draws : measured["collisions"].by("encoding"))
    out("all", draws,
        {{"equal", draws.sum("equal")},
         {"exact", collides(draws.front().text("encoding")) ? NAN : 0.0},
         {"compared", draws.sum("compared")}});
}

}  // namespace

Experiment index_instead(const Options& options) {
  Experiment claim("D5", toml_of("d5"));
  const std::size_t longest = pick<std::size_t>(options.preset, 64, 128, 256),
                    draws = pick<std::size_t>(options.preset, 3, 5, 10);
  const auto draws_of = [](const Streams& streams, const std::string& encoding, std::size_t draw) {
    return stream(streams.seed, streams.experiment, encoding, draw, "encoding");
  };
  for (const std::string encoding : {"sinusoidal", "rotary", "alibi", "t5", "index", "normalised_index"})
    for (const std::size_t draw : first(encoding == "rotary" || encoding == "t5" ? draws : 1))
      claim.cell({{"encoding", encoding}, {"longest", whole(longest)}, {"draw", whole(draw)}}, 0.1,
                 [=](const Streams& streams, Out& out) {
                   measure_collisions(encoding, draws_of(streams, encoding, draw), longest, out);
                 });
  for (const std::string encoding : {"sinusoidal", "index", "normalised_index"})
    claim.cell({{"encoding", encoding}}, 1e-3, [=](const Streams& streams, Out& out) {
      measure_sentences(encoding, draws_of(streams, encoding, 0), out);
    });
  claim.fold(fold);
  return claim;
}

}  // namespace perp::distance
