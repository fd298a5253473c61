#pragma once
// D5: positions as plain numbers, held against vectors. What is counted, and what follows from it.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/study/experiment.hpp"
#include "perp/vectors/encoding.hpp"

namespace perp::distance {

/// Scores that differ by at most this share of the larger one are equal.
inline constexpr double equal_scores = 1e-12;
/// A collision sets a text against one at least this many times as long, and a distance against one at least
/// this many times as large.
inline constexpr std::size_t farther = 4;
/// Dimension of every table in D5: that of one attention head, so that 100,000 positions stay small.
inline constexpr std::size_t index_dimension = 64;

/// What an encoding says of pairs of positions in a text of `length` words.
///   adds a vector   p_t·p_s
///   turns a vector  qᵀR(s-t)q, q turned at t and at s and multiplied: one content with entries N(0, 1/2)
///   from
///                   `draws`, so that the expected score is the sinusoid's, Σ cos ω_i (s-t)
///   biases a score  b(t, s), the bias alone
class PairScores {
 public:
  PairScores(const Encoding& encoding, std::size_t length, const Stream& draws);
  std::size_t length() const { return length_; }
  double operator()(std::size_t t, std::size_t s) const;
  /// The largest norm of a position's vector or of a turned content, or the largest size of a bias. Biases
  /// are looked up once for each lag.
  double largest() const;
  /// What is turned: the content at position 0. Empty for biases.
  std::span<const double> first_row() const;

 private:
  const Encoding& encoding_;
  std::size_t length_;
  Matrix<double> rows_;  ///< length x d; nothing for biases
};

/// Whether its numbers hang on draws: a drawn table, drawn biases, a drawn content to turn.
bool is_drawn(const std::string& encoding);

struct ScoredPair {
  double score;
  std::uint32_t t, s;  ///< 1 <= t < s
};
/// All pairs 1 <= t < s, ascending. Position 0 is left out: three encodings put the zero vector there.
std::vector<ScoredPair> scored_pairs(const PairScores& scores);

struct Collisions {
  std::uint64_t compared = 0;  ///< pairs of pairs whose distances are `farther` apart
  std::uint64_t equal = 0;     ///< and whose scores are equal
  std::optional<std::pair<ScoredPair, ScoredPair>> example;
};
/// Both ascending, as `scored_pairs` gives them.
Collisions collisions(std::span<const ScoredPair> shorter, std::span<const ScoredPair> longer);

/// Distances 1 … N by their scores: which of two, one at least `farther` times the other, have one score?
struct Likeness {
  std::uint64_t compared = 0;  ///< pairs of such distances
  std::uint64_t equal = 0;     ///< of them with scores equal to `equal_scores`
  std::uint64_t alike = 0;     ///< and to half a unit of float32, 2⁻²⁴
  double closest = 2;          ///< smallest |a-b|/max(|a|, |b|) among them; 2 is the most there is
  std::optional<std::pair<std::size_t, std::size_t>> first;  ///< the least that are equal
};
/// scores[k - 1] is that of distance k. N log N steps.
Likeness compare_distances(std::span<const double> scores);
/// Pairs k, k' of distances from `least` to `most` with k' >= farther k.
std::uint64_t distance_pairs(std::uint64_t least, std::uint64_t most);
/// From here on T5's distances share one bucket (`t5_bucket`): in n distances distance_pairs(91, n) collide.
inline constexpr std::uint64_t t5_last_bucket = 91;

/// The words of a sentence: runs of letters. Blanks and punctuation part them.
std::vector<std::string> words_of(std::string_view sentence);
inline constexpr std::string_view near_sentence = "I went to the river bank.";
inline constexpr std::string_view far_sentence =
    "I am going swimming in the river. Later, I will go to the bank.";

/// What rounding alone makes of the sinusoid's neighbours up to L, as a share of their score: entries are off
/// by up to 4 u each and by their angle's rounding, the product's own sum by d u per unit of |p||p|.
double rounding_spread(double length);
/// The same for a content that is turned. An entry of a pair of length r is off by up to 6 u r: sine and
/// cosine by u each, two products, a difference; an angle's rounding weighs r².
double turned_rounding_spread(double length, std::span<const double> content);

Table growth_table(const std::vector<CellRecords>& cells);
Table collision_table(const std::vector<CellRecords>& cells);
Table example_table(const std::vector<CellRecords>& cells);
Table sentence_table(const std::vector<CellRecords>& cells);
Table distance_table(const std::vector<CellRecords>& cells);

/// The mean over draws, with its interval where there are several.
Finding over_draws(const std::string& measure, const std::string& encoding, const std::vector<double>& values,
                   std::optional<double> theory, std::string meaning);
void add_sentence_findings(const Table& sentences, std::vector<Finding>& findings);
void add_distance_findings(const Table& distances, std::vector<Finding>& findings);
Outcome summarise_index(const std::vector<CellRecords>& cells);

}  // namespace perp::distance
