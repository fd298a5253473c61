#include "perp/io/word2vec_binary.hpp"

#include <bit>
#include <boost/test/unit_test.hpp>

#include "hostile.hpp"
#include "perp/io/table_rows.hpp"
#include "words_bytes.hpp"

using namespace perp;
using namespace perp::test;

namespace {

using Words = std::vector<std::string>;

const std::vector<WordAndNumbers> two{{"in", {0.1F, 0.2F, 0.3F}}, {"f\xc3\xbcr", {-1, 32, 1e-20F}}};

BinaryWords found(const std::string& bytes, std::size_t most = 100) {
  return word2vec_binary(ByteSource("w.bin", InMemory{bytes}), most);
}

std::string refusal(const std::string& bytes, std::size_t most = 100) {
  const auto error = error_of([&] { found(bytes, most); });
  if (!error) return "";
  BOOST_TEST(static_cast<int>(error->exit()) == 2);
  const std::string said = error->what();
  BOOST_TEST_REQUIRE(said.starts_with("'w.bin'"), said);
  return said.substr(7);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(io_word2vec_binary)

BOOST_AUTO_TEST_CASE(with_and_without_line_ends) {
  const Scratch scratch;
  for (const char* end : {"\n", ""}) {
    const TableReference file{scratch.file("w", word2vec_file("2 3\n", two, end)), std::nullopt};
    const TableRows table = open_table(file);
    BOOST_TEST((table.format() == TableFormat::word2vec_binary));
    BOOST_TEST((table.words() == Words{"in", "f\xc3\xbcr"}));
    BOOST_TEST(table.item() == "f4");
    const Matrix<float> values = table.all<float>();
    for (std::size_t i = 0; i < 6; ++i) BOOST_TEST(values.data()[i] == two[i / 3].second[i % 3]);
    const Matrix<double> turned = open_table(file, {.transpose = true}).all<double>();
    BOOST_TEST(rows(turned) == 3U);
    for (std::size_t i = 0; i < 6; ++i) BOOST_TEST(turned(i % 3, i / 3) == values(i / 3, i % 3));
    const TableRows second = open_table(file, {.rows = RowRange{1, 2}});
    BOOST_TEST((second.words() == Words{"f\xc3\xbcr"}));
    BOOST_TEST(second.all<double>()(0, 1) == 32.0);
  }
}

// 32 is a blank's byte and 10 a line end's: numbers are stepped over, not searched.
BOOST_AUTO_TEST_CASE(numbers_made_of_blanks_and_line_ends) {
  const float blank = std::bit_cast<float>(0x20202020U), line = std::bit_cast<float>(0x0a0a0a0aU);
  for (const char* end : {"\n", ""}) {
    const BinaryWords words =
        found(word2vec_file("2 2\n", {{"a", {blank, line}}, {"b", {line, blank}}}, end));
    BOOST_TEST((words.words == Words{"a", "b"}));
  }
}

BOOST_AUTO_TEST_CASE(text_is_not_taken_for_it) {
  for (const char* text : {"2 3\nin 0.5 1e-3 7\nfor 1 2 -0.25\n", "1 1\na 1\n", "2 1\n. . 2\n\xc3\xbc 3\n",
                           "2 1\nat name\xe2\x80\xa6 2\nb 3\n", "1 9\na 1 2 3 4 5 6 7 8 9\xc3", "2 3\n",
                           "2 3\na ", "0 3\na \1\2\3\4", "in 3\na \1\2\3\4", "2 3 4\na \1\2\3\4"})
    BOOST_TEST(!is_word2vec_binary(text), text);
  BOOST_TEST(is_word2vec_binary(word2vec_file("2 3\n", two)));
  BOOST_TEST(is_word2vec_binary(word2vec_file("1 1\n", {{"a", {0.1F}}})));
  BOOST_TEST(is_word2vec_binary(word2vec_file("1 1\n", {{"a", {0}}})));
}

BOOST_AUTO_TEST_CASE(a_limit_reads_the_first_words) {
  const std::string bytes = word2vec_file("2 3\n", two);
  BOOST_TEST((found(bytes, 1).words == Words{"in"}));
  std::string twice = word2vec_file("2 3\n", {two[0], two[0]});
  BOOST_TEST(refusal(twice, 1) == "");
  BOOST_TEST(refusal(twice) == ": row 1: the word 'in' is row 0 already");
  BOOST_TEST(refusal(bytes, 0) == ": 0 rows wanted, at least 1 was expected");
}

BOOST_AUTO_TEST_CASE(damaged_files_say_where) {
  const std::string bytes = word2vec_file("2 3\n", two);
  for (const char* end : {"\n", ""})
    BOOST_TEST(refusal(word2vec_file("3 3\n", {{"a_long_word_that", {1, 2, 3}}, two[1]}, end)) ==
               " ends before row 2, its header promises 3 words");
  BOOST_TEST(contains(refusal(bytes.substr(0, bytes.size() - 2)),
                      "row 1: 11 bytes behind the word 'f\xc3\xbcr'; 12"));
  BOOST_TEST(contains(refusal(word2vec_file("9 3\n", two)), "which promises 9 words in 3 dimensions"));
  BOOST_TEST(contains(refusal(bytes + "x"), "has 1 bytes behind the 2 words that its header promises"));
  BOOST_TEST(contains(refusal(word2vec_file("2 3\n", {two[0], {"", {1, 2, 3}}})),
                      "row 1: an empty word at byte 20"));
  BOOST_TEST(contains(refusal(word2vec_file("2 3\n", {two[0], {"a\nb", {1, 2, 3}}})),
                      "row 1: the word 'a\\x0ab' at byte 20 has a line end in it"));
  BOOST_TEST(contains(refusal(word2vec_file("1 3\n", {{std::string(10'001, 'x'), {1, 2, 3}}})),
                      "row 0: no blank ends the word at byte 4; a word of at most 10000 bytes was expected"));
  BOOST_TEST(refusal(word2vec_file("1 3\n", {{std::string(10'000, 'x'), {1, 2, 3}}})).empty());
  for (const char* header : {"2\n", "a 3\n", "2 3 4\n", "-2 3\n", "0 3\n", "2 0\n", "2 3"})
    BOOST_TEST(
        contains(refusal(word2vec_file(header, {two[0]}, "")), "does not begin with a line of two numbers"),
        header);
}

BOOST_AUTO_TEST_CASE(promises_beyond_the_file_are_refused) {
  for (const char* header :
       {"18446744073709551615 3\n", "2 18446744073709551615\n", "4 4611686018427387904\n",
        "6148914691236517206 3\n", "4611686018427387904 4611686018427387904\n", "1099511627776 3\n"})
    BOOST_TEST(contains(refusal(word2vec_file(header, two)), "dimensions: that takes more"), header);
}

BOOST_AUTO_TEST_SUITE_END()
