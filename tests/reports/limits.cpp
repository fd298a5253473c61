// What keeps the report something that people read: lengths of the paper, of tables, of README's first page,
// from the published results and from the golden ones.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cctype>
#include <filesystem>
#include <sstream>

#include "perp/io/file.hpp"
#include "perp/study/display_name.hpp"
#include "reports/pages.hpp"

namespace perp::report {
namespace {

namespace fs = std::filesystem;

const fs::path source = PERP_SOURCE_DIR;

/// Words that a reader sees: no tags with their alternative texts, no addresses, no marks alone. A word holds
/// a digit or a Latin or Greek letter.
std::size_t words_in(const std::string& text) {
  std::string seen;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool address = text.compare(at, 2, "](") == 0;
    if (text[at] == '<' || address)
      at = std::min(text.find(address ? ')' : '>', at), text.size() - 1);
    else
      seen += text[at] == '|' ? ' ' : text[at];
  }
  std::istringstream in(seen);
  std::size_t words = 0;
  for (std::string word; in >> word;)
    words +=
        std::ranges::any_of(word, [](unsigned char c) { return std::isalnum(c) || (c > 0xc2 && c < 0xd0); });
  return words;
}

/// Rows of each table, heads left out.
std::vector<std::size_t> tables_in(const std::string& text) {
  std::vector<std::size_t> rows;
  std::istringstream in(text);
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("|") && !inside) rows.push_back(0);
    inside = line.starts_with("|");
    if (inside) ++rows.back();
  }
  for (std::size_t& number : rows) number -= 2;
  return rows;
}

std::size_t times(const std::string& text, const std::string& what) {
  std::size_t number = 0;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++number;
  return number;
}

std::string section(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from), end = text.find(to);
  BOOST_TEST_REQUIRE((begin != text.npos && end != text.npos), from << " to " << to);
  return text.substr(begin, end - begin);
}

/// The text without code, addresses, tags with their alternative texts and formulas.
std::string prose_of(const std::string& text) {
  std::string seen;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool address = text.compare(at, 2, "](") == 0, formula = text.compare(at, 2, "$`") == 0;
    if (text[at] == '<' || text[at] == '`' || address || formula) {
      const std::string end = address ? ")" : formula ? "`$" : text[at] == '<' ? ">" : "`";
      at = std::min(text.find(end, at + 1), text.size() - end.size()) + end.size() - 1;
    } else if (text[at] != '\\') {
      seen += text[at];
    }
  }
  return seen;
}

/// What no page may show: identifiers that have a name, as words of prose where no language has them, else as
/// cells of tables, and a second form of percent.
std::vector<std::string> codes_in(const std::string& page) {
  const std::string text = prose_of(page);
  const auto in_word = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
  };
  std::vector<std::string> found;
  for (const DisplayName& name : display_names()) {
    const std::string identifier(name.identifier);
    const bool is_model = name.column == "model", is_label = name.column == "label" || name.column == "says",
               is_code = identifier.size() > 2 && !is_model && !is_label &&
                         identifier.find_first_of("_0123456789") != identifier.npos;
    if (is_code) {
      for (std::size_t at = text.find(identifier); at != text.npos; at = text.find(identifier, at + 1))
        if (!(at > 0 && in_word(at - 1)) && !in_word(at + identifier.size())) found.push_back(identifier);
    } else if (is_model || name.column.empty()) {
      const bool shown = times(text, fmt::format("| {} |", identifier)) > 0 ||
                         (is_model && times(text, fmt::format(" {}: ", identifier)) > 0);
      if (shown) found.push_back(identifier);
    }
  }
  for (std::size_t at = text.find(" %"); at != text.npos; at = text.find(" %", at + 1))
    if (at > 0 && std::isdigit(static_cast<unsigned char>(text[at - 1])))
      found.push_back(text.substr(at - 1, 3));
  return found;
}

std::vector<Page> pages_from(const fs::path& folder) {
  const fs::path templates = source / "reports/templates";
  std::vector<Results> studies;
  for (const std::string& study : chapters_named(templates / "report.md"))
    if (const fs::path file = folder / study / "results.json"; fs::exists(file))
      studies.push_back(results_from_json(read_file(file), file.string()));
  const Facts facts(folder, std::move(studies));
  return pages_of(facts, read_figures(source / "reports/figures"), templates, {}).list;
}

BOOST_AUTO_TEST_SUITE(limits)

BOOST_AUTO_TEST_CASE(words_rows_and_identifiers_are_counted_as_a_reader_does) {
  BOOST_TEST(
      words_in("Two [words](a/b_c d.md) · <img alt=\"not these\">\n| x | – | 3 |\n| :--- | ---: |\n") == 4U);
  BOOST_TEST((tables_in("a\n| h |\n| - |\n| 1 |\n| 2 |\n\n| h |\n| - |\n| 1 |\n") ==
              std::vector<std::size_t>{2, 1}));
  BOOST_TEST(
      codes_in("| bite | 1 |\n| x | copy2, then `copy2` | [a](as_is.md) <b bite>|\n5 % of a bite").size() ==
      3U);
  BOOST_TEST(codes_in("| who bit whom | 5% | copy20 |").empty());
}

// From the golden results alone: what is published is as old as its run.
BOOST_AUTO_TEST_CASE(no_page_shows_identifiers_or_a_second_form_of_percent) {
  for (const Page& page : pages_from(source / "tests/golden"))
    for (const std::string& code : codes_in(page.text)) BOOST_ERROR(page.file << " shows " << code);
}

BOOST_AUTO_TEST_CASE(the_paper_and_the_chapters_stay_short) {
  for (const char* folder : {"reports/published", "tests/golden"}) {
    for (const Page& page : pages_from(source / folder)) {
      const std::string where = fmt::format("{} from {}", page.file, folder);
      const bool paper = page.file == "REPORT.md";
      if (paper) {
        const std::string body = page.text.substr(0, page.text.find("\n## References"));
        BOOST_TEST(page.text.size() <= 70'000U, where);
        BOOST_TEST(words_in(body) <= 5'000U, where);
        BOOST_TEST(words_in(section(page.text, "\n## 1 ", "\n## 3 ")) <= 1'500U, where);
        BOOST_TEST(times(page.text, "\n**Figure ") <= 12U, where);
        BOOST_TEST(times(page.text, "**Table ") <= 4U, where);
        for (const std::size_t rows : tables_in(body)) BOOST_TEST(rows <= 12U, where);
      } else if (page.file.starts_with("chapters/") && page.file != "chapters/rules.md") {
        for (const std::size_t rows : tables_in(page.text)) BOOST_TEST(rows <= 15U, where);
      }
      // GitHub shows no more of a page.
      BOOST_TEST(page.text.size() < 512'000U, where);
    }
  }
}

BOOST_AUTO_TEST_CASE(readme_answers_on_its_first_page) {
  const std::string readme = read_file(source / "README.md");
  BOOST_TEST(std::ranges::count(readme, '\n') <= 110);
  const std::string first = readme.substr(0, readme.find("\n## What you can do here"));
  BOOST_TEST(std::ranges::count(first, '\n') <= 40);
  BOOST_TEST(words_in(first) <= 250U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp::report
