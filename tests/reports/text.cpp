// Numbers, escapes, the scanner, the README's markers.

#include "reports/render/text.hpp"

#include <cmath>

#include "perp/study/display.hpp"
#include "reports/render/pages.hpp"
#include "reports/render/render.hpp"
#include "tests/reports/support.hpp"

namespace perp::report {
namespace {

BOOST_AUTO_TEST_SUITE(numbers)

BOOST_AUTO_TEST_CASE(formats) {
  BOOST_TEST(format_level(0.95) == "95%");
  BOOST_TEST(format_level(0.999) == "99.9%");
  for (const auto& [value, format, text] :
       std::initializer_list<std::tuple<double, const char*, const char*>>{{0.04419417, "", "0.04419"},
                                                                           {512, "", "512"},
                                                                           {9999, "", "9999"},
                                                                           {10000, "", "10,000"},
                                                                           {1234567, "", "1,234,567"},
                                                                           {-123456, "d", "−123,456"},
                                                                           {0.5, ".3f", "0.500"},
                                                                           {-0.25, "+.1f", "−0.2"},
                                                                           {0.25, "+.2f", "+0.25"},
                                                                           {0.6204, ".1%", "62.0%"},
                                                                           {0.5, ".0deg", "60°"},
                                                                           {1 + 1e-12, ".1deg", "0.0°"},
                                                                           {3.1e-14, "", "3.1·10⁻¹⁴"},
                                                                           {1e-9, "", "10⁻⁹"},
                                                                           {-1.5e20, "", "−1.5·10²⁰"},
                                                                           {0.001234, ".2e", "1.23·10⁻³"},
                                                                           {1.0, ".1e", "1.0"},
                                                                           {-1.25, ".2e", "−1.25"},
                                                                           {0.0, ".1e", "0"}})
    BOOST_TEST(format_number(value, format) == text);
  for (const auto& [value, format, message] :
       std::initializer_list<std::tuple<double, const char*, const char*>>{
           {1, ".3x", "format '.3x' is not one of"},
           {1, ".3", "format '.3' is not one of"},
           {1, "{}", "is not one of"},
           {1, ".2d", "is not one of"},
           {1.5, "d", "shows integers and the value is 1.5"},
           {2, ".1deg", "shows a cosine as its angle and the value is 2"},
           {std::nan(""), "", "the value is nan"},
           {INFINITY, "", "the value is inf"}})
    BOOST_CHECK_EXCEPTION(format_number(value, format), Error, saying(message));
}

BOOST_AUTO_TEST_CASE(intervals_decide_the_digits) {
  BOOST_TEST(format_interval(0.25, 0.5, ".1%") == "[25.0%, 50.0%]");
  BOOST_TEST(format_interval(0.25, {}) == "");
  BOOST_TEST(format_with_interval(1.0, 0.9874, 1.0126) == "1.000 [0.987, 1.013]");
  BOOST_TEST(format_with_interval(1234.0, 1200.0, 1268.0) == "1234 [1200, 1268]");
  BOOST_TEST(format_with_interval(2.5, {}, {}) == "2.5");
  BOOST_TEST(format_with_interval(0.863, 0.8613, 0.8648, ".2f") == "0.863 [0.861, 0.865]");
  BOOST_TEST(format_with_interval(1e-9, 0.5e-9, 1.5e-9) == "10⁻⁹ [5·10⁻¹⁰, 1.5·10⁻⁹]");
}

BOOST_AUTO_TEST_CASE(draws_that_are_all_alike_bound_how_many_are_not) {
  // 0.969^144 = 0.011 and 0.968^144 = 0.0093; 0.953^144 = 0.00098.
  BOOST_TEST(format_with_interval(0.0, 0.0, 0.0, "+.2f", {144, 0.99}) ==
             "+0.00 (the same in all 144; at 99% fewer than 3.2% can differ)");
  BOOST_TEST(format_interval(1.0, 1.0, "", {144, 0.999}) ==
             "(the same in all 144; at 99.9% fewer than 4.7% can differ)");
  BOOST_TEST(format_with_interval(2.5, 2.5, 2.5) == "2.5 (no spread)");
  BOOST_TEST(format_with_interval(1.0, 1 - 1e-9, 1.0, ".3f") == "1.000 (no spread)");
}

BOOST_AUTO_TEST_CASE(minus_signs_in_sentences) {
  for (const auto& [plain, typeset] : std::initializer_list<std::pair<const char*, const char*>>{
           {"R² = -0.05 (-0.02 after 12), [-1, 2]", "R² = −0.05 (−0.02 after 12), [−1, 2]"},
           {"-3", "−3"},
           {"within 7e-16, 8e+10 times; 1.5e-05", "within 7·10⁻¹⁶, 8·10¹⁰ times; 1.5·10⁻⁵"},
           {"0.0e+00, by 0e+00 of 1.0e+00 and 20e+00", "0, by 0 of 1.0 and 20"}})
    BOOST_TEST(with_minus_signs(plain) == typeset);
  for (const char* same : {"word-2", "2-3", "--4", "a - 1", "-x", "-", "", "e-5 1e5 2e- size-2"})
    BOOST_TEST(with_minus_signs(same) == same);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(escapes) {
  for (const auto& [text, escaped] : std::initializer_list<std::pair<const char*, const char*>>{
           {"a|b<c>&*d*_e_[f]\\`$g$", "a\\|b&lt;c&gt;&amp;\\*d\\*\\_e\\_\\[f\\]\\\\\\`\\$g\\$"},
           {"~~gone~~ #1 @me", "\\~\\~gone\\~\\~ \\#1 &#64;me"},
           {"two\nlines", "two lines"},
           {"naïve √d", "naïve √d"}})
    BOOST_TEST(escape_markdown(text) == escaped);
  BOOST_TEST(code_span("make") == "`make`");
  BOOST_TEST(code_span("WORDS='a`b``c'") == "``` WORDS='a`b``c' ```");
  BOOST_TEST(code_cell("make") == "`make`");
  BOOST_TEST(code_cell("W=a\\|<b>") == "<code>W=a&#92;&#124;&#60;b&#62;</code>");
  BOOST_TEST(escape_html("a \"b\" <c> & d\ne") == "a &quot;b&quot; &lt;c&gt; &amp; d e");
  BOOST_TEST(gnuplot_string("it's `touch x` \"$(y)\" @z") == "'it''s `touch x` \"$(y)\" @z'");
  BOOST_CHECK_EXCEPTION(gnuplot_string("a\nb"), Error, saying("'a\\x0ab' holds a control character"));
}

BOOST_AUTO_TEST_CASE(maths_is_rewritten_and_code_and_money_are_not) {
  BOOST_TEST(maths_for_pandoc("a $`\\sqrt{x}`$, $`y`$.") == "a $\\sqrt{x}$, $y$.");
  BOOST_TEST(maths_for_pandoc("`$x` \\$`a`$ $5") == "`$x` \\$`a`$ $5");
  BOOST_TEST(maths_for_pandoc("$`open") == "$`open");
  BOOST_TEST(data_address("<a b=\"#1\">\n50% & 'x'") ==
             "data:image/svg+xml,%3Ca b=%22%231%22%3E 50%25 %26 'x'");
}

BOOST_AUTO_TEST_SUITE(scanner)

/// The pieces of a template, tags in angle brackets with their lines.
std::string pieces_of(const char* text) {
  std::string out;
  for (const Piece& piece : scan(text, "t.md"))
    out += piece.is_tag ? fmt::format("<{}:{}>", piece.line, piece.text) : piece.text;
  return out;
}

BOOST_AUTO_TEST_CASE(text_and_tags_with_their_lines) {
  BOOST_TEST(pieces_of("a\n{{ x|.3f }}b\n{{table\n  f columns=a}}") ==
             "a\n<2:x|.3f>b\n<3:table   f columns=a>");
  BOOST_TEST(
      pieces_of("a\n  {{#measured O1}}  \nb\n{{! note }}\n{{/measured}}\nc {{#claim O1}}d{{/claim}}\n") ==
      "a\n<2:#measured O1>b\n<5:/measured>c <6:#claim O1>d<6:/claim>\n");
  BOOST_TEST(pieces_of("$\\sqrt{\\frac{a}{b}}$") == "$\\sqrt{\\frac{a}{b}}$");
  for (const auto& [text, message] : {std::pair{"a\n{{x", "t.md:2: a tag is opened here and never closed"},
                                      {"{{ }}", "t.md:1: an empty tag"},
                                      {"{{x {{y}}", "t.md:1: a tag inside the tag 'x {{y'"}})
    BOOST_CHECK_EXCEPTION(scan(text, "t.md"), Error, saying(message));
}

BOOST_AUTO_TEST_CASE(words_keep_what_is_quoted) {
  const auto words = words_of("a \"b c\",\"d\"  e");
  BOOST_TEST(words.size() == 3u);
  BOOST_TEST(words[1] == "\"b c\",\"d\"");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(readme)

BOOST_AUTO_TEST_CASE(only_the_block_changes) {
  const std::string text =
      "# A\n" + std::string(readme_begin) + "\nold\n" + std::string(readme_end) + "\nend\n";
  const std::string once = with_block(text, "new\n", "README.md");
  BOOST_TEST(once ==
             "# A\n" + std::string(readme_begin) + "\n\nnew\n\n" + std::string(readme_end) + "\nend\n");
  BOOST_TEST(with_block(once, "new\n", "README.md") == once);
}

BOOST_AUTO_TEST_CASE(the_markers_must_be_there_once_and_in_order) {
  const std::string begin(readme_begin), end(readme_end);
  for (const auto& [text, message] : {std::pair{end, "R.md: has no <!-- perpendicular:begin -->"},
                                      {begin + begin + end, "R.md: has <!-- perpendicular:begin --> twice"},
                                      {end + begin, "stands behind"}})
    BOOST_CHECK_EXCEPTION(with_block(text, "x", "R.md"), Error, saying(message));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp::report
