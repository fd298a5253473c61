#include "reports/render/pages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "perp/base/error.hpp"
#include "perp/base/parallel.hpp"
#include "perp/io/file.hpp"
#include "perp/io/message.hpp"
#include "reports/render/claims.hpp"
#include "reports/render/data_table.hpp"
#include "reports/render/runs.hpp"
#include "reports/render/text.hpp"
#include "reports/render/tool.hpp"

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
      "# All findings\n\nEvery number of the main runs behind the claims of {}, with interval, theory or "
      "chance level and "
      "n. Those of longer runs stand in their results.json. "
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

namespace {

constexpr std::string_view source = "src=\"figures/";

/// Every src="figures/…" checked and, if `inside`, with the picture itself as its address. Pandoc could do
/// that too, at the cost of a third more bytes, and would fetch whatever else a text happened to name.
std::string with_pictures(std::string_view html, const Pictures& pictures, const Frame& frame) {
  constexpr std::size_t name_from = source.find('f');
  std::string out;
  std::size_t at = 0;
  for (std::size_t found; (found = html.find(source, at)) != html.npos;) {
    const std::size_t from = found + name_from, to = html.find('"', from);
    const std::string name(html.substr(from, to - from));
    const auto picture = pictures.find(name);
    if (picture == pictures.end()) fail("{} shows {}, which was not drawn", frame.name, in_quotes(name));
    out.append(html.substr(at, from - at))
        .append(frame.sheets.empty() ? data_address(picture->second) : name);
    at = to;
  }
  return out.append(html.substr(at));
}

/// Pictures for a phone, in <source srcset="…">: each is among `pictures`.
void check_phone_pictures(std::string_view html, const Pictures& pictures, const Frame& frame) {
  static const Pattern srcset("srcset=\"([^\"]*)\"");
  for (const std::string& name : srcset.all(html))
    if (!pictures.contains(name)) fail("{} shows {}, which was not drawn", frame.name, in_quotes(name));
}

/// The frame's variables as pandoc reads them in front of a text.
std::string metadata(const Frame& frame) {
  nlohmann::ordered_json variables;
  if (frame.sheets.empty()) variables["single"] = true;
  for (const Sheet& sheet : frame.sheets) {
    nlohmann::ordered_json entry{{"title", sheet.title}, {"file", sheet.file}};
    if (sheet.current) entry["current"] = true;
    if (sheet.result) entry["result"] = true;
    variables["pages"].push_back(std::move(entry));
  }
  return fmt::format("---\n{}\n---\n\n", variables.dump());
}

}  // namespace

std::string maths_for_pandoc(std::string_view markdown) {
  std::string out;
  std::size_t at = 0;
  for (std::size_t open; (open = markdown.find("$`", at)) != markdown.npos;) {
    const std::size_t close = markdown.find("`$", open + 2);
    if (close == markdown.npos) break;
    const bool escaped = open > 0 && markdown[open - 1] == '\\';
    out.append(markdown.substr(at, open - at));
    if (escaped)
      out.append(markdown.substr(open, 2)), at = open + 2;
    else
      out.append(fmt::format("${}$", markdown.substr(open + 2, close - open - 2))), at = close + 2;
  }
  return out.append(markdown.substr(at));
}

std::string data_address(std::string_view svg) {
  std::string out = "data:image/svg+xml,";
  for (const char c : svg) {
    if (c == '\n' || c == '\r' || c == '\t')
      out += ' ';  // an address has no line breaks; between attributes and words a blank means the same
    else if (c == '"')
      out += "%22";
    else if (std::string_view("%#<>&{}").find(c) != std::string_view::npos)
      out += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    else
      out += c;
  }
  return out;
}

std::optional<std::string> html_page(std::string_view markdown, const Pictures& pictures, const Frame& frame,
                                     const fs::path& html_templates) {
  for (const char* name : frame_files)
    require(fs::exists(html_templates / name), "no {} in {}", name, in_quotes(html_templates));
  std::vector<std::string> command = {"pandoc", "--fail-if-warnings", "--standalone", "--mathml"};
  for (const char* option : {"--from=gfm+tex_math_dollars+yaml_metadata_block", "--to=html5", "--toc",
                             "--toc-depth=3", "--data-dir=/dev/null"})
    command.emplace_back(option);
  command.push_back(fmt::format("--template={}", fs::absolute(html_templates / "page.html").string()));
  command.push_back(fmt::format("--lua-filter={}", fs::absolute(html_templates / "page.lua").string()));
  if (!frame.address.empty())  // as it is: among the variables above it would be read as Markdown
    for (const auto& [name, value] :
         {std::pair{"address", frame.address}, {"file", frame.name.substr(frame.name.find('/') + 1)}})
      command.push_back(fmt::format("--variable={}:{}", name, value));
  command.emplace_back("/dev/stdin");
  const Ended ended = run_tool(command, metadata(frame) + maths_for_pandoc(markdown), frame.name);
  if (!ended.found) return std::nullopt;
  const std::string line = ended.stderr_line();
  if (!ended.succeeded())
    fail("{}: pandoc {}", frame.name,
         line.empty() ? "stopped without a word" : fmt::format("says: {}", line));
  // Pandoc names every other row of a table, which nobody asks for: a fiftieth of a page of tables.
  const std::string html = replaced(replaced(ended.stdout_text, " class=\"odd\"", ""), " class=\"even\"", "");
  if (!html.starts_with("<!DOCTYPE html>") || !trim(html).ends_with("</html>"))
    fail("{}: pandoc wrote no complete page", frame.name);
  check_phone_pictures(html, pictures, frame);
  return with_pictures(html, pictures, frame);
}

}  // namespace perp::report
