#pragma once
// Claim O6: how much room a width leaves, all lines of O1 to O4 for one practitioner's sizes.

#include <cstddef>

namespace perp::theory {

/// What chance alone gives for V word vectors and L positions in R^d, words isotropic.
struct Expectation {
  double chance_cosine = 0;          ///< 1/sqrt(d): standard deviation of one pair's cosine
  double largest_words = 0;          ///< median of the largest |cosine| over the V(V-1)/2 pairs of words
  double largest_word_position = 0;  ///< the same over the V L pairs of a word and a position; an upper line,
                                     ///< because neighbouring positions resemble one another
};

/// d >= 2, words >= 2, positions >= 1; Error{unusable} otherwise.
Expectation expect(std::size_t d, std::size_t words, std::size_t positions);

}  // namespace perp::theory
