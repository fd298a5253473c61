#pragma once
// Shared by the files of claim S2.

#include <array>
#include <cstddef>
#include <string_view>

#include "perp/model/shape.hpp"
#include "perp/study/experiment.hpp"

namespace perp::order {

inline constexpr model::Shape mask_shape{.width = 64, .heads = 4, .inner = 256, .depth = 12};
inline constexpr std::size_t mask_length = 64;
inline constexpr std::array<std::size_t, 6> mask_depths{0, 1, 2, 4, 8, 12};

/// What is read, and how.
struct Reading {
  std::string_view where;  ///< "stream": the states after a block; "attention": the mean values inside it
  std::string_view how;    ///< "entries" or "squares"
};
inline constexpr std::array<Reading, 4> readings{
    {{"stream", "entries"}, {"stream", "squares"}, {"attention", "entries"}, {"attention", "squares"}}};

/// Tables, findings and rule of S2 from its cells' records.
Outcome summarise_mask(const std::vector<CellRecords>& cells);

}  // namespace perp::order
