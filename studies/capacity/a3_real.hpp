#pragma once
// A3 at a model's own size, with independent targets and with smooth ones: positions that score by their
// distance, words by a Gram matrix of low rank, of their own or of vectors learned from text.

#include "perp/study/claim.hpp"
#include "studies/capacity/a3_tables.hpp"
#include "studies/capacity/claims.hpp"

namespace perp::capacity {

/// Of words all that matters here: WᵀW, their sum and number.
struct WordGram {
  Matrix<double> gram;
  std::vector<double> sum;
  std::size_t count = 0;
  void add(const Matrix<float>& words);
};
/// What the best matrix leaves of independent targets' energy, on average over these, for words to which
/// positions (L x d) are added. Throws Error for no more words than dimensions.
double expected_for_words(const WordGram& words, const Matrix<double>& positions);

/// Power of positions, over the word's, at which the claim is judged.
inline constexpr double judged_powers[] = {1, 16, 64};

void measure_low_ranks(Experiment& claim);
void measure_models(Experiment& claim, Preset preset);
void measure_smooth(Experiment& claim, Preset preset, const SharedWords& words);  ///< nothing without words
void add_real(const Cells& cells, Summary& summary);

}  // namespace perp::capacity
