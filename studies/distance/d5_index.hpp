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

namespace perp::distance {

/// Scores that differ by at most this share of the larger one are equal.
inline constexpr double equal_scores = 1e-12;
/// A collision sets a text against one at least this many times as long, and a distance against one at least
/// this many times as large.
inline constexpr std::size_t farther = 4;
/// Dimension of every table in D5: that of one attention head, so that 100,000 positions stay small.
inline constexpr std::size_t index_dimension = 64;

struct ScoredPair {
  double score;
  std::uint32_t t, s;  ///< 1 <= t < s
};
/// p_t·p_s for 1 <= t < s, ascending. Position 0 is left out: three encodings put the zero vector there.
std::vector<ScoredPair> scored_pairs(const Matrix<double>& table);

struct Collisions {
  std::uint64_t compared = 0;  ///< pairs of pairs whose distances are `farther` apart
  std::uint64_t equal = 0;     ///< and whose scores are equal
  std::optional<std::pair<ScoredPair, ScoredPair>> example;
};
/// Both ascending, as `scored_pairs` gives them.
Collisions collisions(std::span<const ScoredPair> shorter, std::span<const ScoredPair> longer);

/// The words of a sentence: runs of letters. Blanks and punctuation part them.
std::vector<std::string> words_of(std::string_view sentence);
inline constexpr std::string_view near_sentence = "I went to the river bank.";
inline constexpr std::string_view far_sentence =
    "I am going swimming in the river. Later, I will go to the bank.";

/// What rounding alone makes of the sinusoid's neighbours up to L, as a share of their score: entries are off
/// by up to 4 u each and by their angle's rounding, the product's own sum by d u per unit of |p||p|.
double rounding_spread(double length);

Table growth_table(const std::vector<CellRecords>& cells);
Table collision_table(const std::vector<CellRecords>& cells);
Table example_table(const std::vector<CellRecords>& cells);
Table sentence_table(const std::vector<CellRecords>& cells);
Outcome summarise_index(const std::vector<CellRecords>& cells);

}  // namespace perp::distance
