#include <map>

#include "perp/base/error.hpp"
#include "perp/io/file.hpp"
#include "perp/io/message.hpp"
#include "reports/claims.hpp"
#include "reports/data_table.hpp"
#include "reports/escape.hpp"
#include "reports/expand.hpp"
#include "reports/ledger.hpp"
#include "reports/machine.hpp"
#include "reports/page.hpp"
#include "reports/readme.hpp"
#include "reports/render.hpp"

namespace perp::report {
namespace {

namespace fs = std::filesystem;
using Files = std::map<fs::path, std::string>;

/// The studies in the order in which report.md includes them.
std::vector<std::string> study_order(const fs::path& report) {
  std::vector<std::string> order;
  for (const Piece& piece : scan(read_file(report), report.string()))
    if (const std::vector<std::string> words = words_of(piece.text); piece.is_tag && words.size() == 2)
      if (words.front() == "study") order.push_back(words.back());
  return order;
}

void check_all_printed(const Facts& facts, const std::set<std::string, std::less<>>& printed,
                       const fs::path& report) {
  for (const Results& study : facts.studies())
    for (const Claim& claim : study.claims)
      for (const std::string& id : claim.findings)
        require(printed.contains(id),
                "{}: claim {} has the finding '{}', which no template prints; "
                "{{{{findings {}}}}} in {}/{}.md prints them all",
                report.string(), claim.id, id, claim.id, study.study, claim.id);
}

/// FINDINGS.md: every finding of every claim, on a page of their own, since GitHub shows no more than half a
/// megabyte of one.
std::string findings_markdown(const Facts& facts) {
  std::string text =
      "# All findings\n\nEvery number behind the claims of [REPORT.md](REPORT.md), with interval, theory or "
      "chance level and n. A meaning that several share is said at the first and numbered.\n";
  for (const Results& study : facts.studies())
    for (const Claim* claim : in_order(study))
      text += fmt::format("\n## {}\n\n{} {}\n\n{}", claim->id, escape_markdown(claim->statement),
                          escape_markdown(claim->source), findings_table(facts, claim->id));
  return text;
}

void draw_all(Files& files, const RenderOptions& options, const std::vector<Figure>& figures,
              const Facts& facts) {
  Expander expander(facts, figures, options.templates);
  for (const Figure& figure : figures) {
    if (!is_drawable(figure, facts)) continue;
    files[options.out / "figures" / (figure.name + ".svg")] = draw(figure, Theme::light, facts, expander);
    files[options.out / "figures" / (figure.name + "-dark.svg")] = draw(figure, Theme::dark, facts, expander);
    files[options.out / "figures" / (figure.name + ".gp")] = read_file(figure.script);
  }
}

/// "reports/out/" as seen from the README's folder.
std::string link_base(const RenderOptions& options) {
  const fs::path from = fs::weakly_canonical(fs::absolute(options.readme)).parent_path();
  const std::string base =
      fs::weakly_canonical(fs::absolute(options.out)).lexically_relative(from).generic_string();
  return base == "." ? "" : base + "/";
}

void add_readme(Files& files, const RenderOptions& options, const std::vector<Figure>& figures,
                const Facts& facts) {
  Expander expander(facts, figures, options.templates, link_base(options));
  const std::string readme = read_file(options.readme),
                    block = expander.file(options.templates / "readme.md");
  const std::string current = with_block(readme, block, options.readme.string());
  if (options.check_readme && current != readme)
    fail("{}: its generated block is not current; render with --readme and without --check-readme",
         in_quotes(options.readme));
  if (current != readme) files[options.readme] = current;
}

/// report.html, once all pictures are drawn; false without pandoc.
bool add_page(Files& files, const RenderOptions& options, std::string_view text) {
  Pictures pictures;
  for (const auto& [path, bytes] : files)
    if (path.extension() == ".svg") pictures[fmt::format("figures/{}", path.filename().string())] = bytes;
  auto html = html_page(text, pictures, options.templates / "html");
  if (html) files[options.out / "report.html"] = std::move(*html);
  return html.has_value();
}

/// Once everything else is written: no page with older numbers stays beside it.
std::string remove_older_page(const RenderOptions& options) {
  std::error_code error;
  const bool older = fs::remove(options.out / "report.html", error);
  if (error) fail("cannot remove the older {}: {}", in_quotes(options.out / "report.html"), error.message());
  return fmt::format("report.html left out{}: pandoc is not installed (sudo apt-get install pandoc)",
                     older ? ", the older one removed" : "");
}

}  // namespace

Rendered render(const RenderOptions& options) {
  require(!options.check_readme || !options.readme.empty(), "--check-readme needs --readme FILE");
  Facts facts(options.results);
  const std::vector<Figure> figures = read_figures(options.figures);
  Files files;
  Rendered rendered;
  std::string page_text;
  if (!options.only_figures) {
    const fs::path report = options.templates / "report.md";
    facts.arrange(study_order(report));
    Expander expander(facts, figures, options.templates);
    std::string markdown = expander.file(report);
    check_all_printed(facts, expander.printed(), report);
    if (!options.readme.empty()) add_readme(files, options, figures, facts);
    if (options.check_readme) return {};
    page_text = Expander(facts, figures, options.templates, "", Form::page).file(report);
    files[options.out / "REPORT.md"] = std::move(markdown);
    files[options.out / "FINDINGS.md"] = findings_markdown(facts);
    files[options.out / "MACHINE.md"] = machine_markdown(facts);
    files[options.out / "ledger.csv"] = ledger_csv(facts);
    files[options.out / "conditions.csv"] = conditions_csv(facts);
  }
  draw_all(files, options, figures, facts);
  const bool without_page = !options.only_figures && !add_page(files, options, page_text);
  make_folders(options.out / "figures");
  for (const auto& [path, bytes] : files) rendered.files.push_back(path);
  write_together({files.begin(), files.end()});
  if (without_page) rendered.note = remove_older_page(options);
  return rendered;
}

}  // namespace perp::report
