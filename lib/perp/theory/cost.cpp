#include "perp/theory/cost.hpp"

#include <array>
#include <cstddef>

namespace perp::theory {
std::uint64_t block_parameters(std::uint64_t width) { return 12 * width * width + 13 * width; }

std::uint64_t block_operations(std::uint64_t width, std::uint64_t tokens) {
  return tokens * 12 * width * width + 2 * tokens * tokens * width;
}

std::uint64_t block_cache(std::uint64_t width) { return 2 * width; }

std::string_view to_text(Joining joining) {
  constexpr std::array<std::string_view, 3> names{"added", "appended", "divided"};
  return names[static_cast<std::size_t>(joining)];
}

std::uint64_t joined_width(const ModelShape& shape, Joining joining) {
  return joining == Joining::appended ? shape.width + shape.positions : shape.width;
}

std::uint64_t model_parameters(const ModelShape& shape, Joining joining) {
  const auto& [d, positions, blocks, words] = shape;
  const std::uint64_t word_width = joining == Joining::divided ? d - positions : d;
  return words * word_width + blocks * block_parameters(joined_width(shape, joining));
}

}  // namespace perp::theory
