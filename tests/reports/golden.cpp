// The published report word by word: what templates, blocks and formats make of numbers that do not move.
// After a change that is meant, render it again: the failing test says how. And what keeps the report something
// that people read: lengths of the paper, of tables, of README's first page, from the quick preset's golden
// results (tests/golden, tests/support/golden.hpp), too.

#include <algorithm>
#include <cctype>
#include <set>
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
    if (const fs::path file = folder / study / "results.json"; fs::exists(file))
      studies.push_back(results_from_json(read_file(file), file.string()));
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

namespace {

/// A passage of a template that stands under guards, and how it begins.
struct Guarded {
  std::string place, beginning;
  std::vector<std::string> guards;
};

std::vector<Guarded> guarded_passages() {
  std::vector<Guarded> found;
  static constexpr std::string_view opening = "{{#when ";
  const auto add_those_of = [&](const fs::path& folder) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".md") continue;
      const std::string text = read_file(entry.path());
      for (std::size_t at = text.find(opening); at != text.npos; at = text.find(opening, at + 1)) {
        const std::size_t from = at + opening.size(), to = text.find("}}", from);
        const std::string body = text.substr(to + 2, text.find_first_of("{[\n", to + 3) - to - 2);
        found.push_back({entry.path().lexically_relative(source), std::string(trim(body)),
                         split(text.substr(from, to - from), ',')});
      }
    }
  };
  add_those_of(own_sources().pages);
  add_those_of(own_sources().sections);
  return found;
}

/// Whether a number that is far above, or far below, lets the guard fail.
bool fails(const std::string& guard, bool above) {
  const std::vector<std::string> words = words_of(guard);
  return words.size() == 3 &&
         (words[1] == "within" || (words[1] == "below" && above) || (words[1] == "above" && !above));
}

}  // namespace

