#pragma once
// Scores y_tᵀMy_s of the sums y = w + p (claim D9), and the R² of a head's scores (claim D6).

#include <cstddef>

#include "perp/base/array.hpp"

namespace perp {

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
/// words: V x d, positions: L x d, m: d x d. Throws Error for tables that are empty, not finite or of
/// different d.
FourTerms four_terms(View<double> words, View<double> positions, const Matrix<double>& m);

/// toeplitz_r2 of left·rightᵀ: one head's projected queries and keys, both L x h, position t in row t. A
/// factor such as 1/√h does not matter. NaN where the scores are the same but for their rounding, as those of a
/// head whose weights are 0. Throws Error as lag_statistics does. T: float, double.
template <class T>
double score_r2(View<T> left, View<T> right);
template <TableLike A>
double score_r2(const A& left, ViewLike<Entry<A>> right) {
  return score_r2(View(left), right);
}

}  // namespace perp
