#pragma once
// Shared by the files of claim S3.

#include <array>
#include <cstddef>
#include <string_view>

#include "perp/model/shape.hpp"
#include "perp/study/experiment.hpp"

namespace perp::order {

inline constexpr model::Shape rows_shape{.width = 64, .heads = 4, .inner = 256, .depth = 1};
inline constexpr std::size_t rows_length = 64;

/// A part of a block as a function of all tokens, and how many products follow one another in it.
struct Part {
  std::string_view name;
  std::size_t products;
};
inline constexpr std::array<Part, 8> parts{{{"query", 1},
                                            {"key", 1},
                                            {"value", 1},
                                            {"norm", 1},
                                            {"feed_forward", 2},
                                            {"attention", 4},
                                            {"block", 6},
                                            {"masked_attention", 4}}};
/// The three that the claim is about come first.
inline constexpr std::size_t claimed_parts = 3;

/// Tables, findings and rule of S3 from its cells' records.
Outcome summarise_rows(const std::vector<CellRecords>& cells);

}  // namespace perp::order
