#include "perp/io/stored_table.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>
#include <thread>

#include "npy_bytes.hpp"
#include "perp/base/array.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch.hpp"

using namespace perp;
using namespace perp::test;

namespace {

using Kind = ItemType::Kind;

// binary16 as IEEE 754 defines it.
double half(unsigned bits) {
  const int exponent = static_cast<int>(bits >> 10 & 0x1F);
  const double fraction = bits & 0x3FF;
  const double magnitude = exponent == 31  ? (fraction == 0 ? INFINITY : NAN)
                           : exponent == 0 ? std::ldexp(fraction, -24)
                                           : std::ldexp(fraction + 1024, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

// Lines of floats 0, 1, 2 …, `gap` bytes between them.
struct Lines {
  std::string bytes = "head";
  StoredTable table;

  Lines(std::size_t lines, std::size_t items, std::size_t gap, bool are_rows) {
    table.lines = lines;
    table.line_items = items;
    table.lines_are_rows = are_rows;
    table.begin = bytes.size();
    float next = 0;
    for (std::size_t i = 0; i < lines; ++i) {
      if (gap > 0) table.line_begins.push_back(bytes.size());
      std::vector<float> line(items);
      for (float& x : line) x = next++;
      bytes += items_bytes(line, false) + std::string(gap, '.');
    }
  }
  double expected(std::size_t row, std::size_t col) const {
    return static_cast<double>(table.lines_are_rows ? row * table.line_items + col
                                                    : col * table.line_items + row);
  }
};

template <class T>
void check_tiles(const Lines& file, std::size_t tile) {
  const ByteSource source("t", InMemory{file.bytes});
  const std::size_t rows = file.table.rows(), cols = file.table.cols();
  bool right = true;
  for (std::size_t first = 0; first < rows; first += tile) {
    const std::size_t count = std::min(tile, rows - first);
    std::vector<T> out(count * cols, -1);
    read_stored(source, file.table, first, count, std::span<T>(out));
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < cols; ++j)
        right = right && static_cast<double>(out[i * cols + j]) == file.expected(first + i, j);
  }
  BOOST_TEST(right, rows << " x " << cols << " by " << tile << (file.table.lines_are_rows ? "" : ", turned"));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(io_stored_table)

BOOST_AUTO_TEST_CASE(sixteen_bits_are_decoded_exactly) {
  for (unsigned bits = 0; bits < 65'536; ++bits) {
    const double expected = half(bits), found = from_binary16(static_cast<std::uint16_t>(bits));
    BOOST_TEST_REQUIRE((std::isnan(expected) ? std::isnan(found) : expected == found), bits);
    BOOST_TEST_REQUIRE(std::signbit(expected) == std::signbit(found), bits);
  }
  BOOST_TEST(from_bfloat16(0x3F80) == 1.F);
  BOOST_TEST(from_bfloat16(0xC049) == -3.140625F);
  BOOST_TEST(std::isinf(from_bfloat16(0x7F80)));
  BOOST_TEST(std::isnan(from_bfloat16(0x7FC0)));
  BOOST_TEST(from_bfloat16(0x0001) == std::ldexp(1.F, -133));
}

// What each holds in either byte order, the corpus says.
BOOST_AUTO_TEST_CASE(types_are_named_by_kind_and_bytes) {
  for (const auto& [kind, bytes, text] : {std::tuple{Kind::real, 4U, "f4"},
                                          {Kind::integer, 1U, "i1"},
                                          {Kind::unsigned_integer, 8U, "u8"},
                                          {Kind::bfloat16, 2U, "bf2"}})
    BOOST_TEST((ItemType{kind, bytes, false}.text() == text));
}

// Short lines come many at a time, long ones in pieces, those far apart one by one.
BOOST_AUTO_TEST_CASE(tiles_are_what_the_whole_is) {
  for (const bool are_rows : {true, false})
    for (const std::size_t gap : {std::size_t{0}, std::size_t{5}, std::size_t{40'000}})
      for (const auto& [lines, items] :
           {std::pair<std::size_t, std::size_t>{7, 5}, {1, 9}, {9, 1}, {40, 3000}}) {
        const Lines file(lines, items, gap, are_rows);
        for (const std::size_t tile :
             {std::size_t{1}, std::size_t{4}, std::size_t{1000}, std::size_t{5000}}) {
          if (tile < file.table.rows() / 8) continue;
          check_tiles<double>(file, tile);
          check_tiles<float>(file, tile);
        }
      }
  for (const bool are_rows : {true, false}) check_tiles<double>(Lines(2, 150'000, 0, are_rows), 140'000);
}

BOOST_AUTO_TEST_CASE(rows_and_room_must_fit) {
  const Lines file(3, 2, 0, true);
  const ByteSource source("t", InMemory{file.bytes});
  std::vector<double> out(4);
  const auto said = [&](std::size_t first, std::size_t count) {
    return message_of([&] { read_stored(source, file.table, first, count, std::span<double>(out)); });
  };
  BOOST_TEST(said(1, 2) == "");
  BOOST_TEST(said(2, 2) == "'t': rows 2:4 of a table of 3");
  BOOST_TEST(said(4, 0) == "'t': rows 4:4 of a table of 3");
  BOOST_TEST(contains(said(1, ~std::size_t{0}), "of a table of 3"));
  BOOST_TEST(said(0, 3) == "'t': 3 rows of 2 numbers into room for 4");
  BOOST_TEST(said(0, 1) == "'t': 1 rows of 2 numbers into room for 4");
}

BOOST_AUTO_TEST_CASE(a_file_that_is_cut_meanwhile_is_an_error) {
  const Scratch scratch;
  for (const bool are_rows : {true, false}) {
    const Lines file(30, 2000, 0, are_rows);
    const auto path = scratch.file("t", file.bytes);
    const ByteSource source(path);
    std::vector<float> out(file.table.rows() * file.table.cols());
    read_stored(source, file.table, 0, file.table.rows(), std::span<float>(out));
    std::filesystem::resize_file(path, file.bytes.size() / 2);
    check_refusal([&] { read_stored(source, file.table, 0, file.table.rows(), std::span<float>(out)); },
                  "bytes early: copy it again, or wait until it is complete");
  }
}

BOOST_AUTO_TEST_SUITE_END()
