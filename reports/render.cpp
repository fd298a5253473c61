// build/reports/render: turns what the studies wrote into the report. It measures nothing.
//
//   reports/out/<study>/{results.json, *.csv, run.json, timings.json}      what it reads
//   reports/templates/*.md   reports/figures/*.gp                          how it looks (docs/TEMPLATES.md)
//   reports/out/{REPORT.md, chapters/, FINDINGS.md, ARTIFACT.md, MACHINE.md, ledger.csv, conditions.csv,
//                figures/, site/, report.html}                              what it writes, whole or not
//
//   facts               reads results, judges every claim again, refuses what disagrees
//   scanner, expand     fill the templates in; an unknown or unused number is an error with file and line
//   data_table, ledger, claims, artifact   what directives print
//   number, escape      numbers and foreign text as people may read them
//   links, bibliography how pages link to one another, and what they cite
//   pages               the report's pages, in each form
//   figure, draw, themes    gnuplot, light and dark in one SVG
//   page                pages for a browser, by pandoc
//   machine, readme     MACHINE.md, the README's block

#include "reports/render.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "perp/io/message.hpp"
#include "perp/io/program.hpp"
#include "perp/study/provenance.hpp"
#include "reports/summary.hpp"
#include "reports/unread.hpp"

namespace {

constexpr const char* about =
    "Renders the report from what the studies wrote. Nothing is measured here: it takes seconds and may be\n"
    "repeated after any change of a template or figure script (docs/TEMPLATES.md).";

constexpr const char* examples =
    "Examples\n"
    "  render                                    reports/out -> REPORT.md, chapters/, FINDINGS.md, "
    "MACHINE.md, "
    "ledger.csv, figures/, site/\n"
    "  render --single                           report.html, too: all pages as one file\n"
    "  render --only-figures                     after a change of a figure script\n"
    "  render --out reports/published --readme README.md\n"
    "  render --readme README.md --check-readme  exit 1 if the README's block is not current\n"
    "\nWithout pandoc site/ and report.html are left out and a line says so. gnuplot and pandoc are stopped "
    "after 300 s\n(PERP_TOOL_SECONDS=600 allows more). Exit codes: 0 done, 1 failed, 2 "
    "unusable "
    "input or options.";

int run(int argc, char** argv) {
  perp::report::RenderOptions options;
  CLI::App app(about, "render");
  app.footer(examples);
  app.set_version_flag("--version", fmt::format("render {}", perp::version()));
  app.add_option("--results", options.results, "Folder of the studies' results")
      ->type_name("DIR")
      ->check(perp::wrong_folder)
      ->capture_default_str();
  app.add_option("--templates", options.templates, "Folder of the templates")
      ->type_name("DIR")
      ->check(perp::wrong_folder)
      ->capture_default_str();
  app.add_option("--figures", options.figures, "Folder of the figure scripts")
      ->type_name("DIR")
      ->check(perp::wrong_folder)
      ->capture_default_str();
  app.add_option("--out", options.out, "Folder that receives the report")
      ->type_name("DIR")
      ->check(perp::wrong_folder)
      ->capture_default_str();
  app.add_option("--at", options.at, "Folder where the report will lie, for its links; default: --out")
      ->type_name("DIR")
      ->check(perp::wrong_folder);
  app.add_option("--readme", options.readme, "File whose generated block to rewrite from readme.md")
      ->type_name("FILE");
  app.add_flag("--check-readme", options.check_readme,
               "Only check that the block of --readme is current; write nothing");
  app.add_flag("--single", options.single, "Write report.html, all pages as one file, too");
  app.add_flag("--only-figures", options.only_figures, "Draw the figures and nothing else");
  bool unread = false;
  app.add_flag("--unread", unread,
               "Only list findings, tables and columns that no template, figure or rule reads; exit 1 if "
               "there is one");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    perp::print_data(app.help());
    return 0;
  } catch (const CLI::CallForVersion& asked) {
    perp::print_data(fmt::format("{}\n", asked.what()));
    return 0;
  } catch (const CLI::ParseError& error) {
    perp::talk("render: {}; render --help explains\n", perp::on_one_line(error.what()));
    return 2;
  }
  if (unread) {
    const std::vector<std::string> names = perp::report::unread(
        perp::report::Facts(options.results), perp::report::read_figures(options.figures), options.templates);
    for (const std::string& name : names) perp::print_data(name + "\n");
    return names.empty() ? 0 : 1;
  }
  const perp::report::Rendered rendered = perp::report::render(options);
  const std::size_t files = rendered.files.size();
  if (!rendered.note.empty()) perp::talk("render: {}\n", rendered.note);
  perp::talk("render: {} files in {}\n", files, perp::on_one_line(options.out.string()));
  if (files > 0 && !options.only_figures)
    perp::talk("{}report: {}\n", perp::report::summary(perp::report::Facts(options.results)),
               perp::on_one_line((options.out / "REPORT.md").string()));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return perp::run_program("render", [&] { return run(argc, argv); });
}
