// Numbers, escapes, the scanner, typed numbers, the README's markers.

#include "reports/render/text.hpp"

#include <cmath>
#include <regex>

#include "perp/study/display.hpp"
#include "reports/render/render.hpp"
#include "tests/reports/support.hpp"

namespace perp::report {
namespace {

/// The lines ("12: text") in which a decimal number stands that no placeholder, link, code or address holds:
/// a measured number typed by hand.
std::vector<std::string> typed_numbers(std::string_view text) {
  static const std::regex allowed(
      R"(\{\{[^}]*\}\}|```[^`]*```|`[^`]*`|\]\([^)]*\)|https?://[^\s)]*|arXiv[: ]*[0-9.]+|doi[: ]*[0-9./a-z-]+)",
      std::regex::icase);
  static const std::regex number(R"([0-9]\.[0-9])");
  std::string blanked(text);
  std::smatch match;
  for (std::size_t from = 0; std::regex_search(blanked.cbegin() + static_cast<std::ptrdiff_t>(from),
                                               blanked.cend(), match, allowed);) {
    const std::size_t start = from + static_cast<std::size_t>(match.position());
    const std::size_t length = static_cast<std::size_t>(match.length());
    for (std::size_t i = start; i < start + length; ++i)
      if (blanked[i] != '\n') blanked[i] = ' ';
    from = start + length;
  }
  std::vector<std::string> found;
  const std::vector<std::string> lines = split(blanked, '\n'), originals = split(text, '\n');
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (std::regex_search(lines[i], number)) found.push_back(fmt::format("{}: {}", i + 1, originals[i]));
  return found;
}

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

BOOST_AUTO_TEST_SUITE(scanner)

/// The text of a template without code, and of its tags what stands in quotation marks, such as heads of tables.
std::string shown_by(const std::string& text) {
  static const std::regex code("```[^`]*```|`[^`\n]*`"), tag("\\{\\{[^}]*\\}\\}"), quoted("\"([^\"]*)\"");
  const std::string plain = std::regex_replace(text, code, "");
  std::string shown;
  auto from = plain.begin();
  for (std::sregex_iterator at(plain.begin(), plain.end(), tag), end; at != end; ++at) {
    shown.append(from, (*at)[0].first);
    const std::string inside = at->str();
    for (std::sregex_iterator head(inside.begin(), inside.end(), quoted); head != end; ++head)
      shown.append(1, ' ').append((*head)[1].str());
    shown += ' ';
    from = (*at)[0].second;
  }
  return shown.append(from, plain.end());
}

/// Where they stand as words, but for the field's own: "half-split" tables, "one core" and "core types" of
/// processors, a "linear reader", which the report defines, and the command `perp reader`; addresses are left out.
std::vector<std::string> private_words(const std::string& text) {
  static const std::regex exempt(
      "\\]\\([^)]*\\)|half-split|one core\\b|core types?\\b|(linear|perp) readers?|`[^`\n]*`",
      std::regex::icase),
      words(
          "\\b(splits?|full sums?|narrow sums?|lineages?|core|codebooks?|rounding bounds?|about the origin|"
          "of them|said of|what is no|the rest stands in|readers?|carr(y|ies|ied|ying)|sent|told "
          "apart|loads?|standing|dear|"
          "flat sums?|others do|neither does|which could be chance|of two tables|what to type|word "
          "for|may)\\b|, too\\b",
          std::regex::icase);
  const std::string left = std::regex_replace(text, exempt, "");
  std::vector<std::string> found;
  for (std::sregex_iterator at(left.begin(), left.end(), words), end; at != end; ++at)
    found.push_back(at->str());
  return found;
}

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

/// Our own words for what the field has words for, and forms that read like a translation: the whole of a page
/// uses the field's. "May" is left to permissions, and pages of docs speak of who reads them and of what loads.
BOOST_AUTO_TEST_CASE(no_template_figure_name_and_no_page_of_docs_has_words_that_no_reader_knows) {
  BOOST_TEST(
      private_words(shown_by("A split, half-split `core` {{table split.csv as \"of them\"}}")).size() == 2U);
  const fs::path source = PERP_SOURCE_DIR;
  const auto check = [](const std::string& where, const std::string& text, bool permits) {
    for (const std::string& word : private_words(text))
      if (!(permits && (word == "may" || word.starts_with("reader") || word.starts_with("load"))))
        BOOST_ERROR(where << " says \"" << word << "\"");
  };
  for (const char* folder : {"reports/pages", "studies"})
    for (const auto& entry : fs::recursive_directory_iterator(source / folder)) {
      if (entry.path().extension() == ".md")
        check(entry.path().string(), shown_by(read_file(entry.path())), false);
      if (entry.path().extension() != ".gp") continue;
      std::string header;
      for (const std::string& line : split(read_file(entry.path()), '\n'))
        if (line.starts_with("#:") && !line.starts_with("#: number:")) header += line + "\n";
      check(entry.path().string(), shown_by(header), false);
    }
  for (const DisplayName& name : display_names()) check("a display name", std::string(name.shown), false);
  // README's answer is a template's.
  check("README.md", shown_by(with_block(read_file(source / "README.md"), "", "README.md")), true);
  for (const char* page :
       {"CONTRIBUTING.md", "docs/manual.md", "docs/TRUST.md", "docs/adding-a-claim.md", "docs/internals.md"})
    check(page, shown_by(read_file(source / page)), true);
}

BOOST_AUTO_TEST_CASE(no_template_and_no_figure_has_numbers_typed_by_hand) {
  BOOST_TEST(typed_numbers("a 20,000, `0.5` {{O1.x.d0p5|.3f}} [a](http://x/1.2)\nb 1.5 words").size() == 1U);
  for (const char* folder : {"reports/pages", "studies"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(PERP_SOURCE_DIR) / folder)) {
      const bool script = entry.path().extension() == ".gp";
      if (!script && entry.path().extension() != ".md") continue;
      std::string text;
      for (const std::string& line : split(read_file(entry.path()), '\n'))
        text += (script && (!line.starts_with("#:") || line.starts_with("#: dark:")) ? "" : line) + "\n";
      for (const std::string& found : typed_numbers(text)) BOOST_ERROR(entry.path().string() + ":" + found);
    }
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
