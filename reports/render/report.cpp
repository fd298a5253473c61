#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "perp/base/error.hpp"
#include "perp/base/parallel.hpp"
#include "perp/io/file.hpp"
#include "perp/io/message.hpp"
#include "perp/io/written.hpp"
#include "reports/render/claims.hpp"
#include "reports/render/pages.hpp"
#include "reports/render/render.hpp"
#include "reports/render/runs.hpp"
#include "reports/render/text.hpp"

namespace perp::report {
namespace {

namespace fs = std::filesystem;
using Files = std::map<fs::path, std::string>;

/// Those of a claim wherever they are shown; those of none where a page shows them.
Pictures draw_all(const RenderOptions& options, const std::vector<Figure>& figures, const Facts& facts,
                  const Pages& pages) {
  Expander expander(facts, figures, options.sources);
  Pictures pictures;
  for (const Figure& figure : figures) {
    const std::string name = fmt::format("figures/{}", figure.name);
    const auto shows = [&](const Page& page) { return page.text.find(name + ".svg") != page.text.npos; };
    if (!is_drawable(figure, facts) || (figure.claim.empty() && std::ranges::none_of(pages.list, shows)))
      continue;
    pictures[name + ".svg"] = draw(figure, facts, expander);
    if (figure.has_phone()) pictures[phone_picture(name)] = draw(on_phone(figure), facts, expander);
  }
  return pictures;
}

fs::path place(const fs::path& path) { return fs::weakly_canonical(fs::absolute(path)); }

/// "reports/out/" as seen from the README's folder.
std::string link_base(const RenderOptions& options) {
  const std::string base =
      place(options.out).lexically_relative(place(options.readme).parent_path()).generic_string();
  return base == "." ? "" : base + "/";
}

/// Whether one folder is the other or lies in it.
bool lies_in(const fs::path& inner, const fs::path& outer) {
  const std::string way = place(inner).lexically_relative(place(outer)).generic_string();
  return way == "." || !way.starts_with("..");
}

/// Figures lead to their scripts where the report lies beside these, as in the repository: the report's folder, or none.
fs::path scripts_beside(const RenderOptions& options) {
  const fs::path at = place(options.at.empty() ? options.out : options.at), above = at.parent_path();
  const bool is_beside = place(options.sources.style).parent_path() == above &&
                         lies_in(options.sources.sections, above.parent_path());
  return is_beside ? at : "";
}

/// What the README is to have between its marks.
std::string readme_block(const RenderOptions& options, const std::vector<Figure>& figures,
                         const Facts& facts) {
  const Layout layout{Form::github, chapters_named(options.sources.pages / "report.md"), ""};
  Expander expander(facts, figures, options.sources, Links(facts, layout, "", link_base(options)));
  return expander.file(options.sources.pages / "readme.md");
}

/// Pictures that another verb drew and left beside the report, such as a bench's.
void add_given_pictures(Pictures& pictures, const Pages& pages, const fs::path& results) {
  static const Pattern source("src=\"(figures/bench-[^\"]*)\"");
  for (const Page& page : pages.list)
    for (const std::string& name : source.all(page.text))
      if (fs::exists(results / name) && !pictures.contains(name)) pictures[name] = read_file(results / name);
}

/// What a page of a site links to beside other pages: tables and scripts, by their names in the site.
void add_linked(Files& files, std::string_view html, const RenderOptions& options,
                const std::vector<Figure>& figures) {
  const fs::path site = options.out / "site";
  for (const Figure& figure : figures)
    if (const std::string name = fmt::format("scripts/{}.gp", figure.name);
        html.find(fmt::format("href=\"{}\"", name)) != html.npos)
      files[site / name] = read_file(figure.script);
  static const Pattern table("href=\"tables/([^\"#]*)");
  for (const std::string& name : table.all(html)) {
    const auto written = files.find(options.out / name);  // in this run, such as ledger.csv
    const std::string bytes = written != files.end() ? written->second : read_file(options.results / name);
    files[site / "tables" / name] = bytes;
  }
}

/// site/, and report.html if asked for; false without pandoc.
bool add_html(Files& files, const RenderOptions& options, const std::vector<Figure>& figures,
              const Pages& site, const Pages& single, Pictures pictures) {
  const fs::path html = options.sources.pages / "html";
  const auto file_of = [](const Page& page) { return Links::html_of(page.file); };
  add_given_pictures(pictures, site, options.results);
  for (const Page& page : site.list) {
    Frame frame{fmt::format("site/{}", file_of(page)), {}, options.address};
    for (const Page& other : site.list)
      frame.sheets.push_back(
          {other.title, file_of(other), &other == &page, other.file.starts_with("results/")});
    auto text = html_page(page.text, pictures, frame, html);
    if (!text) return false;
    add_linked(files, *text, options, figures);
    files[options.out / frame.name] = std::move(*text);
  }
  for (const auto& [name, svg] : pictures) files[options.out / "site" / name] = svg;
  if (!site.list.empty())
    for (const char* name : beside_pages) files[options.out / "site" / name] = read_file(html / name);
  for (const Page& page : single.list)
    files[options.out / "report.html"] = html_page(page.text, pictures, {"report.html", {}}, html).value();
  return true;
}

/// What earlier runs wrote: pages and figures, not results, nor the pages of other verbs.
Written written_by_reports(const RenderOptions& options) { return {options.out, "REPORT.md"}; }

/// "A7" of "measured A7.loss.d32|A7.loss.d64"
std::set<std::string> claims_in(const std::string& guard) {
  static const Pattern claim("([A-Z][0-9]+)[.]");
  const std::vector<std::string> all = claim.all(guard);
  return {all.begin(), all.end()};
}

/// A line for each passage whose number came out otherwise, once for all pages that have it; one for all that were not
/// measured.
std::vector<std::string> left_out_lines(const std::vector<LeftOut>& passages) {
  std::vector<std::string> lines;
  std::set<std::string> places, claims;
  for (const LeftOut& passage : passages) {
    if (passage.why.empty()) {
      places.insert(passage.place), claims.merge(claims_in(passage.guard));
      continue;
    }
    std::string line = fmt::format("left out: {}, since '{}' {}{}", passage.place, passage.guard,
                                   passage.why.starts_with("does") ? "" : "came out ", passage.why);
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
  }
  if (!places.empty())
    lines.push_back(fmt::format("left out: {} passages on what was not measured here, of {}", places.size(),
                                fmt::join(claims, ", ")));
  return lines;
}

void add_markdown(Files& files, const RenderOptions& options, const Pages& github) {
  for (const Page& page : github.list) files[options.out / page.file] = page.text;
}

void add_pictures(Files& files, const RenderOptions& options, const Pictures& pictures) {
  for (const auto& [name, svg] : pictures)
    if (!is_phone_picture(name)) files[options.out / name] = svg;  // only a site has the others
}

Pages pages_in(Form form, const RenderOptions& options, const std::vector<Figure>& figures,
               const Facts& facts) {
  return pages_of(facts, figures, options.sources, {form, {}, scripts_beside(options)});
}

std::size_t only_place_of(std::string_view marker, std::string_view text, std::string_view name) {
  const std::size_t at = text.find(marker);
  require(at != text.npos, "{}: has no {}", name, marker);
  require(text.find(marker, at + 1) == text.npos, "{}: has {} twice", name, marker);
  return at;
}

}  // namespace

std::string with_block(std::string_view readme, std::string_view block, std::string_view name) {
  const std::size_t begin = only_place_of(readme_begin, readme, name);
  const std::size_t end = only_place_of(readme_end, readme, name);
  require(begin < end, "{}: {} stands behind {}", name, readme_begin, readme_end);
  std::string lines = fmt::format("\n\n{}", block);
  while (!lines.ends_with("\n\n")) lines += '\n';
  // Lines end as the first one does.
  if (readme.substr(0, readme.find('\n')).ends_with('\r')) lines = replaced(lines, "\n", "\r\n");
  return fmt::format("{}{}{}", readme.substr(0, begin + readme_begin.size()), lines, readme.substr(end));
}

void expect_no_source(const RenderOptions& options) {
  expect_no_checkout(options.out);
  for (const fs::path& source :
       {options.sources.pages, options.sources.sections, options.out / "pages/report.md"})
    require(!fs::exists(source) || (!lies_in(source, options.out) && !lies_in(options.out, source)),
            "cannot write a report into {}: {} is what reports are made of; expected a folder of its own",
            in_quotes(options.out), in_quotes(source.lexically_normal()));
}

void expect_means(const RenderOptions& options) {
  static_cast<void>(read_file(options.sources.pages / "report.md"));
  expect_gnuplot();
}

void expect_place(const RenderOptions& options, const std::vector<std::string>& studies) {
  expect_no_source(options);
  std::vector<std::string> names{"figures/", "site/", "site/figures/", "site/tables/", "site/scripts/"},
      pages = studies;
  for (const Figure& figure : read_figures(options.sources))
    if (figure.name.starts_with("report-") || std::ranges::any_of(studies, [&](const std::string& study) {
          return figure.name.starts_with(study + "-");
        }))
      for (const std::string& name : {fmt::format("figures/{}.svg", figure.name),
                                      phone_picture(fmt::format("figures/{}", figure.name))})
        names.insert(names.end(), {name, "site/" + name});
  if (!options.only_figures) {
    names.insert(names.end(),
                 {"REPORT.md", "FINDINGS.md", "ARTIFACT.md", "MACHINE.md", "ledger.csv", "conditions.csv",
                  "chapters/", "site/tables/ledger.csv", "site/tables/conditions.csv"});
    for (const std::string& study : studies) names.push_back(study + "/");
    for (const char* name : beside_pages) names.push_back(fmt::format("site/{}", name));
    pages.emplace_back("rules");
    for (const std::string& page : pages) names.push_back(fmt::format("chapters/{}.md", page));
    pages.insert(pages.end(), {"index", "findings", "artifact", "machine", "trust", "benchmarks"});
    std::error_code none;
    for (const fs::directory_entry& entry : fs::directory_iterator(options.sources.pages / "results", none))
      pages.push_back(entry.path().stem());
    for (const std::string& page : pages) names.push_back(fmt::format("site/{}.html", page));
  }
  written_by_reports(options).expect(names);
}

std::map<fs::path, std::string> render_in_memory(const RenderOptions& options) {
  Facts facts(options.results);
  const std::vector<Figure> figures = read_figures(options.sources);
  facts.arrange(studies_named(options.sources.pages / "report.md"));
  const Pages github = pages_in(Form::github, options, figures, facts);
  Files files;
  add_markdown(files, options, github);
  add_pictures(files, options, draw_all(options, figures, facts, github));
  return files;
}

Rendered render(const RenderOptions& options) {
  require(!options.check_readme || !options.readme.empty(), "--check-readme needs --readme FILE");
  Facts facts(options.results);
  const std::vector<Figure> figures = read_figures(options.sources);
  Files files;
  std::string block;
  Rendered rendered;
  Pages github, site, single;
  if (!options.only_figures) {
    facts.arrange(studies_named(options.sources.pages / "report.md"));
    github = pages_in(Form::github, options, figures, facts);
    if (!options.readme.empty()) {
      // A rename would replace it all the same.
      const bool may_be_written =
          (fs::status(options.readme).permissions() &
           (fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write)) != fs::perms::none;
      require(options.check_readme || may_be_written,
              "{} may only be read (its mode says so); chmod u+w first", in_quotes(options.readme));
      block = readme_block(options, figures, facts);
      const std::string now = read_file(options.readme);
      if (with_block(now, block, options.readme.string()) != now && options.check_readme)
        fail("{}: its generated block is not current; render with --readme and without --check-readme",
             in_quotes(options.readme));
    }
    if (options.check_readme) return {};
    rendered.left_out = left_out_lines(github.left_out);
    site = pages_in(Form::site, options, figures, facts);
    if (options.single) single = pages_in(Form::single, options, figures, facts);
    add_markdown(files, options, github);
    files[options.out / "MACHINE.md"] = machine_markdown(facts);
    Expander plain(facts, figures, options.sources);
    files[options.out / "ledger.csv"] =
        ledger_csv(facts, [&](const Claim& claim) { return plain.said(claim, Target::plain); });
    files[options.out / "conditions.csv"] = conditions_csv(facts);
  }
  std::vector<std::string> studies;
  for (const Results& study : facts.studies()) studies.push_back(study.study);
  expect_place(options, studies);
  const Pictures pictures = draw_all(options, figures, facts, github);
  add_pictures(files, options, pictures);
  const bool any_site = !options.only_figures || fs::exists(options.out / "site");
  const bool with_html = any_site && add_html(files, options, figures, site, single, pictures);
  expect_no_interrupt();
  // Read again: somebody may have written there while all of this was drawn.
  NamedBytes readme;
  const std::string now = block.empty() ? "" : read_file(options.readme);
  if (!block.empty())
    if (std::string text = with_block(now, block, options.readme.string()); text != now)
      readme.emplace_back(fs::canonical(options.readme), std::move(text));  // a link stays one
  const std::vector<fs::path> removed =
      written_by_reports(options).write({files.begin(), files.end()}, !options.only_figures, readme, [&] {
        require(readme.empty() || read_file(options.readme) == now,
                "{} was changed just now; the same command starts again", in_quotes(options.readme));
      });
  for (const auto& [path, bytes] : files) rendered.files.push_back(path);
  for (const auto& [path, bytes] : readme) rendered.files.push_back(path);
  if (options.only_figures || with_html) return rendered;
  const bool any =
      std::ranges::any_of(removed, [](const fs::path& path) { return path.extension() == ".html"; });
  rendered.note = fmt::format("site/ left out{}: pandoc is not installed (sudo apt-get install pandoc)",
                              any ? ", the older one removed" : "");
  return rendered;
}

}  // namespace perp::report
