#pragma once
// Streams of random numbers, and what is drawn from them: uniform, normal, on the sphere.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "perp/base/array.hpp"

namespace perp {

// Keyed random streams: a stream is a value that names its numbers, so the same numbers come out whatever the
// thread, the order or the number of processes. Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011, "Parallel
// random numbers: as easy as 1, 2, 3", SC11), as in Random123.

/// 128 bits of identity: 64 in Philox's key, 64 in the upper half of its counter; the lower half of the
/// counter numbers the blocks of four 32-bit words within the stream.
struct Stream {
  std::array<std::uint32_t, 2> key{};
  std::array<std::uint32_t, 2> nonce{};
  friend bool operator==(const Stream&, const Stream&) = default;
};

/// The stream named by its coordinates. Different coordinates give unrelated streams (collision chance 2^-128
/// for any two).
Stream stream(std::uint64_t seed, std::string_view experiment, std::string_view cell, std::uint64_t replicate,
              std::string_view purpose);

// Words, uniform numbers, integers, orders and signs from a keyed stream. As with normals, element i depends
// on the stream and on i alone, and a stream serves one purpose: all of these draw on the same random words.

/// Words offset … offset + out.size() - 1 of the stream; word i is word i % 4 of Philox block i / 4.
void fill_bits(const Stream& stream, std::span<std::uint32_t> out, std::uint64_t offset = 0);

/// Uniform on [low, high): 24 random bits each for float (word i), 53 for double (words 2i, 2i + 1).
void fill_uniform(const Stream& stream, std::span<float> out, float low, float high,
                  std::uint64_t offset = 0);
void fill_uniform(const Stream& stream, std::span<double> out, double low, double high,
                  std::uint64_t offset = 0);

/// +1 or -1 with equal chance (Rademacher), one random bit each: element i is bit i % 32 of word i / 32, 1
/// for -1.
void fill_signs(const Stream& stream, std::span<float> out, std::uint64_t offset = 0);

/// `count` integers uniform on 0 … bound - 1, exactly: Lemire 2019, "Fast random integer generation in an
/// interval", in which a rejected draw is repeated with words of the element's own.
std::vector<std::uint32_t> below(const Stream& stream, std::size_t count, std::uint32_t bound);

/// 0 … n - 1 in an order uniform over all n! (Fisher and Yates 1938; Durstenfeld 1964). Unlike a fill, a
/// permutation of more numbers does not begin with that of fewer.
std::vector<std::uint32_t> permutation(const Stream& stream, std::uint32_t n);

// Standard normal numbers from a keyed stream. Element i depends on the stream and on i alone: the first n of
// a longer fill are the fill of n, and tiles may be filled by different threads, each from its own offset.
//
// A stream serves one purpose: fills of different kinds (or of float and double) from the same stream use the
// same random words and are not independent.

/// Elements offset … offset + out.size() - 1 of the stream's normals. Box–Muller; a radius of 40 bits reaches
/// 7.5 sigma. Fastest where offset and size are multiples of 64.
void fill_normal(const Stream& stream, std::span<float> out, std::uint64_t offset = 0);

/// The same in double precision, other numbers; a radius of 64 bits reaches 9.4 sigma. Some
/// three times slower.
void fill_normal(const Stream& stream, std::span<double> out, std::uint64_t offset = 0);

/// The same row by row as a table; T is float or double.
template <class T>
Matrix<T> normal_matrix(std::size_t rows, std::size_t cols, const Stream& stream, std::uint64_t offset = 0);

// Directions without preference.

/// Fills `words` (V x d) with rows uniform on the unit sphere of R^d: rows of standard normals, divided by
/// their lengths (Muller 1959, "A note on a method for generating points uniformly on n-dimensional
/// spheres"). Lengths are summed in double. Row i holds the stream's normals (first_row + i) d … (first_row +
/// i + 1) d - 1, so tiles may be filled one by one.
void fill_sphere(const Stream& stream, Matrix<float>& words, std::uint64_t first_row = 0);

}  // namespace perp
