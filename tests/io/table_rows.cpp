// How a table is named, what its first bytes say it is, and which of its rows are taken.

#include "perp/io/table_rows.hpp"

#include <boost/test/unit_test.hpp>

#include "gzip.hpp"
#include "safetensors_bytes.hpp"
#include "tests/support/scratch.hpp"

using namespace perp;
using namespace perp::test;

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

BOOST_AUTO_TEST_SUITE(io_table_rows)

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
           {{scratch.file("config.json", "{\"model_type\": 1}"), std::nullopt},
            "so it is no index of a model's files; expected its folder"},
           {{huge, std::nullopt}, "a header of 9223372036854775808 bytes"}})
    BOOST_TEST(contains(said(reference), message), message);
}

BOOST_AUTO_TEST_SUITE_END()
