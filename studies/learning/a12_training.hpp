#pragma once
// Claim A12: tables of words and positions that are learned together with what reads them, through noise.
//
//   sum            y = a x_w + b p_t + n z           both over all d coordinates
//   concatenation  y = [a x_w; b p_t] + n z          words in d - width coordinates, positions in the last `width`
//
// Rows have a mean square length of 1, and learned tables a mean of 0, at every step. The power P = a² + b² = 3/2 d is
// given; the positions' share of it, b²/P, is learned. What reads starts at the matched filter of the tables as drawn:
//   classifier  of one y, a matrix, a bias and a softmax each for word and position
//   heads       two attention heads with scores y_iᵀ A y_j + aᵀ y_j over the L tokens j of a text of L different words.
//               "Previous" looks for the token before y_i; "same word" for y_i's word, y_i being of the same words in
//               another order, with noise of its own
// Sum and concatenation meet the same words, positions and noise.

#include <string>

#include "perp/base/array.hpp"
#include "perp/study/experiment.hpp"

namespace perp::learning {

struct Training {
  std::string reader;   ///< classifier or heads
  std::string learned;  ///< which tables, one of the below
  // both
  // zipf          both, where the word of rank i comes with a chance ∝ 1/i
  // uniform       both, in noise that is uniform in each coordinate, of the same variance
  // words         words, beside a sinusoid as it is
  // words_narrow  the same, a sum's sinusoid being as narrow as a concatenation's
  // words_random  words, beside random positions
  // none
  std::size_t d, v, l;     ///< V words, L positions; heads need L <= V and L a divisor of the batch
  std::size_t width;       ///< of a concatenation's positions; 0: the sum
  double noise;            ///< n, of a coordinate
  std::size_t steps;       ///< of Adam, `batch` samples each
  std::size_t narrow = 0;  ///< the last coordinates, in which alone a sum has positions; 0: all
  double rate = 0.01;      ///< of Adam
  static constexpr std::size_t batch = 1024;

  /// Bits that can be told: of word and position by a classifier, log2 L each by two heads.
  double ceiling() const;
};

struct LearnedTables {
  double bits = 0;                         ///< of 20,480 samples of which nothing was learned
  double overlap_before = 0, overlap = 0;  ///< ω of a sum's words and positions; a concatenation's is 0
  double share = 0;                        ///< the positions', of the power
  Matrix<float> words, positions;          ///< V x d, L x d
};
/// `run` names tables and samples, whatever the rest. Throws Error{unusable} for a width that leaves words nothing.
LearnedTables learn_tables(const Training& training, const Streams& streams, std::size_t run);
/// About its seconds, on one core.
double learning_cost(const Training& training);

}  // namespace perp::learning
