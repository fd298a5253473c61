#pragma once
// How a matrix of numbers lies in a file, and reading any rows of it from there.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "perp/io/byte_source.hpp"

namespace perp {

/// One number as a file holds it, or 32 or 256 of them that share scales.
struct ItemType {
  enum class Kind : char {
    real = 'f',
    bfloat16 = 'b',
    integer = 'i',
    unsigned_integer = 'u',
    q4_0 = 'A',  ///< blocks of ggml, little-endian: 4, 5 or 8 bits a number, a scale d in binary16
    q4_1 = 'B',  ///< … and a least value m
    q5_0 = 'C',
    q5_1 = 'D',
    q8_0 = 'E',
    q4_k = 'F',  ///< … of 256 numbers in groups, each with a scale of its own
    q5_k = 'G',
    q6_k = 'H',
    f8_e4m3 = 'm',  ///< a byte: 4 bits of exponent and 3 of mantissa, no infinity (OCP OFP8, 2023)
    f8_e5m2 = 'n'   ///< the upper half of a binary16
  };
  Kind kind = Kind::real;  ///< IEEE 754, bfloat16, signed, unsigned, or a block
  std::size_t bytes = 4;   ///< 2, 4, 8 for reals; 2 for bfloat16; 1, 2, 4, 8 for integers; of a whole block
  bool big_endian = false;

  std::size_t numbers() const {
    if (kind >= Kind::q4_k && kind <= Kind::q6_k) return 256;
    return kind >= Kind::q4_0 && kind <= Kind::q8_0 ? 32 : 1;
  }
  std::string text() const;  ///< "f4", "bf2", "i8", "u1", "q4_1" …
};

/// IEEE 754 binary16 and bfloat16 from their bits.
float from_binary16(std::uint16_t bits);
float from_bfloat16(std::uint16_t bits);

/// A matrix as lines of items. The lines are its rows, or its columns: then the file has the matrix in
/// Fortran's order, or has its transpose; reading does not care which.
struct StoredTable {
  ItemType item;
  std::uint64_t begin = 0;                ///< where the first line begins
  std::size_t lines = 0, line_items = 0;  ///< both at least 1, whole blocks; all lines' bytes fit 63 bits
  bool lines_are_rows = true;
  /// What the numbers of each block of lines and their items are multiplied by, line by line; empty: nothing.
  std::vector<float> scales = {};
  std::size_t scale_rows = 1, scale_cols = 1;  ///< of a block

  std::size_t rows() const { return lines_are_rows ? lines : line_items; }
  std::size_t cols() const { return lines_are_rows ? line_items : lines; }
  std::uint64_t line_bytes() const { return std::uint64_t{line_items / item.numbers()} * item.bytes; }
  std::uint64_t line_begin(std::size_t line) const { return begin + line * line_bytes(); }
};

/// Rows first … first + count - 1 into `out`, row-major, count * cols() numbers of type T, float or double; those of a
/// block are computed in float32, as ggml does, whatever T is.
/// Needs a buffer of at most 256 KiB beside it. Throws Error{Exit::unusable} when the file ends.
template <class T>
void read_stored(const ByteSource& source, const StoredTable& table, std::size_t first, std::size_t count,
                 std::span<T> out);
extern template void read_stored<float>(const ByteSource&, const StoredTable&, std::size_t, std::size_t,
                                        std::span<float>);
extern template void read_stored<double>(const ByteSource&, const StoredTable&, std::size_t, std::size_t,
                                         std::span<double>);

}  // namespace perp
