#include "perp/io/table_rows.hpp"

#include <zlib.h>

#include <boost/test/unit_test.hpp>

#include "perp/io/message.hpp"
#include "safetensors_bytes.hpp"
#include "tests/support/scratch.hpp"
#include "words_bytes.hpp"

using namespace perp;
using namespace perp::test;

namespace {

using Words = std::vector<std::string>;

const std::vector<float> six{1, 2, 3, 4, 5, 6};
const std::string six_items = items_bytes(six, false);
const std::string six_by_columns = items_bytes(std::vector<float>{1, 3, 5, 2, 4, 6}, false);

// 1 2 / 3 4 / 5 6 in every format.
struct Named {
  TableFormat format;
  std::string bytes;
  std::optional<std::string> tensor = std::nullopt;
  bool has_words = false;
};

std::vector<Named> same_table() {
  return {{TableFormat::npy, npy_file(npy_dictionary("<f4", false, "(3, 2)"), six_items, 1)},
          {TableFormat::npy, npy_file(npy_dictionary("<f4", true, "(3, 2)"), six_by_columns, 2)},
          {TableFormat::npy, npy_file(npy_dictionary(">f4", true, "(3, 2)"),
                                      items_bytes(std::vector<float>{1, 3, 5, 2, 4, 6}, true), 3)},
          {TableFormat::npy, npy_file(npy_dictionary("|u1", false, "(3, 2)"), "\1\2\3\4\5\6")},
          {TableFormat::safetensors,
           TensorWriter().add("x", "I8", "[1]", ".").add("w", "F32", "[3, 2]", six_items).file(), "w"},
          {TableFormat::safetensors,
           TensorWriter()
               .add("w", "BF16", "[3, 2]",
                    items_bytes(std::vector<std::uint16_t>{0x3F80, 0x4000, 0x4040, 0x4080, 0x40A0, 0x40C0},
                                false))
               .file()},
          {TableFormat::word2vec_binary,
           word2vec_file("3 2\n", {{"a", {1, 2}}, {"b", {3, 4}}, {"c", {5, 6}}}),
           {},
           true},
          {TableFormat::text, "3 2\na 1 2\nb 3 4\nc 5 6\n", {}, true},
          {TableFormat::text, "a 1 2\nb 3 4\nc 5 6\n", {}, true}};
}

std::string gzipped(const Scratch& scratch, const std::string& name, std::string_view bytes) {
  const std::string path = (scratch / name).string();
  gzFile file = ::gzopen(path.c_str(), "wb");
  ::gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  ::gzclose(file);
  return path;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(io_table_rows)

BOOST_AUTO_TEST_CASE(every_format_gives_the_same_table) {
  const Scratch scratch;
  for (const Named& named : same_table()) {
    const TableReference reference{scratch.file("no.name", named.bytes), named.tensor};
    const TableRows table = open_table(reference);
    BOOST_TEST_REQUIRE((table.format() == named.format), to_text(table.format()));
    BOOST_TEST(table.rows() == 3U);
    BOOST_TEST(table.cols() == 2U);
    BOOST_TEST((table.words() == (named.has_words ? Words{"a", "b", "c"} : Words{})));
    BOOST_TEST(table.files().size() == 1U);
    const Matrix<double> all = table.all<double>();
    for (std::size_t i = 0; i < 6; ++i) BOOST_TEST(all.data()[i] == static_cast<double>(six[i]));
    std::vector<float> tile(4);
    table.read(1, 2, tile);
    BOOST_TEST(tile == (std::vector<float>{3, 4, 5, 6}), boost::test_tools::per_element());
    // The same bytes from memory.
    const auto source = std::make_shared<const ByteSource>("x", InMemory{named.bytes});
    BOOST_TEST((open_table(source, named.tensor).all<double>() == all));
  }
}

BOOST_AUTO_TEST_CASE(first_transposed_then_rows_then_a_limit) {
  const Scratch scratch;
  for (const Named& named : same_table()) {
    const TableReference reference{scratch.file("t", named.bytes), named.tensor};
    const auto numbers = [&](const Selection& selection) {
      const TableRows table = open_table(reference, selection);
      const Matrix<double> all = table.all<double>();
      return std::vector<double>(all.data(), all.data() + all.size());
    };
    using Numbers = std::vector<double>;
    const auto each = boost::test_tools::per_element();
    BOOST_TEST(numbers({.transpose = true}) == (Numbers{1, 3, 5, 2, 4, 6}), each);
    BOOST_TEST(numbers({.rows = RowRange{1, 2}, .transpose = true}) == (Numbers{2, 4, 6}), each);
    BOOST_TEST(numbers({.limit = 1, .transpose = true}) == (Numbers{1, 3, 5}), each);
    BOOST_TEST(numbers({.rows = RowRange{1, 3}}) == (Numbers{3, 4, 5, 6}), each);
    BOOST_TEST(numbers({.rows = RowRange{1, 3}, .limit = 1}) == (Numbers{3, 4}), each);
    BOOST_TEST(numbers({.rows = RowRange{1, 3}, .limit = 5}) == (Numbers{3, 4, 5, 6}), each);
    BOOST_TEST(numbers({.limit = 2}) == (Numbers{1, 2, 3, 4}), each);
    BOOST_TEST(numbers({.limit = 1'000'000}).size() == 6U);

    const TableRows part = open_table(reference, {.rows = RowRange{1, 3}, .limit = 1});
    BOOST_TEST(part.first_row() == 1U);
    BOOST_TEST(part.rows() == 1U);
    BOOST_TEST((part.words() == (named.has_words ? Words{"b"} : Words{})));
    BOOST_TEST(open_table(reference, {.transpose = true}).words().empty());
    std::vector<double> room(4);
    BOOST_TEST(contains(message_of([&] { part.read(0, 2, room); }), "rows 0:2 of a table of 1"));
    for (const Selection& selection :
         {Selection{.rows = RowRange{2, 4}}, {.rows = RowRange{3, 5}, .limit = 1}})
      BOOST_TEST(
          contains(message_of([&] { open_table(reference, selection); }), "of a table of 3; expected A:B"));
    BOOST_TEST(contains(message_of([&] {
                          open_table(reference, {.rows = RowRange{0, 3}, .transpose = true});
                        }),
                        "rows 0:3 of a table of 2; expected A:B within 0:2"));
    BOOST_TEST(contains(message_of([&] { open_table(reference, {.limit = 0}); }), "0 rows wanted"));
  }
}

BOOST_AUTO_TEST_CASE(a_limit_leaves_the_rest_of_a_text_unread) {
  const Scratch scratch;
  const TableReference text{scratch.file("t", "a 1 2\nb 3 4\nc x\n"), std::nullopt};
  BOOST_TEST(open_table(text, {.limit = 2}).rows() == 2U);
  BOOST_TEST(open_table(text, {.rows = RowRange{1, 2}}).rows() == 1U);
  BOOST_TEST(open_table(text, {.rows = RowRange{1, 1'000'000}, .limit = 1}).rows() == 1U);
  BOOST_TEST(contains(message_of([&] { open_table(text, {.limit = 3}); }), ":3: "));
  BOOST_TEST(contains(message_of([&] { open_table(text, {.limit = 2, .transpose = true}); }), ":3: "));
}

BOOST_AUTO_TEST_CASE(compressed_text_is_read_and_compressed_tables_are_not) {
  const Scratch scratch;
  const TableReference text{gzipped(scratch, "t.gz", "2 2\na 1 2\nb 3 4\n"), std::nullopt};
  BOOST_TEST((open_table(text).words() == Words{"a", "b"}));
  for (const Named& named : same_table()) {
    if (named.format == TableFormat::text) continue;
    const TableReference other{gzipped(scratch, "o.gz", named.bytes), std::nullopt};
    BOOST_TEST(contains(message_of([&] { open_table(other); }),
                        fmt::format("o.gz' is {} compressed by gzip; only text can be read compressed",
                                    to_text(named.format))));
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_file_says_so) {
  const Scratch scratch;
  BOOST_TEST(message_of([] {
               open_table({"/dev/null", std::nullopt});
             }) == "'/dev/null' is a device or a pipe; expected a plain file");
  BOOST_TEST(contains(message_of([&] { open_table({scratch / "absent", "w"}); }), "absent': No such file"));
  BOOST_TEST(contains(message_of([&] { open_table({scratch.path(), "w"}); }), "this is a folder"));
  BOOST_TEST(contains(message_of([&] {
                        open_table({scratch.file("empty", ""), std::nullopt});
                      }),
                      "is empty"));
  for (const Named& named : same_table())
    if (named.format != TableFormat::safetensors)
      BOOST_TEST(contains(message_of([&] {
                            open_table({scratch.file("t", named.bytes), "w"});
                          }),
                          "t' is no safetensors or GGUF file; expected one, to find the tensor 'w' in"));
}

BOOST_AUTO_TEST_SUITE_END()
