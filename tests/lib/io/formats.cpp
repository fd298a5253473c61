// What the corpus does not hold of the formats: what we write, rows beyond a buffer, names, how a table is
// named and which of its rows are taken.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <limits>

#include "perp/base/array.hpp"
#include "perp/io/file.hpp"
#include "perp/io/gguf.hpp"
#include "perp/io/npy.hpp"
#include "perp/io/safetensors.hpp"
#include "perp/io/stored_table.hpp"
#include "perp/io/table_rows.hpp"
#include "tests/lib/io/bytes.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch.hpp"

using namespace perp;
using namespace perp::test;

BOOST_AUTO_TEST_SUITE(io_npy)

BOOST_AUTO_TEST_CASE(large_arrays_cross_the_chunks_and_long_headers_are_taken) {
  const Scratch scratch;
  const std::size_t height = 701, width = 303;  // over three chunks, none of them whole columns
  std::vector<std::int32_t> items(height * width);
  for (std::size_t k = 0; k < items.size(); ++k) items[k] = static_cast<std::int32_t>(k);
  for (const int version : {1, 2, 3}) {
    const bool fortran = version == 2;
    // Length bytes of 0x80 and more.
    const std::string dictionary =
        npy_dictionary(">i4", fortran, "(701, 303)") + std::string(0xff80, ' ') + "\n";
    const Matrix<double> m =
        read_npy<double>(scratch.file("a.npy", npy_file(dictionary, items_bytes(items, true), version)));
    bool right = true;
    for (std::size_t i = 0; i < height; ++i)
      for (std::size_t j = 0; j < width; ++j)
        right = right && m(i, j) == static_cast<double>(fortran ? j * height + i : i * width + j);
    BOOST_TEST(right);
  }
}

BOOST_AUTO_TEST_CASE(written_matrices_come_back) {
  const Scratch scratch;
  Matrix<double> m = matrix<double>(5, 7);
  for (std::size_t i = 0; i < m.size(); ++i)
    m.data()[i] = std::ldexp(1.0 / static_cast<double>(i + 3), static_cast<int>(i) * 50 - 900);
  m(0, 0) = std::numeric_limits<double>::denorm_min();
  write_npy(scratch / "d.npy", m);
  const Matrix<double> back = read_npy<double>(scratch / "d.npy");
  BOOST_TEST((std::memcmp(m.data(), back.data(), m.size() * sizeof(double)) == 0));
  const std::string bytes = read_file(scratch / "d.npy");
  BOOST_TEST(bytes.substr(10, 58) == "{'descr': '<f8', 'fortran_order': False, 'shape': (5, 7), ");
  BOOST_TEST(bytes.find('\n') % 64 == 63U);

  // A block of a wider matrix.
  write_npy(scratch / "b.npy", block(m, 1, 4, 3));
  const Matrix<double> part = read_npy<double>(scratch / "b.npy");
  BOOST_TEST_REQUIRE((rows(part) == 3 && cols(part) == 3));
  BOOST_TEST(part(2, 2) == m(3, 2));

  Matrix<float> f = matrix<float>(1, 1);
  f(0, 0) = 0.1F;
  write_npy(scratch / "f.npy", f);
  BOOST_TEST(read_npy<float>(scratch / "f.npy")(0, 0) == 0.1F);
  BOOST_TEST(read_npy<double>(scratch / "f.npy")(0, 0) == static_cast<double>(0.1F));
}

