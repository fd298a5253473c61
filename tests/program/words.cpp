// The words of perp: which one somebody meant, and that each is there to be helped with. And which reports fit a
// library, by version, core type and processor.

#include "program/words.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <set>

#include "perp/io/message.hpp"
#include "program/folders.hpp"
#include "program/known_bad.hpp"
#include "tests/support/refusal.hpp"

using namespace perp::program;
using perp::nearest;
using namespace perp;

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

int called(int (*word)(int, char**), std::vector<std::string> line) {
  std::vector<char*> argv;
  for (std::string& part : line) argv.push_back(part.data());
  return word(static_cast<int>(argv.size()), argv.data());
}

BOOST_AUTO_TEST_CASE(what_would_be_passed_over_is_refused) {
  test::check_refusal([] { called(run, {"perp", "--version", "extra"}); }, "'extra' behind --version");
  test::check_refusal([] { called(run, {"perp", "help", "dot", "extra"}); }, "'extra' behind dot");
  for (const char* address : {"https://", "http:///a", "https://a.org/?q", "https://a.org/#b", "a.org"})
    test::check_refusal(
        [=] {
          called(render, {"perp render", "--address", address});
        },
        "expected https://HOST/… without ? and #");
  for (const char* carried : {"9", "100"})
    test::check_refusal(
        [=] {
          called(reader,
                 {"perp reader", "--dim", "64", "--words", "9", "--positions", "9", "--carried", carried});
        },
        fmt::format("--carried {}: expected per cent, 10 to 99", carried));
}

BOOST_AUTO_TEST_CASE(a_folder_that_cannot_be_made_says_why) {
  errno = 0;
  test::check_refusal([] { OwnFolder("/nowhere"); }, "cannot be created: No such file or directory");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(program_known_bad)

BOOST_AUTO_TEST_CASE(reports_fit_by_version_core_type_and_processor) {
  const Processor zen4{Instructions::avx512, true}, zen3{Instructions::avx2, true},
      xeon{Instructions::avx512, false};
  const auto count = [](const char* library, const char* version, const char* core,
                        const Processor& processor) {
    BlasIdentity blas;
    blas.name = library;
    blas.version = version;
    blas.kernel = core;
    return known_bad(blas, processor).size();
  };
  BOOST_TEST(count("OpenBLAS", "0.3.34", "Haswell", zen4) == 2u);
  BOOST_TEST(count("OpenBLAS", "0.3.34", "ZEN", zen4) == 1u);
  BOOST_TEST(count("OpenBLAS", "0.3.34", "Zen", zen3) == 0u);
  BOOST_TEST(count("OpenBLAS", "0.3.34", "Zen", xeon) == 0u);
  BOOST_TEST(count("OpenBLAS", "0.3.34", "SkylakeX", zen4) == 0u);
  BOOST_TEST(count("OpenBLAS", "0.3.35", "Haswell", zen4) == 0u);
  BOOST_TEST(count("OpenBLAS", "0.3.34.dev", "Haswell", xeon) == 1u);
  BOOST_TEST(count("OpenBLAS", "0.3.20", "Cooperlake", xeon) == 2u);
  // By number and not by letter: 0.3.9 is earlier than 0.3.33.
  BOOST_TEST(count("OpenBLAS", "0.3.9", "VORTEXM4", zen3) == 1u);
  BOOST_TEST(count("OpenBLAS", "0.4", "VORTEXM4", zen3) == 0u);
  BOOST_TEST(count("OpenBLAS", "0.3.5", "SkylakeX", xeon) == 1u);
  BOOST_TEST(count("OpenBLAS", "0.3.12", "SkylakeX", xeon) == 1u);
  BOOST_TEST(count("OpenBLAS", "0.3.13", "SkylakeX", xeon) == 0u);
  BOOST_TEST(count("OpenBLAS", "0.3.30", "NEOVERSEV2", zen3) == 1u);
  BOOST_TEST(count("OpenBLAS", "0.3.34", "LA464", zen3) == 1u);
  BOOST_TEST(count("BLIS", "0.3.34", "Haswell", zen4) == 0u);
  BOOST_TEST(count("OpenBLAS", "", "Haswell", zen4) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
