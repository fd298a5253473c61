#include "perp/theory/scale.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "perp/base/error.hpp"
#include "perp/base/work.hpp"

namespace perp::theory {
namespace {

double real(std::uint64_t size) { return static_cast<double>(size); }

void check(const ScaleShape& s, const ScaleRates& r) {
  require(s.words > 0 && s.positions > 0 && s.width > 0 && s.ranks > 0,
          "scale: {} words, {} positions, {} dimensions, {} ranks; all must be positive", s.words,
          s.positions, s.width, s.ranks);
  require(r.product > 0 && r.decomposition > 0 && r.memory > 0 && r.cell > 0,
          "scale: rates {}, {}, {}, {}; all must be positive", r.product, r.decomposition, r.memory, r.cell);
}

}  // namespace

std::uint64_t scale_tile_rows(std::uint64_t width) {
  require(width > 0, "scale: rows without numbers");
  return std::clamp<std::uint64_t>((std::uint64_t{1} << 22) / width, 256, 4096);
}

double table_bytes(std::uint64_t rows, std::uint64_t width) { return 4 * real(rows) * real(width); }

double moment_bytes(std::uint64_t width) { return 8 * (2 * real(width) * real(width) + 2 * real(width)); }

double streaming_bytes(std::uint64_t width) {
  return 2 * table_bytes(scale_tile_rows(width), width) + 2 * table_bytes(width, width) +
         24 * real(width) * real(width);
}

double eigen_bytes(std::uint64_t width) { return 8 * (3 * real(width) * real(width) + 6 * real(width) + 1); }

std::vector<ScaleStep> scale_steps(const ScaleShape& s, const ScaleRates& r) {
  check(s, r);
  const double read = table_bytes(s.words, s.width);
  const double cosines = flops::product(s.words, s.positions, s.width);
  const double moments = 2 * flops::gram(s.width, s.words);  // of the rows and of their directions
  const double eigen = 3 * flops::eigenvectors(s.width);     // as they are, centred, directions
  // Adding one set of moments to another reads both and writes one.
  const double merge = 3 * moment_bytes(s.width), added = moment_bytes(s.width) / 8;
  const double by_one = real(s.ranks - 1),
               levels = real(static_cast<std::uint64_t>(std::bit_width(s.ranks - 1)));
  const double cells =
      std::max(1.0, real((s.words + scale_tile_rows(s.width) - 1) / scale_tile_rows(s.width)));
  return {{"read the words", 0, read, read / r.memory, true},
          {"cosines with the positions", cosines, read, cosines / r.product, true},
          {"moments of rows and directions", moments, read, moments / r.product, true},
          {"keep a cell per tile", 0, 0, cells * r.cell, false},
          {merge_in_turn, by_one * added, by_one * merge, by_one * merge / r.memory, false},
          {merge_in_tree, levels * added, levels * merge, levels * merge / r.memory, false},
          {"three eigendecompositions", eigen, 3 * eigen_bytes(s.width), eigen / r.decomposition, false}};
}

std::vector<ScaleLimit> scale_limits(const ScaleShape& s, const ScaleRates& r, double memory_bytes) {
  require(memory_bytes > 0, "scale: a limit of {} bytes", memory_bytes);
  double divided = 0;
  const std::vector<ScaleStep> steps = scale_steps(s, r);
  for (const ScaleStep& step : steps)
    if (step.divides) divided += step.seconds;
  std::vector<ScaleLimit> limits{
      {"memory of a streaming thread", "bytes", streaming_bytes(s.width), memory_bytes},
      {"memory of an eigendecomposition", "bytes", eigen_bytes(s.width), memory_bytes},
      {"rows, in BLAS's int", "rows", real(s.words), real(std::numeric_limits<std::int32_t>::max())},
      {"ranks that have a tile", "ranks", real(s.ranks),
       std::max(1.0, real(s.words / scale_tile_rows(s.width)))}};
  for (const ScaleStep& step : steps)
    if (!step.divides && step.seconds > 0)
      limits.push_back({step.name, "ranks", real(s.ranks), divided / step.seconds});
  std::stable_sort(limits.begin(), limits.end(),
                   [](const ScaleLimit& a, const ScaleLimit& b) { return a.over() > b.over(); });
  return limits;
}

}  // namespace perp::theory
