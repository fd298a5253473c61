#include "perp/random/draws.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "perp/random/box_muller.hpp"
#include "perp/random/philox.hpp"

namespace perp {
namespace {

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators",
// with Stafford's constants "Mix13") and of MurmurHash3 (Appleby 2011). Both are bijections of 64 bits in
// which every input bit flips every output bit with a chance near one half.
std::uint64_t splitmix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}
std::uint64_t murmur(std::uint64_t x) {
  x = (x ^ (x >> 33)) * 0xFF51AFD7ED558CCDu;
  x = (x ^ (x >> 33)) * 0xC4CEB9FE1A85EC53u;
  return x ^ (x >> 33);
}

// Two 64-bit hashes over the same 64-bit words. They start apart, mix by different functions and step by
// different odd constants (the fractions of the golden ratio and of the square root of 2), so that two inputs
// that meet in one of them have no reason to meet in the other.
class Absorber {
 public:
  void absorb(std::uint64_t word) {
    first_ = splitmix((first_ ^ word) + 0x9E3779B97F4A7C15u);
    second_ = murmur((second_ ^ word) + 0x6A09E667F3BCC909u);
  }

  // The length goes first: otherwise ("ab", "c") and ("a", "bc") would absorb the same words.
  void absorb(std::string_view text) {
    absorb(std::uint64_t{text.size()});
    for (std::size_t start = 0; start < text.size(); start += 8) absorb(little_endian(text.substr(start, 8)));
  }

  Stream stream() const { return {{low(first_), high(first_)}, {low(second_), high(second_)}}; }

 private:
  static std::uint64_t little_endian(std::string_view bytes) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i)
      word |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    return word;
  }
  static std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
  static std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

  std::uint64_t first_ = 0x243F6A8885A308D3u;  // digits of pi
  std::uint64_t second_ = 0x13198A2E03707344u;
};

}  // namespace

Stream stream(std::uint64_t seed, std::string_view experiment, std::string_view cell, std::uint64_t replicate,
              std::string_view purpose) {
  Absorber identity;
  identity.absorb(seed);
  identity.absorb(experiment);
  identity.absorb(cell);
  identity.absorb(replicate);
  identity.absorb(purpose);
  return identity.stream();
}

namespace {

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

namespace {

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

namespace {

// Eight running sums, because one alone would wait for its own last addition.
double sum_of_squares(std::span<const float> values) {
  constexpr std::size_t width = 8;
  std::array<double, width> sums{};
  std::size_t i = 0;
  for (; i + width <= values.size(); i += width)
    for (std::size_t j = 0; j < width; ++j) sums[j] += double{values[i + j]} * double{values[i + j]};
  for (std::size_t j = 0; i + j < values.size(); ++j)
    sums[j] += double{values[i + j]} * double{values[i + j]};
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

}  // namespace

void fill_sphere(const Stream& stream, Matrix<float>& words, std::uint64_t first_row) {
  const std::size_t d = cols(words);
  for (std::size_t i = 0; i < rows(words); ++i) {
    const std::span<float> word = row(words, i);
    fill_normal(stream, word, (first_row + i) * d);
    const double inverse = 1.0 / std::sqrt(sum_of_squares(word));  // no normal of ours is 0
    for (float& value : word) value = static_cast<float>(value * inverse);
  }
}

}  // namespace perp
