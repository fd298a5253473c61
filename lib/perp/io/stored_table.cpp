#include "perp/io/stored_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

namespace perp {
namespace {

constexpr std::uint64_t chunk_bytes = std::uint64_t{1} << 18;
// Bytes between two wanted pieces that cost less to read along than another call.
constexpr std::uint64_t small_gap = std::uint64_t{1} << 14;

float from_e4m3(std::uint8_t bits) {
  // Shifted into a binary16 whose exponent is biased by 15 instead of 7; all ones are NaN.
  const std::uint16_t sign = static_cast<std::uint16_t>((bits & 0x80U) << 8),
                      rest = static_cast<std::uint16_t>((bits & 0x7FU) << 7);
  if ((bits & 0x7FU) == 0x7FU) return std::numeric_limits<float>::quiet_NaN();
  return from_binary16(static_cast<std::uint16_t>(sign | rest)) * 0x1p8F;
}

float from_e5m2(std::uint8_t bits) { return from_binary16(static_cast<std::uint16_t>(bits << 8)); }

/// A number of 16 or 8 bits, which a function turns into a float.
template <class Bits, float (*number)(Bits)>
struct Short {
  Bits bits;
  explicit operator float() const { return number(bits); }
  explicit operator double() const { return number(bits); }
};

constexpr bool foreign(const ItemType& item) {
  return item.big_endian != (std::endian::native == std::endian::big);
}

template <class T, class Item>
void decode(const char* from, T* to, std::size_t count, bool swap) {
  for (std::size_t i = 0; i < count; ++i) {
    std::array<char, sizeof(Item)> bytes{};
    std::memcpy(bytes.data(), from + i * sizeof(Item), sizeof(Item));
    if (swap) std::reverse(bytes.begin(), bytes.end());
    to[i] = static_cast<T>(std::bit_cast<Item>(bytes));
  }
}

// Blocks of ggml (ggml-quants.c): the low halves of 16 bytes are numbers 0 … 15, the high halves 16 … 31; of
// 5-bit numbers the highest bits stand together, that of number i in bit i.
constexpr std::size_t block_numbers = 32;
constexpr std::size_t half_bytes = 2;  // of a binary16

float half_at(const char* from) {
  const auto byte = [&](int i) { return static_cast<unsigned char>(from[i]); };
  return from_binary16(static_cast<std::uint16_t>(byte(0) | byte(1) << 8));
}

template <class T>
void decode_q8_0(const char* from, T* to, std::size_t count, bool) {
  for (; count >= block_numbers; count -= block_numbers, to += block_numbers) {
    const float d = half_at(from);
    from += half_bytes;
    for (std::size_t i = 0; i < block_numbers; ++i)
      to[i] = static_cast<T>(d * static_cast<float>(static_cast<std::int8_t>(*from++)));
  }
}

template <class T, int bits, bool has_least>
void decode_nibbles(const char* from, T* to, std::size_t count, bool) {
  constexpr int zero = has_least ? 0 : 1 << (bits - 1);
  for (; count >= block_numbers; count -= block_numbers, to += block_numbers) {
    const float d = half_at(from), m = has_least ? half_at(from + half_bytes) : 0.0F;
    from += has_least ? 2 * half_bytes : half_bytes;
    std::uint32_t fifth = 0;
    if constexpr (bits == 5)
      for (int i = 0; i < 4; ++i) fifth |= std::uint32_t{static_cast<unsigned char>(*from++)} << (8 * i);
    for (std::size_t i = 0; i < block_numbers; ++i) {
      const unsigned byte = static_cast<unsigned char>(from[i % 16]);
      const unsigned nibble = i < 16 ? byte & 0xFU : byte >> 4, high = fifth >> i & 1U;
      const float scaled = d * static_cast<float>(static_cast<int>(nibble | high << 4) - zero);
      to[i] = static_cast<T>(has_least ? scaled + m : scaled);
    }
    from += block_numbers / 2;
  }
}

// Blocks of 256 (K-quants): in eight groups of 32, scale and least value of each in 6 bits.
constexpr std::size_t wide_numbers = 256;

unsigned byte_of(const char* from, std::size_t i) { return static_cast<unsigned char>(from[i]); }

// The twelve bytes hold groups 0 … 3 as they are; of 4 … 7 the low four bits, the high two on top of the others'.
std::pair<unsigned, unsigned> scale_and_least(const char* packed, std::size_t group) {
  if (group < 4) return {byte_of(packed, group) & 63U, byte_of(packed, group + 4) & 63U};
  const unsigned low = byte_of(packed, group + 4);
  return {(low & 0xFU) | byte_of(packed, group - 4) >> 6 << 4, low >> 4 | byte_of(packed, group) >> 6 << 4};
}

template <class T, int bits>
void decode_groups(const char* from, T* to, std::size_t count, bool) {
  for (; count >= wide_numbers; count -= wide_numbers, to += wide_numbers) {
    const float d = half_at(from), m = half_at(from + half_bytes);
    const char *packed = from + 2 * half_bytes, *high = packed + 12, *low = bits == 5 ? high + 32 : high;
    for (std::size_t i = 0; i < wide_numbers; ++i) {
      const std::size_t group = i / 32, at = i % 32;
      const auto [scale, least] = scale_and_least(packed, group);
      const unsigned byte = byte_of(low, group / 2 * 32 + at),
                     nibble = group % 2 == 0 ? byte & 0xFU : byte >> 4;
      const unsigned fifth = bits == 5 ? byte_of(high, at) >> group & 1U : 0U;
      to[i] = static_cast<T>(d * static_cast<float>(scale) * static_cast<float>(nibble | fifth << 4) -
                             m * static_cast<float>(least));
    }
    from = low + wide_numbers / 2;
  }
}

template <class T>
void decode_q6_k(const char* from, T* to, std::size_t count, bool) {
  for (; count >= wide_numbers; count -= wide_numbers, to += wide_numbers) {
    const char *high = from + 128, *scales = high + 64, *d = scales + 16;
    for (std::size_t i = 0; i < wide_numbers; ++i) {
      const std::size_t half = i / 128, quarter = i % 128 / 32, at = i % 32;
      const unsigned byte = byte_of(from, half * 64 + quarter % 2 * 32 + at),
                     nibble = quarter < 2 ? byte & 0xFU : byte >> 4;
      const unsigned top = byte_of(high, half * 32 + at) >> (2 * quarter) & 3U;
      const auto scale =
          static_cast<float>(static_cast<std::int8_t>(scales[half * 8 + at / 16 + 2 * quarter]));
      to[i] =
          static_cast<T>(half_at(d) * scale * static_cast<float>(static_cast<int>(nibble | top << 4) - 32));
    }
    from = d + half_bytes;
  }
}

template <class T>
using Decoder = void (*)(const char* from, T* to, std::size_t count, bool swap);

template <class T>
Decoder<T> decoder(const ItemType& item) {
  switch (item.kind) {
    case ItemType::Kind::real:
      return item.bytes == 2   ? decode<T, Short<std::uint16_t, from_binary16>>
             : item.bytes == 4 ? decode<T, float>
                               : decode<T, double>;
    case ItemType::Kind::bfloat16:
      return decode<T, Short<std::uint16_t, from_bfloat16>>;
    case ItemType::Kind::integer:
      return item.bytes == 1   ? decode<T, std::int8_t>
             : item.bytes == 2 ? decode<T, std::int16_t>
             : item.bytes == 4 ? decode<T, std::int32_t>
                               : decode<T, std::int64_t>;
    case ItemType::Kind::unsigned_integer:
      return item.bytes == 1   ? decode<T, std::uint8_t>
             : item.bytes == 2 ? decode<T, std::uint16_t>
             : item.bytes == 4 ? decode<T, std::uint32_t>
                               : decode<T, std::uint64_t>;
    case ItemType::Kind::q4_0:
      return decode_nibbles<T, 4, false>;
    case ItemType::Kind::q4_1:
      return decode_nibbles<T, 4, true>;
    case ItemType::Kind::q5_0:
      return decode_nibbles<T, 5, false>;
    case ItemType::Kind::q5_1:
      return decode_nibbles<T, 5, true>;
    case ItemType::Kind::q8_0:
      return decode_q8_0<T>;
    case ItemType::Kind::q4_k:
      return decode_groups<T, 4>;
    case ItemType::Kind::q5_k:
      return decode_groups<T, 5>;
    case ItemType::Kind::q6_k:
      return decode_q6_k<T>;
    case ItemType::Kind::f8_e4m3:
      return decode<T, Short<std::uint8_t, from_e4m3>>;
    case ItemType::Kind::f8_e5m2:
      break;
  }
  return decode<T, Short<std::uint8_t, from_e5m2>>;
}

// Whether the file's bytes are T as they are.
template <class T>
bool needs_no_decoding(const ItemType& item) {
  return item.kind == ItemType::Kind::real && item.bytes == sizeof(T) && !foreign(item);
}

// A rectangle of items: of lines first_line … last_line - 1 the items first_item … first_item + items - 1.
struct Piece {
  std::size_t first_line, last_line, first_item, items;
};

// Calls use(line, item, bytes, count) for every run of items of the piece, a chunk of the file at a time.
// Only whole blocks can be decoded: `item` counts from the first item of the block that the piece begins in,
// and the last run may go beyond the piece.
template <class Use>
void for_runs(const ByteSource& source, const StoredTable& table, const Piece& piece, Use use) {
  const std::size_t numbers = table.item.numbers(), first_block = piece.first_item / numbers;
  const std::size_t blocks = (piece.first_item + piece.items + numbers - 1) / numbers - first_block;
  const std::uint64_t block_bytes = table.item.bytes, run = blocks * block_bytes;
  const std::uint64_t skip = first_block * block_bytes;
  std::vector<char> buffer;
  const auto fetch = [&](std::uint64_t from, std::uint64_t count) {
    if (buffer.size() < count) buffer.resize(static_cast<std::size_t>(count));
    source.read(from, buffer.data(), static_cast<std::size_t>(count));
    return buffer.data();
  };
  for (std::size_t line = piece.first_line; line < piece.last_line;) {
    const std::uint64_t from = table.line_begin(line) + skip;
    std::uint64_t end = from + run;
    std::size_t stop = line + 1;
    while (stop < piece.last_line) {  // lines near by come along
      const std::uint64_t next = table.line_begin(stop) + skip;
      if (next - end > small_gap || next + run - from > chunk_bytes) break;
      end = next + run;
      ++stop;
    }
    if (run <= chunk_bytes) {
      const char* bytes = fetch(from, end - from);
      for (; line < stop; ++line)
        use(line, std::size_t{0}, bytes + (table.line_begin(line) + skip - from), blocks * numbers);
      continue;
    }
    const std::size_t most = static_cast<std::size_t>(chunk_bytes / block_bytes);
    for (std::size_t done = 0; done < blocks; done += most) {
      const std::size_t count = std::min(most, blocks - done);
      use(line, done * numbers, fetch(from + done * block_bytes, count * block_bytes), count * numbers);
    }
    line = stop;
  }
}

}  // namespace

std::string ItemType::text() const {
  constexpr std::array<const char*, 8> blocks{"q4_0", "q4_1", "q5_0", "q5_1", "q8_0", "q4_k", "q5_k", "q6_k"};
  if (kind == Kind::f8_e4m3 || kind == Kind::f8_e5m2) return kind == Kind::f8_e4m3 ? "f8_e4m3" : "f8_e5m2";
  if (numbers() > 1) return blocks[static_cast<std::size_t>(kind) - static_cast<std::size_t>(Kind::q4_0)];
  const char* letter = kind == Kind::bfloat16  ? "bf"
                       : kind == Kind::real    ? "f"
                       : kind == Kind::integer ? "i"
                                               : "u";
  return fmt::format("{}{}", letter, bytes);
}

float from_binary16(std::uint16_t bits) {
  // A float has 8 bits of exponent where binary16 has 5: shifted into its place, it is 2^-112 of the number,
  // subnormal ones included. Infinite ones and NaN have all bits of the exponent set.
  const std::uint32_t sign = std::uint32_t{bits & 0x8000U} << 16, rest = std::uint32_t{bits & 0x7FFFU} << 13;
  const std::uint32_t magnitude = (bits & 0x7C00U) == 0x7C00U
                                      ? rest | 0x7F800000U
                                      : std::bit_cast<std::uint32_t>(std::bit_cast<float>(rest) * 0x1p112F);
  return std::bit_cast<float>(magnitude | sign);
}

float from_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(std::uint32_t{bits} << 16);  // the upper half of a float
}