BOOST_AUTO_TEST_CASE(what_is_no_npy_file) {
  const Scratch scratch;
  BOOST_TEST(is_npy("\x93NUMPY\1"));
  for (const char* text : {"\x93NUMP", "2 3\nin 1 2 3\n", ""}) BOOST_TEST(!is_npy(text), text);
  const auto text = scratch.file("text", "2 3\nin 1 2 3\n");
  BOOST_TEST(contains(message_of([&] { read_npy<float>(text); }),
                      "is no .npy file: it does not begin with \\x93NUMPY"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(io_safetensors)

namespace {

const std::string six_items = items_bytes(std::vector<float>{1, 2, 3, 4, 5, 6}, false);

std::string index_of(const std::string& map) {
  return R"({"metadata": {"total_size": 48}, "weight_map": {)" + map + "}}";
}

}  // namespace

BOOST_AUTO_TEST_CASE(of_many_names_some_are_shown) {
  const Scratch scratch;
  TensorWriter writer;
  for (int i = 0; i < 25; ++i) writer.add("layer" + std::to_string(i), "F16", "[1]", "ab");
  const auto path = scratch.file("a.safetensors", writer.file());
  const std::string said = message_of([&] { open_table({path, "Layer\n"}); });
  BOOST_TEST(contains(said, " has no tensor 'Layer\\x0a'; it has 'layer0', 'layer1', "));
  BOOST_TEST(said.ends_with("'layer19' and 5 more"));
  BOOST_TEST(contains(message_of([&] { list_tensors(scratch / "absent"); }), "No such file"));
  BOOST_TEST(list_tensors(scratch.file("none", safetensors_file("{}", ""))).empty());
}

BOOST_AUTO_TEST_CASE(an_index_leads_to_a_tensors_file) {
  const Scratch scratch;
  scratch.file("one", TensorWriter().add("w", "F32", "[3, 2]", six_items).file());
  scratch.file("two", TensorWriter().add("b", "F32", "[6]", six_items).file());
  const auto index =
      scratch.file("any.name", index_of(R"("w": "one", "b": "two", "gone": "two", "x": "three")"));
  const TableRows table = open_table({index, "w"}, {.rows = RowRange{1, 3}});
  BOOST_TEST((table.format() == TableFormat::safetensors));
  BOOST_TEST(table.tensor() == "w");
  BOOST_TEST(table.files().size() == 2U);
  BOOST_TEST(table.files().back() == scratch / "one");
  BOOST_TEST(table.all<double>()(1, 1) == 6.0);
  BOOST_TEST(open_table({index, "b"}).all<float>()(0, 5) == 6.F);
  const auto only = scratch.file("only", index_of(R"("w": "one")"));
  BOOST_TEST(open_table({only, std::nullopt}).rows() == 3U);

  // An index that names an index leads no further.
  const auto loop = scratch.file("loop", index_of(R"("w": "loop")"));
  for (const auto& [reference, part] : std::vector<std::pair<TableReference, const char*>>{
           {{index, "y"}, "any.name' has no tensor 'y'; it has 'b', 'gone', 'w', 'x'"},
           {{index, std::nullopt}, "any.name' holds 4 tensors; expected FILE:TENSOR with one of 'b', "},
           {{index, "gone"}, "two' has no tensor 'gone'; it has 'b'"},
           {{index, "x"}, "three': No such file"},
           {{loop, "w"}, "is no safetensors or GGUF file"}})
    BOOST_TEST(contains(message_of([&, at = reference] { open_table(at); }), part), part);
}

BOOST_AUTO_TEST_CASE(no_text_is_taken_for_an_index) {
  for (const char* text : {"{ 1 2\n", "{\" 1 2\n", "{\"a\" 1 2\n", "{}", "{", "", "[{\"a\":"})
    BOOST_TEST(!is_safetensors_index(text), text);
  for (const char* text : {"{\n\"\": 1\n", " {\r\n\t\"weight_map\" : {"})
    BOOST_TEST(is_safetensors_index(text), text);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(io_gguf)

// A line beyond the 256 KiB that are read at a time, whose blocks do not divide them, holds what its blocks
// hold in short lines.
BOOST_AUTO_TEST_CASE(a_row_longer_than_the_buffer) {
  constexpr std::size_t rows = 200, short_cols = 32 * 100, cols = rows * short_cols;
  Picks picks(3);
  std::string blocks;
  for (std::size_t i = 0; i < cols / 32; ++i) {
    blocks += le(static_cast<std::uint16_t>(0x3000 + picks.below(0x1000)));
    blocks += le(static_cast<std::uint16_t>(0xB000 + picks.below(0x1000)));
    for (int k = 0; k < 16; ++k) blocks += static_cast<char>(picks.below(256));
  }
  const auto numbers = [&](const std::vector<std::uint64_t>& shape, const Selection& selection) {
    const std::string file = GgufWriter().add("w", shape, q4_1, blocks).file();
    return open_table(std::make_shared<const ByteSource>("m.gguf", InMemory{file}), "w", selection)
        .all<double>();
  };
  const Matrix<double> expected = numbers({short_cols, rows}, {}), found = numbers({cols}, {});
  BOOST_TEST(std::equal(expected.begin(), expected.end(), found.begin()));
  const Matrix<double> part = numbers({cols}, {.rows = RowRange{17, cols - 3}, .transpose = true});
  BOOST_TEST(std::equal(part.begin(), part.end(), expected.begin() + 17));
}

BOOST_AUTO_TEST_CASE(tables_of_any_format_are_listed) {
  const Scratch scratch;
  const auto lines = [](const std::filesystem::path& path) {
    std::string text;
    for (const ListedTable& table : list_tables(path)) {
      text += table.tensor + " " + table.type;
      for (const std::uint64_t length : table.shape) text.append(" ").append(std::to_string(length));
      text += "\n";
    }
    return text;
  };
  const std::filesystem::path corpus = std::filesystem::path(PERP_SOURCE_DIR) / "tests/fuzz/corpus";
  BOOST_TEST(lines(corpus / "gguf/valid-q5_0") == "before F32 3\nw Q5_0 3 64\n");
  BOOST_TEST(lines(corpus / "npy/valid-f2-fortran") == " f2 4 3\n");
  BOOST_TEST(lines(corpus / "text/valid-header") == " f4 2 3\n");
  const std::filesystem::path others = corpus / "safetensors/beside-others";
  const std::string of_others =
      "ids I64 1\ncube F16 2 1 1\none F16\nmask BOOL 1 1 2\nnone F16 4 0\nrow F16 4\n";
  BOOST_TEST(lines(others) == of_others);
  std::filesystem::copy(others, scratch / "one");
  BOOST_TEST(lines(scratch.file("index", R"({"weight_map": {"ids": "one", "row": "one"}})")) == of_others);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(io_stored_table)

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

// Lines of floats 0, 1, 2 …
struct Lines {
  std::string bytes = "head";
  StoredTable table;

  Lines(std::size_t lines, std::size_t items, bool are_rows) {
    table.lines = lines;
    table.line_items = items;
    table.lines_are_rows = are_rows;
    table.begin = bytes.size();
    float next = 0;
    for (std::size_t i = 0; i < lines; ++i) {
      std::vector<float> line(items);
      for (float& x : line) x = next++;
      bytes += items_bytes(line, false);
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

// Short lines come many at a time, long ones in pieces.
BOOST_AUTO_TEST_CASE(tiles_are_what_the_whole_is) {
  for (const bool are_rows : {true, false})
    for (const auto& [lines, items] :
         {std::pair<std::size_t, std::size_t>{7, 5}, {1, 9}, {9, 1}, {40, 3000}}) {
      const Lines file(lines, items, are_rows);
      for (const std::size_t tile : {std::size_t{1}, std::size_t{4}, std::size_t{1000}, std::size_t{5000}}) {
        if (tile < file.table.rows() / 8) continue;
        check_tiles<double>(file, tile);
        check_tiles<float>(file, tile);
      }
    }
  for (const bool are_rows : {true, false}) check_tiles<double>(Lines(2, 150'000, are_rows), 140'000);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_cut_meanwhile_is_an_error) {
  const Scratch scratch;
  for (const bool are_rows : {true, false}) {
    const Lines file(30, 2000, are_rows);
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

BOOST_AUTO_TEST_SUITE(io_table_rows)

namespace {

using Words = std::vector<std::string>;
using Numbers = std::vector<double>;

// 1 2 / 3 4 / 5 6 in every format, under names that say another one.
struct Named {
  TableFormat format;
  std::string name, bytes;
  std::optional<std::string> tensor = std::nullopt;
  bool has_words = false;
};

std::vector<Named> same_table() {
  const std::string six = items_bytes(std::vector<float>{1, 2, 3, 4, 5, 6}, false);
  const std::string by_columns = items_bytes(std::vector<float>{1, 3, 5, 2, 4, 6}, false);
  // A header of 123 bytes: the ninth byte is '{' in a .npy file too.
  std::string dictionary = npy_dictionary("<f4", false, "(3, 2)");
  dictionary.resize(123, ' ');
  const TensorWriter one = TensorWriter().add("w", "F32", "[3, 2]", six);
  const std::string two = TensorWriter().add("x", "I8", "[1]", ".").add("w", "F32", "[3, 2]", six).file();
  return {{TableFormat::npy, "c.safetensors", npy_file(dictionary, six)},
          {TableFormat::npy, "a", npy_file(npy_dictionary("<f4", true, "(3, 2)"), by_columns, 2)},
          {TableFormat::safetensors, "a.txt", two, "w"},
          {TableFormat::safetensors, "b.txt", one.file()},
          {TableFormat::text, "d.npy", "3 2\na 1 2\nb 3 4\nc 5 6\n", {}, true},
          {TableFormat::text, "e.npy", "12345678{ 1 2\nb 3 4\nc 5 6\n", {}, true}};
}

/// What opening it is refused with.
std::string said(const TableReference& reference, const Selection& selection = {}) {
  return message_of([&] { open_table(reference, selection); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_reference_splits_at_the_last_colon_unless_it_is_a_file) {
  const auto parsed = [](const std::string& text) {
    const TableReference reference = parse_table_reference(text);
    return reference.path.string() + (reference.tensor ? " | " + *reference.tensor : "");
  };
  BOOST_TEST(parsed("a.npy") == "a.npy");
  BOOST_TEST(parsed("a:wpe") == "a | wpe");
  BOOST_TEST(parsed("folder/a:b:h0.query.weight") == "folder/a:b | h0.query.weight");
  BOOST_TEST(parsed("C:\\a") == "C | \\a");
  const Scratch scratch;
  for (const char* name : {"odd:name", "ends:", "plain"}) {
    const std::string file = scratch.file(name, "a 1\n").string();
    BOOST_TEST(parsed(file) == file);
    BOOST_TEST(parsed(file + ":t") == file + " | t");
  }
  // A ':' in a tensor's name: the longest file counts.
  const std::string plain = (scratch / "plain").string();
  BOOST_TEST(parsed(plain + ":a:b") == plain + " | a:b");
  scratch.file("plain:a", "a 1\n");
  BOOST_TEST(parsed(plain + ":a:b") == plain + ":a | b");
  BOOST_TEST(parsed(plain + ":x:y:b") == plain + " | x:y:b");
  for (const char* text : {"", ":", ":t", "a:", "a:b:"})
    BOOST_TEST(message_of([&] { parse_table_reference(text); }) ==
               "table '" + std::string(text) + "': expected FILE or FILE:TENSOR");
  // Too long a name for any file is no reason to stop.
  BOOST_TEST(parse_table_reference(std::string(5000, 'x') + ":t").tensor.value() == "t");
}

BOOST_AUTO_TEST_CASE(rows_are_half_open_and_from_zero) {
  const RowRange range = parse_rows("1:513");
  BOOST_TEST(range.count() == 512U);
  BOOST_TEST(range.text() == "1:513");
  BOOST_TEST(parse_rows("0:18446744073709551615").last == 18446744073709551615U);
  for (const char* text : {"", ":", "5", "5:", ":5", "5:5", "6:5", "-1:5", "+1:5", " 1:5", "1:5 ", "1:2:3",
                           "a:b", "1.0:5", "0x1:5", "0:18446744073709551616"})
    BOOST_TEST(message_of([&] { parse_rows(text); }) ==
               "rows '" + std::string(text) +
                   "': expected A:B with 0 <= A < B, for example 0:512 for the first 512 rows");
}

BOOST_AUTO_TEST_CASE(of_every_format_first_transposed_then_rows_then_a_limit) {
  const Scratch scratch;
  const auto each = boost::test_tools::per_element();
  for (const Named& named : same_table()) {
    const TableReference reference{scratch.file(named.name, named.bytes), named.tensor};
    const auto numbers = [&](const Selection& selection) {
      const Matrix<double> all = open_table(reference, selection).all<double>();
      return Numbers(all.data(), all.data() + all.size());
    };
    BOOST_TEST((open_table(reference).format() == named.format), named.name);
    BOOST_TEST(open_table(reference).files().size() == 1U);
    BOOST_TEST(numbers({}) == (Numbers{1, 2, 3, 4, 5, 6}), each);
    BOOST_TEST(numbers({.transpose = true}) == (Numbers{1, 3, 5, 2, 4, 6}), each);
    BOOST_TEST(numbers({.rows = RowRange{1, 2}, .transpose = true}) == (Numbers{2, 4, 6}), each);
    BOOST_TEST(numbers({.limit = 1, .transpose = true}) == (Numbers{1, 3, 5}), each);
    BOOST_TEST(numbers({.rows = RowRange{1, 3}}) == (Numbers{3, 4, 5, 6}), each);
    BOOST_TEST(numbers({.rows = RowRange{1, 3}, .limit = 1}) == (Numbers{3, 4}), each);
    BOOST_TEST(numbers({.rows = RowRange{1, 3}, .limit = 5}) == (Numbers{3, 4, 5, 6}), each);
    BOOST_TEST(numbers({.limit = 2}) == (Numbers{1, 2, 3, 4}), each);
    BOOST_TEST(
        numbers({.limit = 1, .times_root_width = true}) == (Numbers{std::sqrt(2.0), 2 * std::sqrt(2.0)}),
        each);
    BOOST_TEST(open_table(reference, {.times_root_width = true}).all<float>()(1, 0) == 3 * std::sqrt(2.0F));
    BOOST_TEST(numbers({.limit = 1'000'000}).size() == 6U);
    const TableRows part = open_table(reference, {.rows = RowRange{1, 3}, .limit = 1});
    BOOST_TEST(part.first_row() == 1U);
    BOOST_TEST((part.words() == (named.has_words ? Words{"b"} : Words{})));
    BOOST_TEST(open_table(reference, {.transpose = true}).words().empty());
    std::vector<double> room(4);
    BOOST_TEST(contains(message_of([&] { part.read(0, 2, room); }), "rows 0:2 of a table of 1"));
    for (const auto& [selection, message] : std::vector<std::pair<Selection, const char*>>{
             {{.rows = RowRange{2, 4}}, "rows 2:4 of a table of 3; expected A:B within 0:3"},
             {{.rows = RowRange{3, 5}, .limit = 1}, "of a table of 3; expected A:B"},
             {{.rows = RowRange{0, 3}, .transpose = true},
              "rows 0:3 of a table of 2; expected A:B within 0:2"},
             {{.limit = 0}, "0 rows wanted"}})
      BOOST_TEST(contains(said(reference, selection), message), message);
  }
}

BOOST_AUTO_TEST_CASE(a_limit_leaves_the_rest_of_a_text_unread) {
  const Scratch scratch;
  const TableReference text{scratch.file("t", "a 1 2\nb 3 4\nc x\n"), std::nullopt};
  BOOST_TEST(open_table(text, {.limit = 2}).rows() == 2U);
  BOOST_TEST(open_table(text, {.rows = RowRange{1, 2}}).rows() == 1U);
  BOOST_TEST(open_table(text, {.rows = RowRange{1, 1'000'000}, .limit = 1}).rows() == 1U);
  BOOST_TEST(contains(said(text, {.limit = 3}), ":3: "));
  BOOST_TEST(contains(said(text, {.limit = 2, .transpose = true}), ":3: "));
}

BOOST_AUTO_TEST_CASE(compressed_text_is_read_and_compressed_tables_are_not) {
  const Scratch scratch;
  const TableReference text{scratch.file("t.gz", gzip("2 2\na 1 2\nb 3 4\n")), std::nullopt};
  BOOST_TEST((open_table(text).words() == Words{"a", "b"}));
  for (const Named& named : same_table()) {
    if (named.format == TableFormat::text) continue;
    BOOST_TEST(contains(said({scratch.file("o.gz", gzip(named.bytes)), std::nullopt}),
                        fmt::format("o.gz' is {} compressed by gzip; only text can be read compressed",
                                    to_text(named.format))));
  }
}

BOOST_AUTO_TEST_CASE(what_holds_no_such_table_says_so) {
  const Scratch scratch;
  const auto two = scratch.file(
      "two", TensorWriter().add("w", "F32", "[1]", "abcd").add("b", "F32", "[1]", "abcd").file());
  // A length that no file has is still recognised and refused as what it is.
  const auto huge = scratch.file("huge", std::string(7, '\0') + "\x80{\"w\": 1}");
  const std::filesystem::path gguf =
      std::filesystem::path(PERP_SOURCE_DIR) / "tests/fuzz/corpus/gguf/valid-q8_0";
  for (const auto& [reference, message] : std::vector<std::pair<TableReference, const char*>>{
           {{"/dev/null", std::nullopt}, "'/dev/null' is a device or a pipe; expected a plain file"},
           {{scratch / "absent", "w"}, "absent': No such file"},
           {{scratch.path(), "w"}, "this is a folder"},
           {{scratch.file("empty", ""), std::nullopt}, "is empty"},
           {{scratch.file("words", "a 1\nb x\n"), std::nullopt}, ":2: field 2 is 'x', a finite number"},
           {{two, std::nullopt}, "two' holds 2 tensors; expected FILE:TENSOR with one of 'w', 'b'"},
           {{gguf, std::nullopt},
            "valid-q8_0' holds 2 tensors; expected FILE:TENSOR with one of 'before', 'w'"},
           {{scratch.file("pytorch_model.bin", "PK\x03\x04x"), std::nullopt},
            "as PyTorch's files and .npz are, which is not"},
           {{scratch.file("w.npy", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"),
             std::nullopt},
            "w.npy' is what Git LFS leaves in a file's place"},
           {{scratch.file("page", "\n <!DOCTYPE html>\n"), std::nullopt}, "page' is a web page"},
           {{scratch.file("html", "<HTML lang=en>"), std::nullopt}, "html' is a web page"},
           {{scratch.file("config.json", "{\"model_type\": 1}"), std::nullopt},
            "so it is no index of a model's files; expected its folder"},
           {{huge, std::nullopt}, "a header of 9223372036854775808 bytes"}})
    BOOST_TEST(contains(said(reference), message), message);
}

BOOST_AUTO_TEST_SUITE_END()
