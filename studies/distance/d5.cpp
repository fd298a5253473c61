// D5: positions as plain numbers, held against vectors: why not the index, or the index over the length? And
// does one number per distance also mean one distance per number?

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <utility>

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

/// Dimension of every table: that of one attention head, so that 100,000 positions stay small.
constexpr std::size_t index_dimension = 64;
/// Of texts that are searched for collisions: position 0 is left out, and a pair needs two more.
constexpr std::size_t shortest_text = 3;
/// From here on T5's distances share one bucket (`t5_bucket`): in n distances distance_pairs(91, n) collide.
constexpr std::uint64_t t5_last_bucket = 91;
constexpr std::pair<const char*, const char*> sentences[] = {
    {"near", "I went to the river bank."},
    {"far", "I am going swimming in the river. Later, I will go to the bank."}};

struct Encoded {
  std::string measure, encoding;
  std::size_t draw;
};
PERP_ROW(Encoded, measure, encoding, draw)
struct Text : Encoded {
  std::size_t l;
};
PERP_ROW(Text, measure, encoding, l, draw)
struct Growth : Text {
  double norm, least, most, last, rounding;
};
PERP_ROW_OF(Growth, Text, norm, least, most, last, rounding)

struct Texts : Encoded {
  std::size_t longest;
};
PERP_ROW(Texts, measure, encoding, longest, draw)
struct Collided : Texts {
  std::uint64_t compared, equal;
};
PERP_ROW_OF(Collided, Texts, compared, equal)
struct Example : Texts {
  std::size_t short_length, near_first, near_second, long_length, far_first, far_second;
  double score;
};
PERP_ROW_OF(Example, Texts, short_length, near_first, near_second, long_length, far_first, far_second, score)

struct Sentence : Encoded {
  std::string sentence;
  std::size_t words, river, bank;
  double score;
};
PERP_ROW_OF(Sentence, Encoded, sentence, words, river, bank, score)

struct Range : Encoded {
  std::size_t lags;
};
PERP_ROW(Range, measure, encoding, lags, draw)
struct Distances : Range {
  std::uint64_t compared, equal, alike;
  double closest;
  std::size_t near;
};
PERP_ROW_OF(Distances, Range, compared, equal, alike, closest, near)

/// Whether its numbers hang on draws: a drawn table, drawn biases, a drawn content to turn.
bool is_drawn(const std::string& encoding) {
  const EncodingPointer named = encoding_named(encoding);
  return named->is_random() || named->action() == Action::rotates_vector;
}

/// What an encoding says of pairs of positions in a text of `length` words.
///   adds a vector   p_t·p_s
///   turns a vector  qᵀR(s-t)q, q turned at t and at s and multiplied: one content with entries N(0, 1/2), so
///                   that the expected score is the sinusoid's, Σ cos ω_i (s-t)
///   biases a score  b(t, s), the bias alone
class PairScores {
 public:
  PairScores(const Encoded& at, const Streams& streams, std::size_t length) : length_(length) {
    // Keyed by the draw alone: a drawn table is the same table at every length.
    const Stream draws = stream(streams.seed, streams.experiment, at.encoding, at.draw, "encoding");
    encoding_ = encoding_named(at.encoding, {.biases = draws});
    if (encoding_->action() == Action::adds_vector)
      rows_ = encoding_->vectors(length, index_dimension, draws);
    if (encoding_->action() == Action::rotates_vector) rows_ = turned_content(draws);
  }

  double operator()(std::size_t t, std::size_t s) const {
    if (encoding_->action() == Action::biases_score) return encoding_->bias(std::int64_t(t), std::int64_t(s));
    return std::inner_product(row(rows_, t).begin(), row(rows_, t).end(), row(rows_, s).begin(), 0.0);
  }

  /// The largest norm of a position's vector or of a turned content, or the largest size of a bias. Biases
  /// are looked up once for each lag.
  double largest() const {
    double most = 0;
    for (std::size_t t = 0; t < length_; ++t)
      most = encoding_->action() == Action::biases_score
                 ? std::max({most, std::abs((*this)(0, t)), std::abs((*this)(t, 0))})
                 : std::max(most, std::sqrt((*this)(t, t)));
    return most;
  }

  /// What rounding may make of a turned content's neighbours; NaN where nothing is turned.
  double turned_rounding() const {
    if (encoding_->action() != Action::rotates_vector) return NAN;
    return theory::turned_rounding_spread(usual_base, length_, row(rows_, 0));
  }

