#pragma once
// A1: what is measured. The size of a position is ρ = ‖p‖/‖x‖, root mean squares over positions and words.

#include <string>
#include <vector>

#include "perp/base/array.hpp"
#include "perp/study/experiment.hpp"

namespace perp::capacity {

/// V unit words and L positions of the sinusoid in R^d; trials of each codebook.
struct Decoding {
  std::size_t d, v, l, codebooks, trials;
};

/// Shares of words and of positions that are found with positions of size rho. Trials that share a codebook share their
/// competitors: intervals are the wider, on either side, of Wilson's over trials and Student's over codebooks.
struct FoundAtSize {
  double rho;
  Estimate word, position;
};
/// Found by decoders that know nothing of each other, at every size of the position.
std::vector<FoundAtSize> found_by_size(const Decoding& at, const Streams& streams);

/// Share of words found beside positions of size rho whose subspace is projected out.
Estimate found_projected(const Decoding& at, float rho, const Streams& streams);

/// A model's words (V x d) and positions (L x d) as they were released.
struct Released {
  Matrix<float> words, positions;

  double rho() const;  ///< size of its positions; 0, infinity or NaN for a table of zeros
};
/// Of sums of a word and a position, each row as likely as any other: how often each is found.
struct FoundReleased {
  std::size_t word, position;
};
FoundReleased found_released(const Released& tables, std::size_t trials, const Streams& streams);

/// Rows of the tokens of one sentence; none unless the model has them all.
std::vector<std::size_t> rows_of_sentence(const std::vector<std::string>& tokens);
/// The rows of the words that are nearest to x + p, with positions as they are and with those of size `longer`. The token
/// itself is the nearest up to the size `found_to`, NaN: at each.
struct TokenRead {
  std::size_t nearest, nearest_long;
  double found_to;
};
/// Of each of these words at the positions 0, 1, …; `longer` is a size.
std::vector<TokenRead> read_tokens(const Released& tables, const std::vector<std::size_t>& which,
                                   double longer);

}  // namespace perp::capacity
