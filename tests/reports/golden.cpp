// The published report word by word: what templates, blocks and formats make of numbers that do not move.
// After a change that is meant, render it again: the failing test says how. And what keeps the report something
// that people read: lengths of the paper, of tables, of README's first page, from the quick preset's golden
// results (tests/golden, tests/support/golden.hpp), too.

#include <algorithm>
#include <cctype>
#include <sstream>

#include "perp/study/display.hpp"
#include "reports/render/claims.hpp"
#include "reports/render/pages.hpp"
#include "reports/render/render.hpp"
#include "reports/render/text.hpp"
#include "tests/reports/support.hpp"

namespace perp::report {
namespace {

const fs::path source = PERP_SOURCE_DIR, golden = source / "tests/golden",
               published = source / "reports/published", templates = source / "reports/pages";
const std::vector<Figure>& figures() {
  static const std::vector<Figure> read = read_figures(own_sources());
  return read;
}

Facts facts_in(const fs::path& folder) {
  std::vector<Results> studies;
  for (const std::string& study : chapters_named(templates / "report.md"))
    if (fs::exists(folder / study / "results.json")) studies.push_back(read_results(folder / study));
  return Facts(folder, std::move(studies));
}
std::vector<Page> pages_from(const fs::path& folder) {
  return pages_of(facts_in(folder), figures(), own_sources(), {}).list;
}

/// What stands between README's marks.
std::string readme_block(const fs::path& folder) {
  const Layout layout{Form::github, chapters_named(templates / "report.md"), ""};
  const Facts facts = facts_in(folder);
  Expander expander(facts, figures(), own_sources(), Links(facts, layout, "", "reports/published/"));
  return expander.file(templates / "readme.md");
}

void check_text(const fs::path& file, const std::string& text) {
  const std::vector<std::string> before = split(read_file(file), '\n'), now = split(text, '\n');
  const auto [was, is] = std::ranges::mismatch(before, now);
  const bool same = was == before.end() && is == now.end();
  BOOST_TEST(same, file << " line " << was - before.begin() + 1 << ":\n  "
                        << (was == before.end() ? "" : *was) << "\nbecame\n  " << (is == now.end() ? "" : *is)
                        << "\nif that is meant: "
                        << "perp render --results FOLDER --out FOLDER, of "
                           "reports/published with --readme README.md");
}

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
  bool inside = false;
  for (const std::string& line : split(text, '\n')) {
    if (line.starts_with("|") && !inside) rows.push_back(0);
    inside = line.starts_with("|");
    if (inside) ++rows.back();
  }
  for (std::size_t& number : rows) number -= 2;
  return rows;
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

/// Running text, the items of a list one by one: no heading, no table with its title and notes, no picture with
/// its caption.
std::vector<std::string> paragraphs_in(const std::string& page) {
  std::vector<std::string> found;
  bool open = false;
  for (const std::string& line : split(page, '\n')) {
    if (line.empty() || line.starts_with("* ")) open = false;
    if (line.empty()) continue;
    if (!open) found.emplace_back();
    open = true;
    found.back() += line + "\n";
  }
  std::vector<std::string> running;
  bool behind_table = false;
  for (const std::string& text : found) {
    const bool note = behind_table && text.starts_with("*") && !text.starts_with("**"),
               other = std::ranges::any_of(
                   std::initializer_list<const char*>{"#", "|", "<", "**Figure ", "**Table "},
                   [&](const char*begin) { return text.starts_with(begin); });
    behind_table = text.starts_with("|");
    if (!note && !other) running.push_back(text);
  }
  return running;
}

/// Words of digits without letters ("12%", "−0.3", "[0.9,", not "GPT-2" nor "1/d"), but for those that count
/// figures, tables, sections and references.
std::vector<std::string> numbers_in(std::string paragraph) {
  for (std::size_t at; (at = paragraph.find("\\[[")) != paragraph.npos;)
    paragraph.erase(at, paragraph.find("\\]", at) + 2 - at);
  std::istringstream in(prose_of(paragraph));
  std::vector<std::string> numbers;
  for (std::string word, before; in >> word; before = word) {
    const bool counts = std::ranges::any_of(word, [](unsigned char c) { return std::isdigit(c) != 0; }) &&
                        std::ranges::none_of(word, [](unsigned char c) { return std::isalpha(c) != 0; }),
               is_place = std::ranges::any_of(std::initializer_list<const char*>{"Figure", "Table", "ection"},
                                              [&](const char*end) { return before.ends_with(end); });
    if (counts && !is_place) numbers.push_back(word);
  }
  return numbers;
}

/// How many words each sentence of running text has. A sentence ends where a mark is followed by a capital, a digit
/// or what opens a formula or a quotation.
std::vector<std::size_t> words_a_sentence(const std::string& page) {
  std::vector<std::size_t> lengths;
  for (const std::string& paragraph : paragraphs_in(page)) {
    std::istringstream in(prose_of(paragraph));
    std::string sentence;
    const auto end = [&] {
      if (const std::size_t words = words_in(sentence)) lengths.push_back(words);
      sentence.clear();
    };
    for (std::string word; in >> word; sentence += word + " ") {
      std::string before = sentence;
      while (before.ends_with(' ') || before.ends_with('*') || before.ends_with(')')) before.pop_back();
      if (before.ends_with("”")) before.resize(before.size() - 3);
      const bool ended = before.ends_with('.') || before.ends_with('?') || before.ends_with('!');
      const auto first =
          static_cast<unsigned char>(word[std::min(word.find_first_not_of("*[("), word.size() - 1)]);
      if (ended && (std::isupper(first) || std::isdigit(first) || first > 127)) end();
    }
    end();
  }
  return lengths;
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

BOOST_AUTO_TEST_SUITE(report_golden)

BOOST_AUTO_TEST_CASE(published_pages_are_what_the_templates_say) {
  Facts facts(published);
  facts.arrange(studies_named(templates / "report.md"));
  const Pages pages = pages_of(facts, figures(), own_sources(), {Form::github, {}, published});
  for (const Page& page : pages.list) check_text(published / page.file, page.text);
  for (const LeftOut& passage : pages.left_out)
    BOOST_ERROR(passage.place << ": left out of the published report: " << passage.guard);
  check_text(published / "conditions.csv", conditions_csv(facts));
  Expander plain(facts, figures(), own_sources());
  for (const Figure& figure : figures())
    if (is_drawable(figure, facts))
      BOOST_TEST(!plain.text(figure.title.text, figure.name, 1, Target::plain).empty(),
                 figure.name << " has no title");
  check_text(published / "ledger.csv",
             ledger_csv(facts, [&](const Claim& claim) { return plain.said(claim, Target::plain); }));
  const std::string readme = read_file(source / "README.md");
  check_text(source / "README.md", with_block(readme, readme_block(published), "README.md"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(limits)

/// On every page whose text is ours: half of all sentences have at most 16 words, none more than 40.
BOOST_AUTO_TEST_CASE(sentences_are_short) {
  for (const fs::path& folder : {published, golden})
    for (const Page& page : pages_from(folder)) {
      if (page.file != "REPORT.md" && !page.file.starts_with("chapters/")) continue;
      const char* end =
          page.file == "chapters/rules.md" ? "\n## " : "\n## References";  // claims are quoted there
      std::vector<std::size_t> lengths = words_a_sentence(page.text.substr(0, page.text.find(end)));
      std::ranges::sort(lengths);
      BOOST_TEST((lengths.at(lengths.size() / 2) > 4U && lengths.at(lengths.size() / 2) <= 16U),
                 (folder / page.file));
      BOOST_TEST(lengths.back() <= 40U, (folder / page.file));
    }
}

// From the golden results alone: what is published is as old as its run.
BOOST_AUTO_TEST_CASE(no_page_shows_identifiers_or_a_second_form_of_percent) {
  BOOST_TEST(codes_in("| bite | 1 |\n| copy2, then `copy2` | [a](as_is.md) <b bite>|\n5 % of it").size() ==
             3U);
  for (const Page& page : pages_from(golden))
    for (const std::string& code : codes_in(page.text)) BOOST_ERROR(page.file << " shows " << code);
}

BOOST_AUTO_TEST_CASE(the_paper_and_the_chapters_stay_short) {
  for (const fs::path& folder : {published, golden}) {
    std::size_t of_chapters = 0;
    for (const Page& page : pages_from(folder)) {
      const std::string where = (folder / page.file).string();
      const bool paper = page.file == "REPORT.md";
      if (paper) {
        const std::string body = page.text.substr(0, page.text.find("\n## References"));
        BOOST_TEST(page.text.size() <= 45'000U, where);
        BOOST_TEST((words_in(body) > 1'900U && words_in(body) <= 4'000U), where);
        BOOST_TEST(words_in(page.text.substr(0, page.text.find("\n## 2 "))) <= 900U, where);
        BOOST_TEST(times(page.text, "\n**Figure ") <= 10U, where);
        BOOST_TEST((!tables_in(page.text).empty() && tables_in(page.text).size() <= 4U), where);
        std::size_t numbers = 0;
        for (const std::string& paragraph : paragraphs_in(body)) {
          BOOST_TEST(numbers_in(paragraph).size() <= 4U, where << ": " << paragraph);
          numbers += numbers_in(paragraph).size();
        }
        BOOST_TEST(numbers > 10U, where);
        for (const std::size_t rows : tables_in(body)) BOOST_TEST(rows <= 12U, where);
      } else if (page.file == "chapters/rules.md") {
        BOOST_TEST(words_in(page.text) <= 12'000U, where);
      } else if (page.file.starts_with("chapters/")) {
        of_chapters += words_in(page.text);
        for (const std::size_t rows : tables_in(page.text)) BOOST_TEST(rows <= 20U, where);
        for (const std::string& paragraph :
             paragraphs_in(page.text.substr(0, page.text.find("\n## References"))))
          BOOST_TEST(numbers_in(paragraph).size() <= 9U, where << ": " << paragraph);
      }
      // GitHub shows no more of a page.
      BOOST_TEST(page.text.size() < 512'000U, where);
    }
    BOOST_TEST(of_chapters <= 30'000U, folder);
  }
  BOOST_TEST(fs::file_size(published / "REPORT.md") <= 45'000U);  // with its links to scripts
}

BOOST_AUTO_TEST_CASE(readme_answers_on_its_first_page) {
  const std::string readme = read_file(source / "README.md");
  BOOST_TEST(std::ranges::count(readme, '\n') <= 110);
  const std::string first = readme.substr(0, readme.find("\n## What you can do here"));
  BOOST_TEST(std::ranges::count(first, '\n') <= 40);
  BOOST_TEST(words_in(first) <= 400U);
}

BOOST_AUTO_TEST_CASE(the_answer_has_few_numbers) {
  for (const fs::path& folder : {published, golden})
    for (const std::string& paragraph : paragraphs_in(readme_block(folder)))
      if (!paragraph.starts_with("*") || paragraph.starts_with("**"))
        BOOST_TEST(numbers_in(paragraph).size() <= 4U, paragraph);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp::report
