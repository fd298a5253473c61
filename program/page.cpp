#include "program/page.hpp"

#include <algorithm>

#include "perp/io/file.hpp"
#include "reports/render/facts.hpp"

namespace perp::program {
namespace {

namespace fs = std::filesystem;

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace

Written written_page(const report::RenderOptions& options, const std::string& page) {
  return {options.out, page};
}

void put_page(const report::RenderOptions& options, const std::string& page) {
  const fs::path& out = options.out;
  const Written own = written_page(options, page);
  own.expect({page, "figures/"});
  const auto rendered = report::render_in_memory(options);
  const std::string study = report::Facts(options.results).studies().front().study;
  NamedBytes files;
  for (const fs::directory_entry& entry : fs::directory_iterator(options.results / study))
    if (entry.path().extension() == ".csv")
      files.emplace_back(out / study / entry.path().filename(), read_file(entry.path()));
  std::ranges::sort(files);
  for (const auto& [path, bytes] : rendered)
    if (path.extension() == ".svg") files.emplace_back(path, bytes);
  // The report's FINDINGS.md is that of its own studies, so the page's lies below.
  const std::string text =
      replaced(rendered.at(out / "REPORT.md"), "(FINDINGS.md#", "(" + study + "/FINDINGS.md#");
  if (text.find("/FINDINGS.md#") != text.npos)
    files.emplace_back(out / study / "FINDINGS.md",
                       replaced(replaced(rendered.at(out / "FINDINGS.md"), "[the report](REPORT.md",
                                         "[" + page + "](../" + page),
                                "(REPORT.md#", "(../" + page + "#"));
  files.emplace_back(out / page, text);
  own.write(files, true);
}

}  // namespace perp::program
