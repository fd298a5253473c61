#include "reports/render/page.hpp"

#include <nlohmann/json.hpp>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"
#include "reports/render/scanner.hpp"
#include "reports/render/tool.hpp"

namespace perp::report {
namespace {

namespace fs = std::filesystem;

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
  static constexpr std::string_view begin = "srcset=\"";
  for (std::size_t at = 0; (at = html.find(begin, at)) != html.npos;) {
    at += begin.size();
    const std::string name(html.substr(at, html.find('"', at) - at));
    if (!pictures.contains(name)) fail("{} shows {}, which was not drawn", frame.name, in_quotes(name));
  }
}

/// Pandoc names every other row of a table, which nobody asks for: a fiftieth of a page of tables.
void drop_row_classes(std::string& html) {
  for (const std::string_view name : {" class=\"odd\"", " class=\"even\""})
    for (std::size_t at = 0; (at = html.find(name, at)) != html.npos;) html.erase(at, name.size());
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
  std::string html = ended.stdout_text;
  if (!html.starts_with("<!DOCTYPE html>") || !trim(html).ends_with("</html>"))
    fail("{}: pandoc wrote no complete page", frame.name);
  drop_row_classes(html);
  check_phone_pictures(html, pictures, frame);
  return with_pictures(html, pictures, frame);
}

}  // namespace perp::report
