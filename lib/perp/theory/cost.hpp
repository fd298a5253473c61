#pragma once
// Claim A6: what a Transformer costs, by counting. No clock: parameters, bytes and operations follow from
// shapes.
//
// A block is the standard one (Vaswani et al. 2017, sections 3.1 to 3.3, as GPT-2 and BERT have it): query,
// key, value and output maps of the width, a feed-forward pair width -> inner -> width, two LayerNorms,
// biases everywhere; the inner width is 4 w, the usual one. The number of heads divides the width and changes no count.
// Counts are exact integers.

#include <cstdint>
#include <string_view>

namespace perp::theory {

/// 12w² + 13w: four maps and their biases, the feed-forward pair and its two, gain and bias of two norms. [GPT-2
/// small and BERT-base, w = 768: 7,087,872.]
std::uint64_t block_parameters(std::uint64_t width);

/// Multiplications, each with an addition, of one forward pass of a block over L tokens that all see one
/// another: 12w²L in the maps, 2L²w in scores and mixing. Biases, softmax, LayerNorm and the activation are left out:
/// they are linear in w. One operation of this count is two flops.
std::uint64_t block_operations(std::uint64_t width, std::uint64_t tokens);

/// Numbers that a decoder keeps per token and block, keys and values: 2w.
std::uint64_t block_cache(std::uint64_t width);

/// How words of width d_w and positions of width d_p meet.
enum class Joining {
  added,     ///< both d wide: the block is d wide
  appended,  ///< words d, positions d_p: the block is d + d_p wide
  divided,   ///< words d - d_p, positions d_p: the block is d wide
};
std::string_view to_text(Joining joining);

/// A stack of blocks under an embedding, whose positions are a sinusoid: these have no parameters.
struct ModelShape {
  std::uint64_t width = 0;      ///< d
  std::uint64_t positions = 0;  ///< d_p; read by every joining but `added`
  std::uint64_t blocks = 1, words = 0;
};
/// Width of the block: d, or d + d_p when appended.
std::uint64_t joined_width(const ModelShape& shape, Joining joining);
/// Words' table, and blocks.
std::uint64_t model_parameters(const ModelShape& shape, Joining joining);

}  // namespace perp::theory
