#pragma once
// How often words stand near one another, and how much more often than chance: positive pointwise mutual
// information with a smoothed context distribution (Levy, Goldberg, Dagan 2015, "Improving distributional
// similarity with lessons learned from word embeddings", TACL 3, section 3.2).

#include <cstdint>
#include <span>

#include "perp/vectors/embedding_sparse.hpp"

namespace perp {

/// Largest window: weights are integers, W/distance with W the least common multiple of 1 … window, and
/// counts of the largest texts must fit 64 bits.
inline constexpr std::size_t largest_window = 16;

/// W of a window: least common multiple of 1 … window (60 for window 5). Throws Error outside 1 …
/// largest_window.
std::uint64_t weight_unit(std::size_t window);

/// Symmetric V x V matrix of integer weights: each pair of tokens at distance 1 <= k <= window adds W/k to
/// both of its entries (two tokens of one word add 2W/k to the diagonal). Integer sums are exact, so no order
/// matters. Words outside the vocabulary take part in no pair but keep their place in the distance. tokens:
/// indices below `vocabulary` or `outside_vocabulary`.
Sparse<std::uint64_t> count_cooccurrences(std::span<const std::uint32_t> tokens, std::size_t vocabulary,
                                          std::size_t window, std::size_t threads);

/// A matrix and its transpose, each in compressed rows.
struct SparsePair {
  Sparse<float> matrix, transposed;
};

/// max(0, ln( n_ab S / (n_a n_b^smoothing) )), n_a the row sums of the symmetric `counts`, S = sum_b
/// n_b^smoothing. Row a is the word, column b the context. smoothing 1 is plain PPMI. Zeros are not stored.
SparsePair positive_pmi(const Sparse<std::uint64_t>& counts, double smoothing, std::size_t threads);

}  // namespace perp
