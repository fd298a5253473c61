// The words of perp: which one somebody meant, and that each is there to be helped with.

#include "program/words.hpp"

#include <boost/test/unit_test.hpp>
#include <set>

#include "perp/io/message.hpp"
#include "tests/support/refusal.hpp"

using namespace perp::program;
using perp::nearest;

BOOST_AUTO_TEST_SUITE(program_words)

BOOST_AUTO_TEST_CASE(a_wrong_word_is_answered_with_the_nearest) {
  const std::vector<std::string> among{"report", "inspect", "render", "list", "dot"};
  const auto is = [&](std::string_view wrong, std::string_view meant) {
    BOOST_TEST(nearest(wrong, among) == meant, wrong << " is taken for '" << nearest(wrong, among) << "'");
  };
  is("inspct", "inspect");  // one left out
  is("inspecct", "inspect");
  is("isnpect", "inspect");
  is("sit", "list");
  is("reprot", "report");
  is("rendre", "render");
  is("dto", "dot");  // two swapped are one edit
  is("xy", "");      // as far from dot as from nothing at all
  is("", "");
  is("compare", "");
}

BOOST_AUTO_TEST_CASE(words_are_told_apart_and_have_a_line) {
  std::set<std::string_view> names;
  for (const Word& word : words()) {
    BOOST_TEST(names.insert(word.name).second, word.name << " is there twice");
    BOOST_TEST(!word.about.empty());
    BOOST_TEST((word.run != nullptr));
    BOOST_TEST(word.about.size() <= 60U, word.name << " does not fit 80 columns");
  }
  BOOST_TEST(names.contains("report"));
}

BOOST_AUTO_TEST_CASE(errors_begin_with_the_word) {
  const auto name = [](std::vector<std::string> line) {
    std::vector<char*> argv;
    for (std::string& word : line) argv.push_back(word.data());
    return name_of(static_cast<int>(argv.size()), argv.data());
  };
  BOOST_TEST(name({"build/perp", "render", "--out", "x"}) == "perp render");
  BOOST_TEST(name({"build/perp", "--version"}) == "perp");
  BOOST_TEST(name({"build/perp", "inspct"}) == "perp");
  BOOST_TEST(name({"build/perp"}) == "perp");
}

BOOST_AUTO_TEST_SUITE_END()
