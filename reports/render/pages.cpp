#include "reports/render/pages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "perp/base/parallel.hpp"
#include "perp/io/file.hpp"
#include "reports/render/claims.hpp"
#include "reports/render/data_table.hpp"
#include "reports/render/escape.hpp"
#include "reports/render/machine.hpp"

namespace perp::report {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> named(const fs::path& report, std::initializer_list<std::string_view> directives) {
  std::vector<std::string> studies;
  for (const Piece& piece : scan(read_file(report), report.string()))
    if (const std::vector<std::string> words = words_of(piece.text); piece.is_tag && words.size() == 2)
      if (std::ranges::find(directives, words.front()) != directives.end()) studies.push_back(words.back());
  return studies;
}

/// "# Order: what a Transformer knows" -> "Order"
std::string title_of(const std::string& text, const std::string& file, const fs::path& templates) {
  require(text.starts_with("# ") || text.find("\n# ") != text.npos,
          "{}: its template in {} has no heading; expected a first line '# …'", file, templates.string());
  const std::size_t from = text.starts_with("# ") ? 2 : text.find("\n# ") + 3,
                    end = std::min(text.find('\n', from), text.size());
  return text.substr(from, std::min(text.find(':', from), end) - from);
}

/// Every finding of every claim, on a page of their own, since GitHub shows no more than half a megabyte of
/// one.
std::string all_findings(const Facts& facts, const Links& links) {
  std::string text = fmt::format(
      "# All findings\n\nEvery number behind the claims of {}, with interval, theory or chance level and n. "
      "A meaning that several share is said at the first and numbered.\n",
      links.label("the report", "REPORT.md"));
  for (const Results& study : facts.studies())
    for (const Claim* claim : in_order(study)) {
      if (claim->findings.empty()) continue;
      text += fmt::format("\n## {}\n\n{} {}\n\n{}", claim->id,
                          links.label(escape_markdown(claim->statement), "#" + anchor(claim->id)),
                          escape_markdown(claim->source), findings_table(facts, claim->id));
    }
  return text;
}

/// Headings a level lower, for a page that becomes a part of another.
std::string lowered(const std::string& text) {
  std::string out;
  bool code = false;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t to = std::min(text.find('\n', from), text.size() - 1) + 1;
    const std::string_view line = std::string_view(text).substr(from, to - from);
    if (line.starts_with("```")) code = !code;
    if (line.starts_with("#") && !code) out += '#';
    out += line;
    from = to;
  }
  return out;
}

/// One page that holds all others, each behind a place of its own.
Page joined(const std::vector<Page>& pages) {
  Page all = pages.front();
  for (const Page& page : pages)
    if (&page != &pages.front())
      all.text +=
          fmt::format("\n<a id=\"{}\"></a>\n\n{}", fs::path(page.file).stem().string(), lowered(page.text));
  return all;
}

/// The way to the other pages, above a chapter of a repository; pages for a browser have theirs in the frame.
std::string way(const std::vector<Page>& pages, const Page& here, const Links& links) {
  std::vector<std::string> titles;
  for (const Page& page : pages)
    titles.push_back(&page == &here ? page.title : links.label(page.title, page.file));
  return fmt::format("{}\n\n", fmt::join(titles, " · "));
}

}  // namespace

std::vector<std::string> studies_named(const fs::path& report) { return named(report, {"study", "chapter"}); }
std::vector<std::string> chapters_named(const fs::path& report) { return named(report, {"chapter"}); }

/// A page of a site beside the report itself.
struct Further {
  std::string file, title;
  std::function<std::string(Expander&)> text;
};

/// Those that there are: written by another verb, by hand, from a template, from the runs.
std::vector<Further> further_pages(const Facts& facts, const fs::path& templates) {
  std::vector<Further> found;
  const auto given = [&](const char* file, const char* title, const fs::path& path) {
    if (fs::exists(path))
      found.push_back({file, title, [path](Expander& expander) { return expander.given(read_file(path)); }});
  };
  given("BENCHMARKS.md", "Benchmarks", facts.folder() / "BENCHMARKS.md");
  given("TRUST.md", "What was checked", templates / "../../docs/TRUST.md");
  if (const fs::path path = templates / "artifact.md"; fs::exists(path))
    found.push_back({"ARTIFACT.md", "Commands", [path](Expander& expander) { return expander.file(path); }});
  found.push_back({"MACHINE.md", "Machine", [&](Expander&) { return machine_markdown(facts); }});
  return found;
}

Pages pages_of(const Facts& facts, const std::vector<Figure>& figures, const Sources& sources,
               Layout layout) {
  Pages pages;
  layout.chapters = chapters_named(sources.pages / "report.md");
  std::vector<std::string> results;
  std::vector<Further> further;
  if (layout.form == Form::site) further = further_pages(facts, sources.pages);
  for (const Further& page : further) layout.beside.push_back(page.file);
  const auto add = [&](const std::string& file, const auto& text_from) {
    expect_no_interrupt();
    Expander expander(facts, figures, sources, Links(facts, layout, file));
    std::string text = text_from(expander);
    pages.left_out.insert(pages.left_out.end(), expander.left_out().begin(), expander.left_out().end());
    results.insert(results.end(), expander.results().begin(), expander.results().end());
    if (!text.empty()) pages.list.push_back({file, title_of(text, file, sources.pages), std::move(text)});
  };
  add("REPORT.md", [&](Expander& expander) { return expander.file(sources.pages / "report.md"); });
  pages.list.front().title = "Report";
  for (const std::string& name : std::vector(results)) {
    const std::string file = fmt::format("results/{}.md", name);
    add(file, [&](Expander& expander) { return expander.file(sources.pages / file); });
  }
  for (const std::string& study : layout.chapters)
    add(fmt::format("chapters/{}.md", study), [&](Expander& expander) { return expander.study(study); });
  if (fs::exists(sources.pages / "rules.md"))
    add("chapters/rules.md", [&](Expander& expander) { return expander.file(sources.pages / "rules.md"); });
  if (layout.form == Form::single) {
    pages.list = {joined(pages.list)};
    return pages;
  }
  pages.list.push_back(
      {"FINDINGS.md", "All findings", all_findings(facts, Links(facts, layout, "FINDINGS.md"))});
  if (layout.form == Form::site) {
    for (const Further& page : further) {
      add(page.file, page.text);
      pages.list.back().title = page.title;
    }
    return pages;
  }
  const std::vector<Page> ways = pages.list;
  for (Page& page : pages.list)
    if (page.file.starts_with("chapters/"))
      page.text =
          way(ways, *std::ranges::find(ways, page.file, &Page::file), Links(facts, layout, page.file)) +
          page.text;
  if (fs::exists(sources.pages / "artifact.md"))
    add("ARTIFACT.md", [&](Expander& expander) { return expander.file(sources.pages / "artifact.md"); });
  return pages;
}

}  // namespace perp::report
