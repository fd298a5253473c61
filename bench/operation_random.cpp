// Random shapes: what a sweep of round sizes never asks.

#include <fmt/format.h>

#include <algorithm>

#include "bench/operation.hpp"
#include "perp/random/uniform.hpp"

namespace perp::bench {
namespace {

constexpr std::size_t largest_small = 257, largest = 700, widest = 3000;

/// Three sizes: mostly up to 257 with every other forced odd, every fourth shape beyond.
Shape draw(const std::string& key, std::uint64_t i, std::uint64_t seed) {
  const std::vector<std::uint32_t> words = below(stream(seed, "bench", key, i, "shape"), 3, 1u << 20);
  const std::size_t limit = i % 4 == 3 ? largest : largest_small;
  const auto size = [&](std::size_t which) {
    const std::size_t n = 1 + words[which] % limit;
    return i % 2 == 0 ? std::min(n | 1, limit) : n;
  };
  return {size(0), size(1), size(2)};
}

/// The sizes as the operation reads them; see the list of operations.
Shape fitted(const Operation& o, Shape s) {
  const std::size_t thin_n = 1 + s.n % 64, thin_k = 1 + s.k % 64;
  if (o.name == "gemm_tall") return {std::min(8 * s.m, widest), s.n, s.k};
  if (o.name == "gemm_small") return {1 + s.m % 64, thin_n, thin_k};
  if (o.name == "gemm_skinny") return {std::min(8 * s.m, widest), thin_n, thin_k};
  if (o.name == "syrk_skinny") return {0, thin_n, std::min(8 * s.k, widest)};
  if (o.name == "syevd" || o.name == "potrf") s.n = std::min(s.n, std::size_t{400});
  if (o.name == "qr") s = {std::max(s.m, s.n), std::min(s.m, s.n), 0};
  if (o.name.starts_with("svd")) s = {std::max(s.m, s.n), std::min(s.m, s.n) / 2 + 1, 0};
  // Kernels of ours: dimensions as the studies have them, even, and subspaces that fit.
  const std::size_t d = 32 + s.k / 2 * 2;
  if (o.name == "angles") return {1 + s.m % (d / 3), 1 + s.n % (d / 3), d};
  if (o.through == Through::own) s = {16 + s.m, 16 + s.n, d};
  const Shape& has = o.shapes.front();
  return {has.m == 0 ? 0 : s.m, has.n == 0 ? 0 : s.n, has.k == 0 ? 0 : s.k};
}

bool calls_blas(const Operation& o) { return o.name != "positions" && o.name != "normals"; }

}  // namespace

std::vector<Row> random_rows(std::size_t count, std::uint64_t seed) {
  std::vector<Row> rows;
  for (const Operation& o : operations())
    for (const Type type : o.types) {
      if (!calls_blas(o)) continue;
      const std::string key = fmt::format("{}/{}/{}", o.name, to_text(o.through), to_text(type));
      for (std::size_t i = 0; i < count; ++i)
        rows.push_back({o.name, o.through, type, fitted(o, draw(key, i, seed))});
    }
  return rows;
}

}  // namespace perp::bench
