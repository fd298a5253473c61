#pragma once
// Scores of sums (claims D6, D9), equal scores (D5) and the nearest position (D2).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "perp/base/array.hpp"

namespace perp {

// Scores y_tᵀMy_s of the sums y = w + p (claim D9), and the R² of a head's scores (claim D6).

/// Variances over all ((w, t), (v, s)) of (w + p_t)ᵀM(v + p_s), words and positions independent of each other
/// and of the other side's: exact for the tables given, every word being as likely as any other.
struct FourTerms {
  double word_word = 0;          ///< of wᵀMv
  double word_position = 0;      ///< of wᵀMp_s
  double position_word = 0;      ///< of p_tᵀMv
  double position_position = 0;  ///< of p_tᵀMp_s
  double distance_only = 0;      ///< of its mean per lag s - t; at most position_position
  double score = 0;              ///< of the whole: the sum of the four if words (or positions) have mean 0

  double sum() const { return word_word + word_position + position_word + position_position; }
};
/// words: V x d, positions: L x d, m: d x d.
FourTerms four_terms(View<double> words, View<double> positions, const Matrix<double>& m);

/// toeplitz_r2 of left·rightᵀ: one head's projected queries and keys, both L x h, position t in row t. A
/// factor such as 1/√h does not matter. NaN where the scores are the same but for their rounding, as those of a
/// head whose weights are 0. Throws Error as lag_statistics does. T: float, double.
double score_r2(View<float> left, View<float> right);
double score_r2(View<double> left, View<double> right);

// Which pairs of positions, near in a short text and far in a long one, have one score; and which distances.

/// Scores that differ by at most this share of the larger one are equal.
inline constexpr double equal_scores = 1e-12;
/// A collision sets a text against one at least this many times as long, and a distance against one at least
/// this many times as large.
inline constexpr std::size_t farther = 4;

struct ScoredPair {
  double score;
  std::uint32_t t, s;  ///< 1 <= t < s
};
/// All pairs 1 <= t < s of a text, ascending. Position 0 is left out: three encodings put the zero vector
/// there.
std::vector<ScoredPair> scored_pairs(std::size_t length,
                                     const std::function<double(std::size_t t, std::size_t s)>& score);

struct Collisions {
  std::uint64_t compared = 0;  ///< pairs of pairs whose distances are `farther` apart
  std::uint64_t equal = 0;     ///< and whose scores are equal
  std::optional<std::pair<ScoredPair, ScoredPair>> example;
};
/// Both ascending, as `scored_pairs` gives them.
Collisions collisions(std::span<const ScoredPair> shorter, std::span<const ScoredPair> longer);

// What the order of similarities says about the order of distances.

/// Of a kernel g(k), k = 0, 1, ….
struct KernelOrder {
  std::size_t first_rise = 0;   ///< smallest k with g(k+1) > g(k)
  std::size_t best = 0;         ///< the lag above 0 with the largest g
  std::size_t best_beyond = 0;  ///< the lag above `best` with the largest g
  double largest_rise = 0;      ///< max over k < m of g(m) - g(k), k >= 1
};
/// Of 4 lags or more.
KernelOrder kernel_order(std::span<const double> kernel);

/// Share of the pairs of lags 1 <= k < m < lags with g(k) > g(m), 3 <= lags <= kernel.size().
double ordered_share(std::span<const double> kernel, std::size_t lags);

}  // namespace perp