template <class T>
void read_stored(const ByteSource& source, const StoredTable& table, std::size_t first, std::size_t count,
                 std::span<T> out) {
  const std::size_t cols = table.cols();
  if (count == 0) return;
  const Decoder<T> convert = decoder<T>(table.item);
  const bool swap = foreign(table.item);
  const auto scale = [&, across = (table.line_items + table.scale_cols - 1) / table.scale_cols](
                         std::size_t line, std::size_t item) {
    return T(table.scales[line / table.scale_rows * across + item / table.scale_cols]);
  };
  if (!table.lines_are_rows) {
    std::vector<T> run;
    const std::size_t lead = first % table.item.numbers();  // in the block but before the first row
    for_runs(source, table, {0, table.lines, first, count},
             [&](std::size_t line, std::size_t item, const char* bytes, std::size_t n) {
               run.resize(n);
               convert(bytes, run.data(), n, swap);
               for (std::size_t i = item == 0 ? lead : 0; i < n && item + i < lead + count; ++i)
                 out[(item + i - lead) * cols + line] =
                     table.scales.empty() ? run[i] : run[i] * scale(line, first - lead + item + i);
             });
  } else if (needs_no_decoding<T>(table.item)) {
    source.read(table.line_begin(first), reinterpret_cast<char*>(out.data()), out.size_bytes());
  } else {
    for_runs(source, table, {first, first + count, 0, cols},
             [&](std::size_t line, std::size_t item, const char* bytes, std::size_t n) {
               T* to = out.data() + (line - first) * cols + item;
               convert(bytes, to, n, swap);
               for (std::size_t i = 0; i < n && !table.scales.empty(); ++i) to[i] *= scale(line, item + i);
             });
  }
}

template void read_stored<float>(const ByteSource&, const StoredTable&, std::size_t, std::size_t,
                                 std::span<float>);
template void read_stored<double>(const ByteSource&, const StoredTable&, std::size_t, std::size_t,
                                  std::span<double>);

}  // namespace perp
