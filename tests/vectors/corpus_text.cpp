#include "perp/vectors/corpus_text.hpp"

#include <boost/test/unit_test.hpp>

namespace perp {
namespace {

using Words = std::vector<std::string>;

Words words_of(std::string_view text) {
  Words words;
  for_each_word(text, [&](std::string_view word) { words.emplace_back(word); });
  return words;
}

void check_words(std::string_view text, const Words& expected) {
  const Words found = words_of(text);
  BOOST_TEST(found == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE(corpus_text)

BOOST_AUTO_TEST_CASE(words_are_runs_of_letters_in_lower_case) {
  check_words("The KING's 2nd dog-house; A_b", {"the", "king", "s", "nd", "dog", "house", "a", "b"});
  check_words("", {});
  check_words(" 12 .\n", {});
  check_words("@[`{", {});  // the neighbours of A, Z, a, z in ASCII
  check_words(std::string_view("a\0b", 3), {"a", "b"});
}

BOOST_AUTO_TEST_CASE(line_ends_separate) {
  check_words("one\r\ntwo\nthree\rfour", {"one", "two", "three", "four"});
}

BOOST_AUTO_TEST_CASE(bytes_beyond_ascii_stay_inside_words_unchanged) {
  check_words(
      "Fa\xC3\xA7"
      "ade \xC3\x89"
      "cole \xFFx",
      {"fa\xC3\xA7"
       "ade",
       "\xC3\x89"
       "cole",
       "\xFFx"});
}

BOOST_AUTO_TEST_CASE(short_brackets_are_dropped_and_separate) {
  check_words("a [1913 Webster] b l[aum]r []c", {"a", "b", "l", "r", "c"});
  check_words("a [1913\n   Webster] b", {"a", "b"});
  check_words("[x]", {});
}

BOOST_AUTO_TEST_CASE(a_bracket_of_40_characters_is_dropped_one_of_41_is_text) {
  const std::string forty(40, 'x');
  check_words("a [" + forty + "] b", {"a", "b"});
  check_words("a [" + forty + "x] b", {"a", forty + "x", "b"});
  std::string accented;  // characters, not bytes
  for (int i = 0; i < 40; ++i) accented += "\xC3\xA9";
  check_words("a [" + accented + "] b", {"a", "b"});
  check_words("a [" + accented + "\xC3\xA9] b", {"a", accented + "\xC3\xA9", "b"});
}

BOOST_AUTO_TEST_CASE(unclosed_and_nested_brackets_are_text) {
  check_words("a [b", {"a", "b"});
  check_words("a b[", {"a", "b"});
  check_words("a [b [c] d] e", {"a", "b", "d", "e"});
  check_words("a ] b", {"a", "b"});
}

BOOST_AUTO_TEST_CASE(vocabulary_is_by_frequency_then_by_bytes) {
  const Corpus corpus = read_corpus("b d c b a c b", 3);
  BOOST_TEST(corpus.words == (Words{"b", "c", "a"}), boost::test_tools::per_element());
  BOOST_TEST(corpus.frequencies == (std::vector<std::uint64_t>{3, 2, 1}), boost::test_tools::per_element());
  BOOST_TEST(corpus.distinct == 4U);
  const std::uint32_t out = outside_vocabulary;
  BOOST_TEST(corpus.tokens == (std::vector<std::uint32_t>{0, out, 1, 0, 2, 1, 0}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_vocabulary_larger_than_the_text_keeps_all) {
  const Corpus corpus = read_corpus("x y x", 100);
  BOOST_TEST(corpus.words == (Words{"x", "y"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(words_that_are_not_utf8_are_never_kept) {
  // Latin-1, an overlong slash, a surrogate, beyond U+10FFFF, cut off: all but the first and last words here.
  const Corpus corpus = read_corpus(
      "caf\xC3\xA9 caf\xE9 a\xC0\xAF b\xED\xA0\x80 c\xF4\x90\x80\x80 d\xE2\x82 e\xE0\x80\xAF "
      "f\xF0\x80\x80\xAF "
      "\xF0\x9F\x90\x95\xE2\x82\xAC",
      10);
  BOOST_TEST(corpus.words == (Words{"caf\xC3\xA9", "\xF0\x9F\x90\x95\xE2\x82\xAC"}),
             boost::test_tools::per_element());
  BOOST_TEST(corpus.distinct == 9U);
  BOOST_TEST(corpus.tokens[1] == outside_vocabulary);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp
