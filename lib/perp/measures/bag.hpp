#pragma once
// A bag: words of a sentence, each joined with the key of its place, summed into one vector. What does it
// still say about who stood where (question Q3)?
//
// words: V x d; chosen: the n rows of `words` that stand at places 0 … n-1; keys: at least n rows of d
// numbers, place t's key in row t.

#include <cstdint>
#include <span>

#include "perp/base/array.hpp"

namespace perp {

/// How a word meets its key.
enum class Binding {
  sum,      ///< x + k: the sum of word and position
  product,  ///< x ∘ k, entry by entry; undone by the same product where k is ±1 (Plate 1995, IEEE Trans.
            ///< Neural Netw. 6, 623, and Gayler 1998 in this form)
  rotate    ///< pairs (x_2i, x_2i+1) turned by the angle whose cosine and sine are (k_2i, k_2i+1), as rotary
            ///< positions do (Su et al. 2021, arXiv 2104.09864, eq. 15); undone by turning back; d even
};

/// bag (d numbers) = Σ_t words[chosen[t]] bound to keys[t]; summed in float.
void bag_of(View<float> words, std::span<const std::uint32_t> chosen, View<float> keys, Binding binding,
            std::span<float> bag);

/// What the bag holds at the place of `key`: bag ∘ key, the bag turned back, or bag - key. Its products with
/// unit words are the matched filter.
void unbind(std::span<const float> bag, std::span<const float> key, Binding binding, std::span<float> out);

/// Keys as cosines and sines, angles: n x d/2 -> n x d, (cos, sin) per pair, for Binding::rotate.
Matrix<float> rotation_keys(View<double> angles);

/// Overlap of two keys, what undoing one leaves of a word bound by the other: mean over the d blocks of k_j
/// k'_j (product) or over the d/2 pairs of cos(a - a') (rotate), and the mean of its square.
struct KeyOverlap {
  double mean = 0, mean_square = 0;
};
KeyOverlap key_overlap(std::span<const float> a, std::span<const float> b, Binding binding);

}  // namespace perp