// Each number that a passage takes for granted comes out far otherwise, above and below: none of its passages stands then.
BOOST_AUTO_TEST_CASE(a_passage_goes_when_its_number_comes_out_otherwise) {
  const std::vector<Guarded> passages = guarded_passages();
  const auto text_of = [](const std::vector<Page>& pages) {
    std::string text;
    for (const Page& page : pages) text += page.text;
    return text;
  };
  const std::string before = text_of(pages_from(published));
  for (const bool above : {true, false}) {
    std::set<std::string> turned;
    for (const Guarded& passage : passages)
      for (const std::string& guard : passage.guards)
        if (fails(guard, above)) turned.insert(words_of(guard).front());
    std::vector<Results> studies = Facts(published).studies();
    for (Results& study : studies)
      for (Finding& finding : study.findings) {
        if (!turned.contains(finding.id)) continue;
        const bool share = finding.spread && finding.spread->share;
        finding.value = share ? (above ? 1 : 0) : (above ? 1e3 : -1e3);
        if (finding.low) finding.low = finding.high = finding.value;
      }
    for (Results& study : studies)
      for (Claim& claim : study.claims) claim.judgement = judge(study.findings, claim.rule);
    const Facts facts(published, std::move(studies));
    const std::string after = text_of(pages_of(facts, figures(), own_sources(), {}).list);
    const auto came_out_otherwise = [&](const std::string& guard) {
      if (!fails(guard, above)) return false;
      const Finding* finding =
          facts.finding(words_of(guard).front());  // nullptr, or a longer run's: as it was
      return finding && (finding->value == 0 || finding->value == 1 || std::abs(finding->value) == 1e3);
    };
    std::size_t gone = 0;
    for (const Guarded& passage : passages) {
      const bool fits = passage.beginning.size() > 12 && before.find(passage.beginning) != before.npos &&
                        std::ranges::any_of(passage.guards, came_out_otherwise);
      if (!fits) continue;
      BOOST_TEST((after.find(passage.beginning) == after.npos),
                 passage.place << ": '" << passage.beginning << "' still stands");
      ++gone;
    }
    BOOST_TEST(gone > 10U, gone);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(limits)

BOOST_AUTO_TEST_CASE(words_rows_and_identifiers_are_counted_as_a_reader_does) {
  BOOST_TEST(
      words_in("Two [words](a/b_c d.md) · <img alt=\"not these\">\n| x | – | 3 |\n| :--- | ---: |\n") == 4U);
  BOOST_TEST((tables_in("a\n| h |\n| - |\n| 1 |\n| 2 |\n\n| h |\n| - |\n| 1 |\n") ==
              std::vector<std::size_t>{2, 1}));
  BOOST_TEST((paragraphs_in("# 1\n\n*2 of\n3*\n\n| 4 |\n\n*Of 5.*\n\n<img>\n\n**Figure 6.** 7\n\n* 8\n* 9\n\n"
                            "**Table 1.** 10\n\n11\n") ==
              std::vector<std::string>{"*2 of\n3*\n", "* 8\n", "* 9\n", "11\n"}));
  BOOST_TEST((numbers_in("(12%) of −0.3 [0.9, 1.1], GPT-2, 1/d, `5`, (Figure 1), section 2, \\[[3](#a), "
                         "[4](#b)\\], [5 things](#c)") ==
              std::vector<std::string>{"(12%)", "−0.3", "[0.9,", "1.1],", "[5"}));
  BOOST_TEST(
      codes_in("| bite | 1 |\n| x | copy2, then `copy2` | [a](as_is.md) <b bite>|\n5 % of a bite").size() ==
      3U);
  BOOST_TEST(codes_in("| who bit whom | 5% | copy20 |").empty());
}

BOOST_AUTO_TEST_CASE(sentences_are_parted_where_a_reader_parts_them) {
  BOOST_TEST(
      words_a_sentence("# Not this. Nor this\n\n**Two words.** Then [of al. three](x. Y). “Is it?” Yes.\n\n"
                       "* One, 1.5 d.\n* Two `x. Y` more\n") == (std::vector<std::size_t>{2, 4, 2, 1, 3, 2}),
      boost::test_tools::per_element());
}

/// On every page whose text is ours: half of all sentences have at most 16 words, none more than 40.
BOOST_AUTO_TEST_CASE(sentences_are_short) {
  for (const fs::path& folder : {published, golden})
    for (const Page& page : pages_from(folder)) {
      if (page.file != "REPORT.md" && !page.file.starts_with("chapters/")) continue;
      const char* end =
          page.file == "chapters/rules.md" ? "\n## " : "\n## References";  // claims are quoted there
      std::vector<std::size_t> lengths = words_a_sentence(page.text.substr(0, page.text.find(end)));
      std::ranges::sort(lengths);
      BOOST_TEST(lengths.at(lengths.size() / 2) <= 16U, (folder / page.file));
      BOOST_TEST(lengths.back() <= 40U, (folder / page.file));
    }
}

// From the golden results alone: what is published is as old as its run.
BOOST_AUTO_TEST_CASE(no_page_shows_identifiers_or_a_second_form_of_percent) {
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
        BOOST_TEST(words_in(body) <= 4'000U, where);
        BOOST_TEST(words_in(page.text.substr(0, page.text.find("\n## 2 "))) <= 900U, where);
        BOOST_TEST(times(page.text, "\n**Figure ") <= 10U, where);
        BOOST_TEST(tables_in(page.text).size() <= 4U, where);
        for (const std::string& paragraph : paragraphs_in(body))
          BOOST_TEST(numbers_in(paragraph).size() <= 4U, where << ": " << paragraph);
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
}

// As it was published, with its links to scripts.
BOOST_AUTO_TEST_CASE(the_published_paper_is_no_longer_than_it_may_be) {
  BOOST_TEST(fs::file_size(published / "REPORT.md") <= 45'000U);
}

BOOST_AUTO_TEST_CASE(readme_answers_on_its_first_page) {
  const std::string readme = read_file(source / "README.md");
  BOOST_TEST(std::ranges::count(readme, '\n') <= 110);
  const std::string first = readme.substr(0, readme.find("\n## What you can do here"));
  BOOST_TEST(std::ranges::count(first, '\n') <= 40);
  BOOST_TEST(words_in(first) <= 400U);
}

BOOST_AUTO_TEST_CASE(the_answer_says_why_and_yes_and_has_few_numbers) {
  for (const fs::path& folder : {published, golden}) {
    const std::string answer = readme_block(folder);
    BOOST_TEST(answer.starts_with("**Because "), folder);
    BOOST_TEST(answer.substr(0, answer.find("\n\n")).find("yes, what enters the model is exactly x + p") !=
                   answer.npos,
               folder);
    for (const std::string& paragraph : paragraphs_in(answer))
      if (!paragraph.starts_with("*") || paragraph.starts_with("**"))
        BOOST_TEST(numbers_in(paragraph).size() <= 4U, paragraph);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace perp::report
