#pragma once
// Shared by the files of claim S4.

#include <array>
#include <cstddef>
#include <string_view>

#include "perp/model/shape.hpp"
#include "perp/study/experiment.hpp"

namespace perp::order {

inline constexpr std::size_t depth_width = 64, depth_length = 64, depth_blocks = 24;
/// Dimensions of the positions where they are concatenated; words have the others.
inline constexpr std::size_t depth_appended = 16;
inline constexpr std::array<std::size_t, 11> read_depths{0, 1, 2, 3, 4, 6, 8, 12, 16, 20, 24};

inline constexpr std::array<std::string_view, 3> meetings{"add", "concat", "rotary"};
/// What a block has; "full" is GPT-2's, "norm_after" BERT's, "bare" attention without any of the three.
inline constexpr std::array<std::string_view, 6> variants{
    "full", "norm_after", "no_norm", "no_feed_forward", "no_residual", "bare"};
model::Shape shape_of(std::string_view variant);

/// R² below which a place or word counts as lost.
inline constexpr double lost = 0.5;

/// R² of place and word before the first block for any number of tokens, from the tables' covariances alone:
/// with y = x + p, Σ = I + Cov(p) and c = Cov(p, t), the place has cᵀΣ⁻¹c/Var(t) and a word's entry (Σ⁻¹)_jj,
/// mean tr Σ⁻¹/d. Concatenated, the word has 1 and the place the same with Σ = Cov(p); rotary 0 and 1.
struct Line {
  double place = 0, word = 0;
};
Line line_at_input(std::string_view meeting);

/// Tables, findings and rule of S4 from its cells' records.
Outcome summarise_depth(const std::vector<CellRecords>& cells);

}  // namespace perp::order
