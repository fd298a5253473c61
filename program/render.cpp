// `perp render`: turns what the studies wrote into the report. It measures nothing.
//
//   reports/out/<study>/{results.json, *.csv, run.json, timings.json}      what it reads
//   reports/pages/   studies/<study>/{chapter.md, o1.md, o1-spread.gp}      how it looks (docs/TEMPLATES.md)
//   reports/out/{REPORT.md, chapters/, FINDINGS.md, ARTIFACT.md, MACHINE.md, ledger.csv, conditions.csv,
//                figures/, site/, report.html}                              what it writes, whole or not

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "perp/base/error.hpp"
#include "perp/base/parallel.hpp"
#include "perp/io/message.hpp"
#include "perp/io/program.hpp"
#include "perp/io/written.hpp"
#include "program/folders.hpp"
#include "program/words.hpp"
#include "reports/render/runs.hpp"

namespace perp::program {
namespace {

constexpr std::string_view about =
    "Renders the report from what the studies wrote. Nothing is measured here: it takes less than a minute "
    "and may be "
    "repeated after any change of a template or figure script (docs/TEMPLATES.md).";

constexpr std::string_view examples =
    "  perp render                               REPORT.md, chapters/, FINDINGS.md, MACHINE.md, "
    "ledger.csv, figures/, site/\n"
    "  perp render --single                      report.html, too: all pages as one file\n"
    "  perp render --only-figures                after a change of a figure script\n"
    "  perp render --out DIR --readme README.md  another folder, and the block of a README\n"
    "  perp render --readme FILE --check-readme  exit 1 if the README's block is not current\n"
    "\nWithout pandoc site/ and report.html are left out and a line says so. gnuplot and pandoc are stopped "
    "after 300 s (PERP_TOOL_SECONDS=600 allows more). What "
    "REPORT.md.sha256 does not list, or was changed since, is left.";

std::vector<ExtraOption> options() {
  return {
      {"results", "DIR",
       "Folder of the studies' results (default: reports/out in a checkout, else perp-report)"},
      {"templates", "DIR", "Folder of the pages' templates, instead of the program's own (reports/pages)"},
      {"sections", "DIR",
       "Folder of each study's sections and figures, instead of the program's own (studies)"},
      {"out", "", "Folder that receives the report (default: that of the results)"},
      {"at", "DIR", "Folder where the report will lie, for its links (default: --out)"},
      {"readme", "FILE", "File whose generated block to rewrite from readme.md"},
      {"check-readme", "", "Only check that the block of --readme is current; write nothing"},
      {"address", "URL", "Web address of the folder site/, for previews of links to its pages"},
      {"single", "", "Write report.html, all pages as one file, too"},
      {"only-figures", "", "Draw the figures and nothing else"}};
}

/// With its last slash, which links to files behind it need.
std::string site_address(std::string address) {
  if (address.empty()) return address;
  const bool is_web = address.starts_with("https://") || address.starts_with("http://");
  // Names of files are put behind it.
  require(is_web && address.find_first_of(" \"<>?#") == address.npos && !address.ends_with("//") &&
              address.find("///") == address.npos,
          "--address {}: expected https://HOST/… without ? and #", in_quotes(address));
  return address.ends_with('/') ? address : address + '/';
}

report::RenderOptions rendering_of(const Options& options) {
  report::RenderOptions rendering;
  rendering.results = given_folder(options, "results", default_out());
  rendering.sources = sources_of(options);
  rendering.out = options.out.empty() ? rendering.results : options.out;
  rendering.at = given_folder(options, "at", "");
  rendering.readme = options.text("readme").value_or("");
  rendering.address = site_address(options.text("address").value_or(""));
  const auto is_set = [&](const char* flag) { return options.text(flag).has_value(); };
  rendering.check_readme = is_set("check-readme");
  rendering.only_figures = is_set("only-figures");
  rendering.single = is_set("single");
  return rendering;
}

/// What changes nothing is refused.
void check_company(const Options& options) {
  if (options.text("only-figures"))
    options.expect_none_of({"single", "readme", "check-readme", "address", "at"}, "only-figures");
  if (options.text("check-readme")) options.expect_none_of({"single", "address", "at"}, "check-readme");
  require(!options.text("check-readme") || options.text("readme"),
          "--check-readme without --readme: expected both");
}

}  // namespace

void render_and_say(std::string_view name, const report::RenderOptions& options) {
  const report::Rendered rendered = report::render(options);
  const std::size_t files = rendered.files.size();
  if (!rendered.note.empty()) print_message("{}: {}\n", name, rendered.note);
  for (const std::string& line : rendered.left_out) print_message("{}: {}\n", name, line);
  print_message("{}: {} files in {}\n", name, files, on_one_line(options.out.string()));
  if (files > 0 && !options.only_figures)
    print_message("{}report: {}\n", report::summary(report::Facts(options.results)),
                  on_one_line((options.out / "REPORT.md").string()));
}

int render(int argc, char** argv) {
  const Parsed parsed =
      parse_word({argv[0], std::string(about), std::string(examples), "", ""}, options(), argc, argv);
  if (!parsed.options) return parsed.exit_code;
  const Options& options = *parsed.options;
  const report::RenderOptions rendering = rendering_of(options);
  check_company(options);
  report::expect_no_source(rendering);
  say_other_templates(argv[0], options);
  const auto place = [](const std::filesystem::path& path) {
    return std::filesystem::weakly_canonical(path);
  };
  if (place(rendering.out) != place(rendering.results)) expect_unpublished(rendering.out);
  std::optional<Alone> alone;
  // What makes a folder comes after what there has to be one for.
  if (!rendering.check_readme && std::filesystem::is_directory(rendering.results))
    alone.emplace(argv[0], rendering.out);
  watch_interrupts();
  render_and_say(argv[0], rendering);
  return 0;
}

}  // namespace perp::program
