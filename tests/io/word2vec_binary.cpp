// What the corpus does not hold of word2vec's binary format: limits, and what is no such file.

#include "perp/io/word2vec_binary.hpp"

#include <boost/test/unit_test.hpp>

#include "perp/io/table_rows.hpp"
#include "tests/support/scratch.hpp"
#include "words_bytes.hpp"

using namespace perp;
using namespace perp::test;

namespace {

const std::vector<WordAndNumbers> two{{"in", {0.1F, 0.2F, 0.3F}}, {"f\xc3\xbcr", {-1, 32, 1e-20F}}};

}  // namespace

BOOST_AUTO_TEST_SUITE(io_word2vec_binary)

BOOST_AUTO_TEST_CASE(text_is_not_taken_for_it) {
  for (const char* text : {"2 3\nin 0.5 1e-3 7\nfor 1 2 -0.25\n", "1 1\na 1\n", "2 1\n. . 2\n\xc3\xbc 3\n",
                           "2 1\nat name\xe2\x80\xa6 2\nb 3\n", "1 9\na 1 2 3 4 5 6 7 8 9\xc3", "2 3\n",
                           "2 3\na ", "0 3\na \1\2\3\4", "in 3\na \1\2\3\4", "2 3 4\na \1\2\3\4"})
    BOOST_TEST(!is_word2vec_binary(text), text);
  BOOST_TEST(is_word2vec_binary(word2vec_file("2 3\n", two)));
  BOOST_TEST(is_word2vec_binary(word2vec_file("1 1\n", {{"a", {0.1F}}})));
  BOOST_TEST(is_word2vec_binary(word2vec_file("1 1\n", {{"a", {0}}})));
  const auto said = [](const std::string& bytes, std::size_t most) {
    return message_of([&] { word2vec_binary(ByteSource("w.bin", InMemory{bytes}), most); });
  };
  for (const char* header : {"2\n", "a 3\n", "2 3 4\n", "-2 3\n", "0 3\n", "2 0\n", "2 3"})
    BOOST_TEST(contains(said(word2vec_file(header, {two[0]}, ""), 100),
                        "'w.bin' does not begin with a line of two numbers"),
               header);
  BOOST_TEST(said(word2vec_file("2 3\n", two), 0) == "'w.bin': 0 rows wanted, at least 1 was expected");
}

BOOST_AUTO_TEST_SUITE_END()
