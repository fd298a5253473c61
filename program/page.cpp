#include "program/page.hpp"

#include <algorithm>

#include "perp/io/file.hpp"
#include "reports/facts.hpp"

namespace perp::program {
namespace {

namespace fs = std::filesystem;

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// What `make bench-peers` put at the end of the page that lies there.
std::string section_of_peers(const fs::path& page) {
  const std::string text = fs::exists(page) ? read_file(page) : "";
  return text.substr(std::min(text.find("\n## Beside "), text.size()));
}

}  // namespace

void put_page(report::RenderOptions options, const fs::path& frame, const std::string& page) {
  const fs::path out = options.out, scratch = options.results / "page";
  fs::remove_all(scratch);
  fs::create_directories(scratch);
  fs::copy(options.templates, scratch / "templates", fs::copy_options::recursive);
  fs::copy(frame, scratch / "templates/html", fs::copy_options::recursive);
  options.templates = scratch / "templates";
  options.out = scratch / "out";
  options.at = out;
  report::render(options);

  const std::string study = report::Facts(options.results).studies().front().study;
  NamedBytes files;
  const auto add = [&](const fs::path& from, const fs::path& to, std::string_view extension) {
    for (const fs::directory_entry& entry : fs::directory_iterator(from))
      if (entry.path().extension() == extension)
        files.emplace_back(to / entry.path().filename(), read_file(entry.path()));
  };
  add(options.results / study, out / study, ".csv");
  add(options.out / "figures", out / "figures", ".svg");
  std::ranges::sort(files);
  // The report's FINDINGS.md is that of its own studies, so the page's lies below.
  const std::string text =
      replaced(read_file(options.out / "REPORT.md"), "(FINDINGS.md#", "(" + study + "/FINDINGS.md#");
  if (text.find("/FINDINGS.md#") != text.npos)
    files.emplace_back(out / study / "FINDINGS.md",
                       replaced(replaced(read_file(options.out / "FINDINGS.md"), "[the report](REPORT.md",
                                         "[" + page + "](../" + page),
                                "(REPORT.md#", "(../" + page + "#"));
  files.emplace_back(out / page, text + section_of_peers(out / page));
  make_folders(out / study);
  make_folders(out / "figures");
  write_together(files);
}

}  // namespace perp::program
