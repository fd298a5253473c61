#pragma once
// Words, uniform numbers, integers, orders and signs from a keyed stream. As with normals, element i depends
// on the stream and on i alone, and a stream serves one purpose: all of these draw on the same random words.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "perp/random/stream.hpp"

namespace perp {

/// Words offset … offset + out.size() - 1 of the stream; word i is word i % 4 of Philox block i / 4.
void fill_bits(const Stream& stream, std::span<std::uint32_t> out, std::uint64_t offset = 0);

/// Uniform on [low, high): 24 random bits each for float (word i), 53 for double (words 2i, 2i + 1).
/// Throws Error unless low < high and high - low is finite.
void fill_uniform(const Stream& stream, std::span<float> out, float low, float high,
                  std::uint64_t offset = 0);
void fill_uniform(const Stream& stream, std::span<double> out, double low, double high,
                  std::uint64_t offset = 0);

/// +1 or -1 with equal chance (Rademacher), one random bit each: element i is bit i % 32 of word i / 32, 1
/// for -1.
void fill_signs(const Stream& stream, std::span<float> out, std::uint64_t offset = 0);

/// `count` integers uniform on 0 … bound - 1, exactly: Lemire 2019, "Fast random integer generation in an
/// interval", in which a rejected draw is repeated with words of the element's own. Throws Error if bound is
/// 0.
std::vector<std::uint32_t> below(const Stream& stream, std::size_t count, std::uint32_t bound);

/// 0 … n - 1 in an order uniform over all n! (Fisher and Yates 1938; Durstenfeld 1964). Unlike a fill, a
/// permutation of more numbers does not begin with that of fewer.
std::vector<std::uint32_t> permutation(const Stream& stream, std::uint32_t n);

}  // namespace perp