 private:
  /// One drawn content at every position of the text, turned as that position is.
  Matrix<double> turned_content(const Stream& draws) const {
    std::vector<double> content(index_dimension);
    fill_normal(draws, std::span<double>(content));
    for (double& x : content) x /= std::numbers::sqrt2;
    Matrix<double> rows = matrix<double>(length_, index_dimension);
    for (std::size_t t = 0; t < length_; ++t) std::ranges::copy(content, row(rows, t).begin());
    encoding_->rotate(rows, 0);
    return rows;
  }

  EncodingPointer encoding_;
  std::size_t length_;
  Matrix<double> rows_;  ///< length x d; nothing for biases
};

void measure_growth(const Text& at, const Streams& streams, Rows& rows) {
  const PairScores score(at, streams, at.l);
  MomentSums sums;
  for (std::size_t t = 0; t + 1 < at.l; ++t) sums.add(score(t, t + 1));
  const Moments neighbours = sums.moments();
  rows.add(Growth{at, score.largest(), neighbours.minimum, neighbours.maximum, score(at.l - 2, at.l - 1),
                  score.turned_rounding()});
}

void measure_collisions(const Texts& at, const Streams& streams, Rows& rows) {
  std::vector<std::vector<ScoredPair>> by_length(at.longest + 1);
  for (std::size_t n = shortest_text; n <= at.longest; ++n) {
    const PairScores score(at, streams, n);
    by_length[n] = scored_pairs(n, std::cref(score));
  }
  Collided all{at, 0, 0};
  bool is_first = true;
  for (std::size_t n = shortest_text; farther * n <= at.longest; ++n)
    for (std::size_t m = farther * n; m <= at.longest; ++m) {
      const Collisions found = collisions(by_length[n], by_length[m]);
      all.compared += found.compared;
      all.equal += found.equal;
      if (!found.example || !std::exchange(is_first, false)) continue;
      const auto& [near, far] = *found.example;
      rows.add(Example{at, n, near.t, near.s, m, far.t, far.s, near.score});
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

/// One number per distance, but is it one distance per number? Scores of all distances from position 0.
void measure_distances(const Range& at, const Streams& streams, Rows& rows) {
  const PairScores score(at, streams, at.lags + 1);
  std::vector<double> scores;
  for (std::size_t k = 1; k <= at.lags; ++k) scores.push_back(score(0, k));
  const Likeness found = compare_distances(scores);
  rows.add(Distances{at, found.compared, found.equal, found.alike, found.closest,
                     found.first ? found.first->first : 0});
}

/// A number of an encoding: a mean over draws, or the one value there is.
void add_number(Summary& summary, const char* measure, const std::string& encoding, const Estimate& estimate,
                std::optional<double> theory, std::uint64_t n, Kind otherwise, const char* meaning) {
  summary.number(
      measure, {{"encoding", encoding}}, estimate,
      {.theory = theory, .n = n, .kind = is_drawn(encoding) ? Kind::sampled : otherwise, .meaning = meaning});
}

/// One number per distance: a count of collisions is no matter of chance.
bool decided_by_distance(const std::string& encoding) {
  return encoding == "sinusoidal" || encoding == "rotary" || encoding == "alibi" || encoding == "t5";
}

const auto encoding = exact("encoding", "how a position is told", &Encoded::encoding);
const auto draw = exact("draw", "replicate of an encoding that is drawn", &Encoded::draw);

void add_growth(const std::vector<Growth>& growth, Summary& summary) {
  summary.table(
      "d5_growth.csv", growth,
      {encoding, draw, exact("positions", "length of the text L", &Text::l),
       sampled("norm", "largest length of a position's vector or of a turned content; largest size of a bias",
               &Growth::norm),
       sampled("least", "smallest score of two neighbours in the text", &Growth::least),
       sampled("most", "largest score of two neighbours", &Growth::most),
       sampled("last", "score of the last two positions", &Growth::last)});
  const double shortest = least(growth, &Text::l), longest = most(growth, &Text::l);
  using Draw = Group<Growth>;  // texts of every length, ascending
  const auto spread = [](const Draw& texts) {
    const double low = least(texts, &Growth::least), high = most(texts, &Growth::most);
    return (high - low) / std::max(std::abs(high), std::abs(low));
  };
  const auto ratio = [](const Draw& texts) { return texts.back().norm / texts.front().norm; };
  const auto rounding = [](const Draw& texts) { return texts.back().rounding; };
  const auto name_of = [](const Draw& texts) { return texts.front().encoding; };
  for (const Group<Draw>& draws : group_by(group_by(growth, &Encoded::encoding, &Encoded::draw), name_of)) {
    const std::string name = name_of(draws.front());
    const bool by_distance = decided_by_distance(name), is_index = name == "index";
    std::optional<double> ratio_law;
    double spread_law = is_index ? 1 : 0;
    if (name == "sinusoidal")
      spread_law = theory::neighbour_rounding_spread(index_dimension, usual_base, longest);
    if (name == "rotary") spread_law = draws.mean(rounding);
    if (is_index || name == "alibi") ratio_law = (longest - 1) / (shortest - 1);
    if (by_distance || is_index)
      add_number(summary, "neighbour_spread", name, draws.estimate(spread), spread_law, draws.size(),
                 Kind::rounded,
                 "Largest less smallest score of two neighbours, over all places and all lengths, as a share "
                 "of the largest; theory: 1 for a plain number, the bound on rounding for the sinusoid and "
                 "for RoPE, 0 for biases.");
    if (ratio_law || name == "random")
      add_number(
          summary, "norm_ratio", name, draws.estimate(ratio), ratio_law, draws.size(), Kind::rounded,
          "Largest norm of a position (size of a bias) in the longest text over that in the shortest.");
  }
}

void add_collisions(const std::vector<Collided>& counts, const std::vector<Example>& examples,
                    Summary& summary) {
  summary.table(
      "d5_collisions.csv", counts,
      {encoding, draw,
       exact("longest", "every length from 3 up to this one was held against every other", &Texts::longest),
       exact("compared", "near pairs in a short text times far pairs in a long one", &Collided::compared),
       counted("equal", "of them with equal scores", &Collided::equal)});
  summary.table("d5_examples.csv", examples,
                {encoding, exact("short_length", "words of the short text", &Example::short_length),
                 exact("near_first", "its pair: first position, counted from 0", &Example::near_first),
                 exact("near_second", "second position", &Example::near_second),
                 exact("long_length", "words of the long text", &Example::long_length),
                 exact("far_first", "its pair: first position", &Example::far_first),
                 exact("far_second", "second position", &Example::far_second),
                 rounded("score", "the score of both pairs", &Example::score)});
  for (const Group<Collided>& draws : group_by(counts, &Encoded::encoding)) {
    const std::string& name = draws.front().encoding;
    std::optional<double> law;
    // T5's last bucket begins beyond texts of this length; before it no bucket reaches from k to 4k.
    if (decided_by_distance(name))
      law = 0;
    else if (!name.ends_with("index"))
      continue;
    add_number(summary, "collisions", name, {double(total(draws, &Collided::equal))}, law,
               total(draws, &Collided::compared), Kind::count,
               "Pairs of positions with the score of a pair at least four times as far apart in a text at "
               "least four times as long, over all draws; n counts what was compared.");
  }
}

void add_sentences(const std::vector<Sentence>& scores, Summary& summary) {
  const auto sentence =
      exact("sentence", "near: I went to the river bank; far: the one about swimming", &Sentence::sentence);
  const auto distance = [](const Sentence& s) { return s.bank - s.river; };
  summary.table("d5_sentences.csv", scores,
                {encoding, sentence, exact("words", "words of the sentence", &Sentence::words),
                 exact("river", "position of river, counted from 0", &Sentence::river),
                 exact("bank", "position of bank", &Sentence::bank),
                 exact("distance", "words from river to bank", distance),
                 sampled("score", "product of the two positions, or of the content turned there; the bias",
                         &Sentence::score)});
  for (const Sentence& s : scores) {
    if (s.encoding != "sinusoidal" && !s.encoding.ends_with("index")) continue;
    double law = s.river * s.bank;
    if (s.encoding == "sinusoidal") law = theory::kernel_exact(index_dimension, usual_base, distance(s));
    if (s.encoding == "normalised_index") law /= squared(s.words - 1.0);
    summary.number("river_bank", {{"encoding", s.encoding}, {"sentence", s.sentence}}, {s.score},
                   {.theory = law,
                    .kind = Kind::rounded,
                    .meaning = "Product of the positions of river and bank in the sentence."});
  }
}

void add_distances(const std::vector<Distances>& distances, Summary& summary) {
  summary.table("d5_distances.csv", distances,
                {encoding, draw, exact("distances", "1 … this many", &Range::lags),
                 exact("compared", "pairs of them, one at least four times the other", &Distances::compared),
                 sampled("equal", "of these with equal scores", &Distances::equal),
                 sampled("alike", "and with scores equal to half a unit of float32", &Distances::alike),
                 sampled("closest", "smallest difference of two scores, as a share of the larger",
                         &Distances::closest)});
  for (const Group<Distances>& draws : group_by(distances, &Encoded::encoding)) {
    const std::string& name = draws.front().encoding;
    const std::uint64_t n = draws.front().lags;
    if (name == "t5") {
      add_number(summary, "distance_collisions", name, draws.estimate(&Distances::equal),
                 distance_pairs(t5_last_bucket, n), n, Kind::count,
                 "Pairs of distances, one at least four times the other, with one score, a mean over draws; "
                 "theory: those of T5's last bucket; n distances.");
      add_number(summary, "first_collision", name, draws.estimate(&Distances::near), t5_last_bucket, n,
                 Kind::rounded,
                 "Least distance whose score is that of one at least four times as large, a mean over draws; "
                 "theory: where T5's last bucket begins; n distances.");
      continue;
    }
    if (name == "sinusoidal")
      add_number(summary, "alike_float32", name, draws.estimate(&Distances::alike), {}, n, Kind::count,
                 "Pairs of such distances whose scores differ by less than half a unit of float32, as a "
                 "share of the larger; n distances.");
    // ALiBi's -k/16 and -k'/16 differ by 1 - k/k', a quarter short of all at least.
    std::optional<double> closest;
    if (name == "alibi") closest = 1 - 1.0 / farther;
    add_number(summary, "closest_distances", name, {least(draws, &Distances::closest)}, closest, n,
               Kind::rounded,
               "Smallest difference between scores at two such distances, as a share of the larger, over all "
               "draws; n distances.");
  }
}

Rule rule() {
  const auto collide = [](Is is, const char* encoding, const char* said) {
    return condition(Role::core, fmt::format("collisions.{}", encoding), is, 0.0, Evidence::theorem,
                     {{"position told by", said}});
  };
  return {collide(Is::equal, "sinusoidal", "sinusoid"),
          collide(Is::equal, "rotary", "RoPE"),
          collide(Is::equal, "alibi", "ALiBi"),
          collide(Is::equal, "t5", "T5's biases up to their last bucket"),
          collide(Is::above, "index", "index"),
          collide(Is::above, "normalised_index", "index over length")};
}

void conclude(const Cells& cells, Summary& summary) {
  const auto growth = rows_of<Growth>(cells);
  const auto collided = rows_of<Collided>(cells);
  add_growth(growth, summary);
  add_collisions(collided, rows_of<Example>(cells), summary);
  add_sentences(rows_of<Sentence>(cells), summary);
  add_distances(rows_of<Distances>(cells), summary);
  summary.rule = rule();
}

}  // namespace

Experiment index_instead(const Options& options) {
  Experiment claim{"D5",
                   "Neither the index, which grows, nor the index divided by the length, which makes far "
                   "words of a long text look like near ones of a short text, will do; a sinusoid gives one "
                   "number per distance at every length.",
                   "[b, c]"};
  const auto lengths = pick<std::vector<std::size_t>>(
      options.preset, {4, 32, 316, 3162}, {4, 10, 32, 100, 316, 1000, 3162, 10000, 31623, 100000},
      {4, 10, 32, 100, 316, 1000, 3162, 10000, 31623, 100000, 316228});
  const std::size_t longest = pick<std::size_t>(options.preset, 64, 128, 256);
  const std::size_t lags = pick<std::size_t>(options.preset, 4096, 100000, 1000000);
  const std::size_t draws = pick<std::size_t>(options.preset, 3, 5, 10);
  std::vector<Text> texts;
  std::vector<Texts> pairs_of_texts;
  std::vector<Encoded> once;
  std::vector<Range> ranges;
  for (const EncodingPointer& encoding : encodings()) {
    const std::string& name = encoding->name();
    for (const std::size_t draw : first(is_drawn(name) ? draws : 1)) {
      for (const std::size_t length : lengths) texts.push_back({{"growth", name, draw}, length});
      pairs_of_texts.push_back({{"collisions", name, draw}, longest});
      if (draw == 0) once.push_back({"sentences", name, draw});
      if (name == "sinusoidal" || encoding->action() != Action::adds_vector)
        ranges.push_back({{"distances", name, draw}, lags});
    }
  }
  claim.measure(
      texts, [](const Text& text) { return 1e-3 + 2.5e-6 * text.l; }, measure_growth);
  claim.measure(pairs_of_texts, 0.1, measure_collisions);
  claim.measure(once, 1e-3, measure_sentences);
  claim.measure(
      ranges, [](const Range& range) { return 4e-6 * range.lags; }, measure_distances);
  claim.conclude(conclude);
  return claim;
}

}  // namespace perp::distance
