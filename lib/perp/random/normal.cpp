#include "perp/random/normal.hpp"

#include "perp/random/box_muller.hpp"
#include "perp/random/philox.hpp"

namespace perp {
namespace {

using detail::lanes;
using detail::Pair;

// Compiled for more than this processor, a block is compiled twice, and the loader takes the copy for AVX-512 where that runs:
// half the instructions.
#ifdef PERP_PORTABLE
#define PERP_ALSO_AVX512 [[gnu::target_clones("arch=x86-64-v4", "default")]]
#else
#define PERP_ALSO_AVX512
#endif

// Words 0 and 1 of the 16 counters give elements 0 … 15 (cosines) and 16 … 31 (sines), words 2 and 3 the
// other 32: an order that needs no shuffling between registers.
PERP_ALSO_AVX512 void normal_block(const Stream& stream, std::uint64_t block, float* out) {
  detail::PhiloxWords words;
  detail::philox(stream, block * lanes, words);
  for (std::size_t half = 0; half < 2; ++half) {
    const std::uint32_t* radius = words.word[2 * half];
    const std::uint32_t* angle = words.word[2 * half + 1];
    float* x = out + 2 * half * lanes;
    float* y = x + lanes;
    for (std::size_t i = 0; i < lanes; ++i) {
      const Pair<float> pair = detail::box_muller(radius[i], angle[i]);
      x[i] = pair.x;
      y[i] = pair.y;
    }
  }
}

std::uint64_t joined(std::uint32_t low, std::uint32_t high) { return std::uint64_t{high} << 32 | low; }

PERP_ALSO_AVX512 void normal_block(const Stream& stream, std::uint64_t block, double* out) {
  detail::PhiloxWords words;
  detail::philox(stream, block * lanes, words);
  for (std::size_t i = 0; i < lanes; ++i) {
    const Pair<double> pair = detail::box_muller(joined(words.word[0][i], words.word[1][i]),
                                                 joined(words.word[2][i], words.word[3][i]));
    out[i] = pair.x;
    out[lanes + i] = pair.y;
  }
}

}  // namespace

void fill_normal(const Stream& stream, std::span<float> out, std::uint64_t offset) {
  detail::fill_by_blocks<4 * lanes>(
      out, offset, [&](std::uint64_t block, float* target) { normal_block(stream, block, target); });
}

void fill_normal(const Stream& stream, std::span<double> out, std::uint64_t offset) {
  detail::fill_by_blocks<2 * lanes>(
      out, offset, [&](std::uint64_t block, double* target) { normal_block(stream, block, target); });
}

template <class T>
Matrix<T> normal_matrix(std::size_t rows, std::size_t cols, const Stream& stream, std::uint64_t offset) {
  Matrix<T> table = matrix<T>(rows, cols);
  fill_normal(stream, std::span<T>(table.data(), table.size()), offset);
  return table;
}
template Matrix<float> normal_matrix(std::size_t, std::size_t, const Stream&, std::uint64_t);
template Matrix<double> normal_matrix(std::size_t, std::size_t, const Stream&, std::uint64_t);

}  // namespace perp
