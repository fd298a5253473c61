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

BOOST_AUTO_TEST_SUITE(corpus_text)

BOOST_AUTO_TEST_CASE(words_are_runs_of_letters_in_lower_case_outside_short_brackets) {
  const std::string forty(40, 'x'), long_one = forty + "x";
  std::string accented;  // characters, not bytes
  for (int i = 0; i < 40; ++i) accented += "\xC3\xA9";
  const std::string longer = accented + "\xC3\xA9";
  const auto in_bracket = [](const std::string& word) { return "a [" + word + "] b"; };
  const std::vector<std::pair<std::string, Words>> cases{
      {"The KING's 2nd dog-house; A_b", {"the", "king", "s", "nd", "dog", "house", "a", "b"}},
      {"", {}},
      {" 12 .\n", {}},
      {"@[`{", {}},  // the neighbours of A, Z, a, z in ASCII
      {std::string("a\0b", 3), {"a", "b"}},
      {"one\r\ntwo\nthree\rfour", {"one", "two", "three", "four"}},
      // Bytes beyond ASCII stay inside words, unchanged.
      {"Fa\xC3\xA7"
       "ade \xC3\x89"
       "cole \xFFx",
       {"fa\xC3\xA7"
        "ade",
        "\xC3\x89"
        "cole",
        "\xFFx"}},
      {"a [1913 Webster] b l[aum]r []c", {"a", "b", "l", "r", "c"}},
      {"a [1913\n   Webster] b", {"a", "b"}},
      {"[x]", {}},
      // One of 40 characters is dropped, one of 41 is text.
      {in_bracket(forty), {"a", "b"}},
      {in_bracket(long_one), {"a", long_one, "b"}},
      {in_bracket(accented), {"a", "b"}},
      {in_bracket(longer), {"a", longer, "b"}},
      // Unclosed and nested ones are text.
      {"a [b", {"a", "b"}},
      {"a b[", {"a", "b"}},
      {"a [b [c] d] e", {"a", "b", "d", "e"}},
      {"a ] b", {"a", "b"}}};
  for (const auto& [text, words] : cases) BOOST_TEST((words_of(text) == words), text);
}

BOOST_AUTO_TEST_CASE(vocabulary_is_by_frequency_then_by_bytes) {
  const Corpus corpus = read_corpus("b d c b a c b", 3);
  BOOST_TEST(corpus.words == (Words{"b", "c", "a"}), boost::test_tools::per_element());
  BOOST_TEST(corpus.frequencies == (std::vector<std::uint64_t>{3, 2, 1}), boost::test_tools::per_element());
  BOOST_TEST(corpus.distinct == 4U);
  const std::uint32_t out = outside_vocabulary;
  BOOST_TEST(corpus.tokens == (std::vector<std::uint32_t>{0, out, 1, 0, 2, 1, 0}),
             boost::test_tools::per_element());
  BOOST_TEST((read_corpus("x y x", 100).words == Words{"x", "y"}));
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
