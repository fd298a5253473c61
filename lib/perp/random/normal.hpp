#pragma once
// Standard normal numbers from a keyed stream. Element i depends on the stream and on i alone: the first n of
// a longer fill are the fill of n, and tiles may be filled by different threads, each from its own offset.
//
// A stream serves one purpose: fills of different kinds (or of float and double) from the same stream use the
// same random words and are not independent.

#include <cstdint>
#include <span>

#include "perp/base/array.hpp"
#include "perp/random/stream.hpp"

namespace perp {

/// Elements offset … offset + out.size() - 1 of the stream's normals. Box–Muller; a radius of 40 bits reaches
/// 7.5 sigma. Fastest where offset and size are multiples of 64.
void fill_normal(const Stream& stream, std::span<float> out, std::uint64_t offset = 0);

/// The same in double precision, other numbers; a radius of 64 bits reaches 9.4 sigma. Some
/// three times slower.
void fill_normal(const Stream& stream, std::span<double> out, std::uint64_t offset = 0);

/// The same row by row as a table; T is float or double.
template <class T>
Matrix<T> normal_matrix(std::size_t rows, std::size_t cols, const Stream& stream, std::uint64_t offset = 0);

}  // namespace perp
