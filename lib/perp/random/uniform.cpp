#include "perp/random/uniform.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "perp/base/error.hpp"
#include "perp/random/philox.hpp"

namespace perp {
namespace {

using detail::lanes;
constexpr std::size_t words_per_block = 4 * lanes;

void word_block(const Stream& stream, std::uint64_t block, std::uint32_t* out) {
  detail::PhiloxWords words;
  detail::philox(stream, block * lanes, words);
  for (std::size_t i = 0; i < lanes; ++i)
    for (std::size_t j = 0; j < 4; ++j) out[4 * i + j] = words.word[j][i];
}

// In [0, 1): as many bits as the type holds, so that the conversion and the scaling are exact.
void unit_block(const Stream& stream, std::uint64_t block, float* out) {
  std::uint32_t words[words_per_block];
  word_block(stream, block, words);
  for (std::size_t i = 0; i < words_per_block; ++i)
    out[i] = static_cast<float>(static_cast<std::int32_t>(words[i] >> 8)) * 0x1p-24f;
}
void unit_block(const Stream& stream, std::uint64_t block, double* out) {
  std::uint32_t words[words_per_block];
  word_block(stream, block, words);
  for (std::size_t i = 0; i < words_per_block / 2; ++i) {
    const std::uint64_t bits = std::uint64_t{words[2 * i + 1]} << 32 | words[2 * i];
    out[i] = static_cast<double>(static_cast<std::int64_t>(bits >> 11)) * 0x1p-53;
  }
}

template <class T>
void fill_unit_scaled(const Stream& stream, std::span<T> out, T low, T high, std::uint64_t offset) {
  const T width = high - low;
  require(low < high && std::isfinite(width), "fill_uniform: the interval [{}, {}) is empty or not finite",
          low, high);
  const T last = std::nextafter(high, low);  // rounding must not reach the open end
  constexpr std::size_t size = words_per_block * sizeof(std::uint32_t) / sizeof(T);
  detail::fill_by_blocks<size>(out, offset, [&](std::uint64_t block, T* target) {
    unit_block(stream, block, target);
    for (std::size_t i = 0; i < size; ++i) target[i] = std::min(low + width * target[i], last);
  });
}

// Fresh words for an element whose first draw was rejected, from the upper half of the block numbers, which
// no fill reaches: 64 blocks, thus 256 words, belong to each element. As every draw is kept with a chance of
// at least one half, a run into the next element's words has the chance 2^-256.
class Retries {
 public:
  Retries(const Stream& stream, std::uint64_t element)
      : stream_(stream), block_((std::uint64_t{1} << 63) + (element << 6)) {}

  std::uint32_t next() {
    if (used_ == words_per_block) {
      detail::philox(stream_, block_, words_);
      block_ += lanes;
      used_ = 0;
    }
    const std::size_t word = used_++;
    return words_.word[word % 4][word / 4];
  }

 private:
  Stream stream_;
  std::uint64_t block_;
  detail::PhiloxWords words_;
  std::size_t used_ = words_per_block;
};

// The upper half of word * bound, unless the lower half is among the 2^32 mod bound values that would come
// once too often.
std::uint32_t bounded(const Stream& stream, std::uint64_t element, std::uint32_t word, std::uint32_t bound) {
  std::uint64_t product = std::uint64_t{word} * bound;
  if (static_cast<std::uint32_t>(product) < bound) {
    const std::uint32_t excess = (0u - bound) % bound;
    Retries retries(stream, element);
    while (static_cast<std::uint32_t>(product) < excess) product = std::uint64_t{retries.next()} * bound;
  }
  return static_cast<std::uint32_t>(product >> 32);
}

}  // namespace

void fill_bits(const Stream& stream, std::span<std::uint32_t> out, std::uint64_t offset) {
  detail::fill_by_blocks<words_per_block>(
      out, offset, [&](std::uint64_t block, std::uint32_t* target) { word_block(stream, block, target); });
}

void fill_uniform(const Stream& stream, std::span<float> out, float low, float high, std::uint64_t offset) {
  fill_unit_scaled(stream, out, low, high, offset);
}
void fill_uniform(const Stream& stream, std::span<double> out, double low, double high,
                  std::uint64_t offset) {
  fill_unit_scaled(stream, out, low, high, offset);
}

void fill_signs(const Stream& stream, std::span<float> out, std::uint64_t offset) {
  constexpr std::uint32_t one = 0x3F800000u, sign = 0x80000000u;
  detail::fill_by_blocks<32 * words_per_block>(out, offset, [&](std::uint64_t block, float* target) {
    std::uint32_t words[words_per_block];
    word_block(stream, block, words);
    for (std::size_t w = 0; w < words_per_block; ++w)
      for (std::uint32_t bit = 0; bit < 32; ++bit)
        target[32 * w + bit] = std::bit_cast<float>((words[w] << (31 - bit) & sign) | one);
  });
}

std::vector<std::uint32_t> below(const Stream& stream, std::size_t count, std::uint32_t bound) {
  require(bound > 0, "below: {} integers below 0 were asked for; the bound must be at least 1", count);
  std::vector<std::uint32_t> result(count);
  fill_bits(stream, result);
  for (std::size_t i = 0; i < count; ++i) result[i] = bounded(stream, i, result[i], bound);
  return result;
}

std::vector<std::uint32_t> permutation(const Stream& stream, std::uint32_t n) {
  std::vector<std::uint32_t> words(n), order(n);
  fill_bits(stream, words);
  std::iota(order.begin(), order.end(), 0u);
  for (std::uint32_t i = n; i-- > 1;) std::swap(order[i], order[bounded(stream, i, words[i], i + 1)]);
  return order;
}

}  // namespace perp
