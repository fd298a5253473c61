#include "perp/theory/cost.hpp"

#include "perp/base/error.hpp"

namespace perp::theory {
namespace {

void check(const char* where, const BlockShape& shape) {
  require(shape.width > 0 && shape.inner > 0,
          "{}: width {} and inner width {} given, expected at least 1 each", where, shape.width, shape.inner);
}

void check(const char* where, const ModelShape& shape, Joining joining) {
  require(shape.width > 0, "{}: width 0 given, expected at least 1", where);
  if (joining == Joining::added) return;
  require(shape.positions > 0, "{}: positions of width 0 given, expected at least 1", where);
  require(joining != Joining::divided || shape.positions < shape.width,
          "{}: {} of {} dimensions given to positions, expected fewer", where, shape.positions, shape.width);
}

}  // namespace

BlockShape usual_block(std::uint64_t width) { return {width, 4 * width}; }

std::uint64_t block_parameters(const BlockShape& shape) {
  check("block_parameters", shape);
  const std::uint64_t w = shape.width, m = shape.inner;
  return 4 * w * w + 2 * w * m + 9 * w + m;
}

std::uint64_t block_operations(const BlockShape& shape, std::uint64_t tokens) {
  check("block_operations", shape);
  const std::uint64_t w = shape.width, maps = 4 * w * w + 2 * w * shape.inner;
  return tokens * maps + 2 * tokens * tokens * w;
}

std::uint64_t block_cache(const BlockShape& shape) {
  check("block_cache", shape);
  return 2 * shape.width;
}

std::string_view to_text(Joining joining) {
  switch (joining) {
    case Joining::added:
      return "added";
    case Joining::appended:
      return "appended";
    case Joining::divided:
      return "divided";
  }
  refuse("to_text: no joining of number {}", static_cast<int>(joining));
}

std::uint64_t joined_width(const ModelShape& shape, Joining joining) {
  check("joined_width", shape, joining);
  return joining == Joining::appended ? shape.width + shape.positions : shape.width;
}

std::uint64_t model_parameters(const ModelShape& shape, Joining joining) {
  check("model_parameters", shape, joining);
  const auto& [d, positions, blocks, words] = shape;
  const std::uint64_t word_width = joining == Joining::divided ? d - positions : d;
  return words * word_width + blocks * block_parameters(usual_block(joined_width(shape, joining)));
}

}  // namespace perp::theory
