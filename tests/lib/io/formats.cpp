// What the corpus does not hold of the formats: what we write, rows beyond a buffer, names, how a table is
// named and which of its rows are taken.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

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

BOOST_AUTO_TEST_CASE(long_headers_are_taken) {
  const Scratch scratch;
  // Length bytes of 0x80 and more.
  const std::string dictionary = npy_dictionary(">i4", true, "(2, 3)") + std::string(0xff80, ' ') + "\n",
                    items = items_bytes(std::vector<std::int32_t>{1, 2, 3, 4, 5, 6}, true);
  for (const int version : {1, 2, 3})
    BOOST_TEST(read_npy<double>(scratch.file("a.npy", npy_file(dictionary, items, version)))(0, 2) == 5);
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

  Matrix<float> f = matrix<float>(2, 2);
  f(1, 1) = 0.1F;
  write_npy(scratch / "f.npy", block(f, 1, 2, 2));  // of a wider matrix
  BOOST_TEST(read_npy<float>(scratch / "f.npy")(0, 1) == 0.1F);
  BOOST_TEST(read_npy<double>(scratch / "f.npy")(0, 1) == static_cast<double>(0.1F));
}

BOOST_AUTO_TEST_CASE(what_is_no_npy_file) {
  const Scratch scratch;
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

// binary16 as IEEE 754 defines it.
double half(unsigned bits) {
  const int exponent = static_cast<int>(bits >> 10 & 0x1F);
  const double fraction = bits & 0x3FF;
  const double magnitude = exponent == 31  ? (fraction == 0 ? INFINITY : NAN)
                           : exponent == 0 ? std::ldexp(fraction, -24)
                                           : std::ldexp(fraction + 1024, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

}  // namespace

BOOST_AUTO_TEST_CASE(sixteen_bits_are_decoded_exactly) {
  std::vector<std::uint16_t> all(65'536);
  std::iota(all.begin(), all.end(), std::uint16_t{0});
  const std::string file = TensorWriter().add("w", "F16", "[1, 65536]", items_bytes(all, false)).file();
  const Matrix<double> found =
      open_table(std::make_shared<const ByteSource>("t", InMemory{file}), std::nullopt).all<double>();
  for (const std::uint16_t bits : all) {
    const double expected = half(bits), read = found(0, bits);
    BOOST_TEST_REQUIRE((std::isnan(expected) ? std::isnan(read) : expected == read), bits);
    BOOST_TEST_REQUIRE(std::signbit(expected) == std::signbit(read), bits);
  }
}

// Short lines come many at a time, long ones in pieces.
BOOST_AUTO_TEST_CASE(tiles_are_what_the_whole_is) {
  using Size = std::size_t;
  for (const bool are_rows : {true, false})
    for (const auto& [lines, items, tile] :
         {std::tuple<Size, Size, Size>{7, 5, 4}, {40, 3000, 7}, {40, 3000, 1000}, {2, 150'000, 140'000}}) {
      std::vector<float> numbers(lines * items);
      std::iota(numbers.begin(), numbers.end(), 0.0F);
      const std::string bytes = items_bytes(numbers, false);
      const ByteSource source("t", InMemory{bytes});
      StoredTable table;
      table.lines = lines, table.line_items = items, table.lines_are_rows = are_rows;
      bool right = true;
      for (Size first = 0; first < table.rows(); first += tile) {
        std::vector<double> out(std::min(tile, table.rows() - first) * table.cols());
        read_stored(source, table, first, out.size() / table.cols(), std::span<double>(out));
        for (Size k = 0; k < out.size(); ++k) {
          const Size row = first + k / table.cols(), col = k % table.cols();
          right = right && out[k] == double(are_rows ? row * items + col : col * items + row);
        }
      }
      BOOST_TEST(right, lines << " lines of " << items << " by " << tile << (are_rows ? "" : ", turned"));
    }
}

// A line beyond the 256 KiB that are read at a time, whose blocks do not divide them, holds what its blocks
// hold in short lines.
BOOST_AUTO_TEST_CASE(a_line_longer_than_the_buffer) {
  constexpr std::size_t rows = 200, short_cols = 32 * 100, cols = rows * short_cols;
  Picks picks(3);
  std::string blocks(cols / 32 * 20, '\0');
  for (char& byte : blocks) byte = static_cast<char>(picks.below(60));  // scales that are finite
  const ByteSource source("t", InMemory{blocks});
  const auto numbers = [&](StoredTable table, std::size_t first, std::size_t count) {
    table.item = {ItemType::Kind::q4_1, 20, false};
    std::vector<double> out(count * table.cols());
    read_stored(source, table, first, count, std::span<double>(out));
    return out;
  };
  const std::vector<double> expected = numbers({{}, 0, rows, short_cols}, 0, rows);
  BOOST_TEST((numbers({{}, 0, 1, cols}, 0, 1) == expected));
  const std::vector<double> part = numbers({{}, 0, 1, cols, false}, 17, cols - 20);
  BOOST_TEST(std::equal(part.begin(), part.end(), expected.begin() + 17));
}

BOOST_AUTO_TEST_CASE(a_file_that_is_cut_meanwhile_is_an_error) {
  const Scratch scratch;
  const auto path =
      scratch.file("t.npy", npy_file(npy_dictionary("<f4", false, "(30, 2000)"), std::string(240'000, 'x')));
  const TableRows table = open_table({path, std::nullopt});
  std::filesystem::resize_file(path, 100'000);
  check_refusal([&] { table.all<float>(); }, "bytes early: copy it again, or wait until it is complete");
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
  // A header of 123 bytes: the ninth byte is '{' in a .npy file too.
  std::string dictionary = npy_dictionary("<f4", false, "(3, 2)");
  dictionary.resize(123, ' ');
  const std::string two = TensorWriter().add("x", "I8", "[1]", ".").add("w", "F32", "[3, 2]", six).file();
  return {{TableFormat::npy, "c.safetensors", npy_file(dictionary, six)},
          {TableFormat::safetensors, "a.txt", two, "w"},
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
    BOOST_TEST(numbers({.limit = 2}) == (Numbers{1, 2, 3, 4}), each);
    BOOST_TEST(
        numbers({.limit = 1, .times_root_width = true}) == (Numbers{std::sqrt(2.0), 2 * std::sqrt(2.0)}),
        each);
    BOOST_TEST(open_table(reference, {.times_root_width = true}).all<float>()(1, 0) == 3 * std::sqrt(2.0F));
    const TableRows part = open_table(reference, {.rows = RowRange{1, 3}, .limit = 1});
    BOOST_TEST(part.first_row() == 1U);
    BOOST_TEST((part.words() == (named.has_words ? Words{"b"} : Words{})));
    BOOST_TEST(open_table(reference, {.transpose = true}).words().empty());
    for (const auto& [selection, message] : std::vector<std::pair<Selection, const char*>>{
             {{.rows = RowRange{2, 4}}, "rows 2:4 of a table of 3; expected A:B within 0:3"},
             {{.rows = RowRange{3, 5}, .limit = 1}, "of a table of 3; expected A:B"},
             {{.rows = RowRange{0, 3}, .transpose = true},
              "rows 0:3 of a table of 2; expected A:B within 0:2"}})
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
  const std::filesystem::path gguf =
      std::filesystem::path(PERP_SOURCE_DIR) / "tests/fuzz/corpus/gguf/valid-q8_0";
  for (const auto& [reference, message] : std::vector<std::pair<TableReference, const char*>>{
           {{"/dev/null", std::nullopt}, "'/dev/null' is a device or a pipe; expected a plain file"},
           {{scratch / "absent", "w"}, "absent': No such file"},
           {{scratch.path(), "w"}, "this is a folder"},
           {{two, std::nullopt}, "two' holds 2 tensors; expected FILE:TENSOR with one of 'w', 'b'"},
           {{gguf, std::nullopt},
            "valid-q8_0' holds 2 tensors; expected FILE:TENSOR with one of 'before', 'w'"},
           {{scratch.file("pytorch_model.bin", "PK\x03\x04x"), std::nullopt},
            "as PyTorch's files and .npz are, which is not"},
           {{scratch.file("w.npy", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"),
             std::nullopt},
            "w.npy' is what Git LFS leaves in a file's place"},
           {{scratch.file("page", "\n <!DOCTYPE html>\n"), std::nullopt}, "page' is a web page"},
           {{scratch.file("config.json", "{\"model_type\": 1}"), std::nullopt},
            "so it is no index of a model's files; expected its folder"}})
    BOOST_TEST(contains(said(reference), message), message);
}

BOOST_AUTO_TEST_SUITE_END()
