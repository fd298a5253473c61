#include "perp/io/table_reference.hpp"

#include <boost/test/unit_test.hpp>

#include "perp/io/message.hpp"
#include "safetensors_bytes.hpp"
#include "tests/support/scratch.hpp"

using namespace perp;
using namespace perp::test;

namespace {

using Words = std::vector<std::string>;

const std::string six_items = items_bytes(std::vector<float>{1, 2, 3, 4, 5, 6}, false);

// The refusal without the folder it names.
std::string refusal(const Scratch& scratch, const TableReference& reference,
                    std::optional<RowRange> rows = std::nullopt) {
  const auto error = error_of([&] { read_table<float>(reference, rows); });
  if (!error) return "";
  BOOST_TEST(static_cast<int>(error->exit()) == 2);
  std::string said = error->what();
  const std::string folder = scratch.path().string() + "/";
  while (said.find(folder) != said.npos) said.erase(said.find(folder), folder.size());
  return said;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(io_table_reference)

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
  const std::string odd = scratch.file("odd:name", "a 1\n").string();
  BOOST_TEST(parsed(odd) == odd);
  BOOST_TEST(parsed(odd + ":t") == odd + " | t");
  const std::string colon = scratch.file("ends:", "a 1\n").string();
  BOOST_TEST(parsed(colon) == colon);
  BOOST_TEST(parsed(colon + ":t") == colon + " | t");

  // A ':' in a tensor's name: the longest file counts.
  const std::string plain = scratch.file("plain", "a 1\n").string();
  BOOST_TEST(parsed(plain + ":a:b") == plain + " | a:b");
  scratch.file("plain:a", "a 1\n");
  BOOST_TEST(parsed(plain + ":a:b") == plain + ":a | b");
  BOOST_TEST(parsed(plain + ":x:y:b") == plain + " | x:y:b");

  for (const char* text : {":", ":t", "a:", "a:b:"})
    BOOST_TEST(message_of([&] { parse_table_reference(text); }) ==
               "table '" + std::string(text) + "': expected FILE or FILE:TENSOR");
  BOOST_TEST(message_of([] { parse_table_reference(""); }) == "table '': expected FILE or FILE:TENSOR");
  // Too long a name for any file is no reason to stop.
  BOOST_TEST(parse_table_reference(std::string(5000, 'x') + ":t").tensor.value() == "t");
}

BOOST_AUTO_TEST_CASE(rows_are_half_open_and_from_zero) {
  const RowRange range = parse_rows("1:513");
  BOOST_TEST(range.first == 1U);
  BOOST_TEST(range.last == 513U);
  BOOST_TEST(range.count() == 512U);
  BOOST_TEST(range.text() == "1:513");
  BOOST_TEST(parse_rows("0:18446744073709551615").last == 18446744073709551615U);
  for (const char* text : {"", ":", "5", "5:", ":5", "5:5", "6:5", "-1:5", "+1:5", " 1:5", "1:5 ", "1:2:3",
                           "a:b", "1.0:5", "0x1:5", "0:18446744073709551616"})
    BOOST_TEST(message_of([&] { parse_rows(text); }) ==
               "rows '" + std::string(text) +
                   "': expected A:B with 0 <= A < B, for example 0:512 for the first 512 rows");
}

BOOST_AUTO_TEST_CASE(the_first_bytes_say_what_a_file_is) {
  const Scratch scratch;
  const std::string tensors = TensorWriter().add("w", "F32", "[3, 2]", six_items).file();
  // A .npy header of 123 bytes: the ninth byte is '{' there too.
  std::string dictionary = npy_dictionary("<f4", false, "(3, 2)");
  dictionary.resize(123, ' ');
  const std::vector<TableReference> references{
      {scratch.file("a.txt", tensors), "w"},
      {scratch.file("b.txt", tensors), std::nullopt},
      {scratch.file("c.safetensors", npy_file(dictionary, six_items)), std::nullopt},
      {scratch.file("d.npy", "a 1 2\nb 3 4\nc 5 6\n"), std::nullopt},
      {scratch.file("e.npy", "3 2\na 1 2\nb 3 4\nc 5 6\n"), std::nullopt},
      {scratch.file("f.npy", "12345678{ 1 2\nb 3 4\nc 5 6\n"), std::nullopt}};
  for (const TableReference& reference : references) {
    const Matrix<double> all = read_table<double>(reference);
    BOOST_TEST_REQUIRE(rows(all) == 3U, reference.path);
    BOOST_TEST_REQUIRE(cols(all) == 2U);
    for (std::size_t i = 0; i < 6; ++i) BOOST_TEST(all.data()[i] == static_cast<double>(i + 1));
    const Matrix<float> middle = read_table<float>(reference, RowRange{1, 2});
    BOOST_TEST_REQUIRE(middle.size() == 2U);
    BOOST_TEST(middle(0, 0) == 3.F);
    BOOST_TEST(middle(0, 1) == 4.F);
    BOOST_TEST(rows(read_table<float>(reference, RowRange{0, 3})) == 3U);
    BOOST_TEST(contains(refusal(scratch, reference, RowRange{2, 4}),
                        ": rows 2:4 of a table of 3; expected A:B within 0:3"));
  }
}

BOOST_AUTO_TEST_CASE(text_keeps_its_words) {
  const Scratch scratch;
  const TableReference text{scratch.file("w.txt", "3 1\na 1\n. . 2\nc 3\n"), std::nullopt};
  BOOST_TEST((read_named_table<float>(text).words == Words{"a", ". .", "c"}));
  const NamedTable<double> part = read_named_table<double>(text, RowRange{1, 3});
  BOOST_TEST((part.words == Words{". .", "c"}));
  BOOST_TEST(part.vectors(0, 0) == 2.0);
  BOOST_TEST(part.vectors(1, 0) == 3.0);
  const TableReference tensor{scratch.file("w", TensorWriter().add("w", "F32", "[6]", six_items).file()),
                              "w"};
  BOOST_TEST(read_named_table<float>(tensor).words.empty());
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read_says_why) {
  const Scratch scratch;
  const auto path = scratch.file("two", TensorWriter()
                                            .add("w", "F32", "[3]", six_items.substr(0, 12))
                                            .add("b", "F32", "[3]", six_items.substr(12))
                                            .file());
  BOOST_TEST(refusal(scratch, {path, std::nullopt}) ==
             "'two' holds 2 tensors; expected FILE:TENSOR with one of 'w', 'b'");
  BOOST_TEST(refusal(scratch, {path, "x"}) == "'two' has no tensor 'x'; it has 'w', 'b'");
  const auto words = scratch.file("words", "a 1\nb x\n");
  BOOST_TEST(refusal(scratch, {words, std::nullopt}) ==
             "words:2: field 2 is 'x', a finite number was expected");
  BOOST_TEST(refusal(scratch, {words, "w"}) ==
             "'words' is no safetensors or GGUF file; expected one, to find the tensor 'w' in");
  const auto npy = scratch.file("n", npy_file(npy_dictionary("<f4", false, "(7,)"), six_items));
  BOOST_TEST(contains(refusal(scratch, {npy, "w"}), "'n' is no safetensors or GGUF file"));
  BOOST_TEST(contains(refusal(scratch, {npy, std::nullopt}), "its shape 1 x 7 of 4-byte items promises 28"));
  BOOST_TEST(contains(refusal(scratch, {scratch / "absent", "w"}), "cannot read 'absent': No such file"));
  BOOST_TEST(contains(refusal(scratch, {scratch.path(), "w"}), "this is a folder"));
  // A length that no file has is still recognised and refused as what it is.
  const auto huge = scratch.file("huge", std::string(7, '\0') + "\x80{\"w\": 1}");
  BOOST_TEST(contains(refusal(scratch, {huge, std::nullopt}), "a header of 9223372036854775808 bytes"));
}

BOOST_AUTO_TEST_SUITE_END()
