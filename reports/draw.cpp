// Runs gnuplot on one program file and makes its SVG bear other machines and other readers.

#include "perp/base/error.hpp"
#include "reports/escape.hpp"
#include "reports/expand.hpp"
#include "reports/figure.hpp"
#include "reports/scanner.hpp"
#include "reports/tool.hpp"

namespace perp::report {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// Between <tag> and </tag>, at its first place.
void replace_element(std::string& svg, const std::string& tag, const std::string& content) {
  const std::size_t open = svg.find(fmt::format("<{}>", tag)), close = svg.find(fmt::format("</{}>", tag));
  if (open == svg.npos || close == svg.npos) return;
  const std::size_t from = open + tag.size() + 2;
  svg.replace(from, close - from, escape_html(content));
}

/// What gnuplot has to complain about. Of a series without a point 6 warns, which 5 leaves out in silence: a
/// model of which nothing of that kind was measured.
std::string complaint(Ended ended) {
  std::string kept;
  for (const std::string& line : split(ended.stderr_text, '\n'))
    if (!line.ends_with("warning: Skipping data file with no valid points"))
      kept += fmt::format("{}\n", line);
  ended.stderr_text = kept;
  return ended.stderr_line();
}

}  // namespace

std::string draw(const Figure& figure, Theme theme, const Facts& facts, Expander& expander) {
  // Under the name of a file, so that complaints name the line.
  const Ended ended = run_tool({"gnuplot", "-d", "/dev/stdin"},
                               gnuplot_program(figure, theme, facts, expander), figure.script.string());
  if (!ended.found)
    refuse("gnuplot is not installed, and the figures need it: sudo apt-get install gnuplot-nox");
  const std::string line = complaint(ended);
  if (!ended.succeeded() || !line.empty())
    fail("{}: gnuplot {}", figure.script.string(),
         line.empty() ? "stopped without a word" : fmt::format("says: {}", line));
  std::string svg = ended.stdout_text;
  if (!trim(svg).ends_with("</svg>")) fail("{}: gnuplot wrote no complete SVG", figure.script.string());
  // Elsewhere DejaVu may be missing: a font as wide as it, so that nothing runs over. And words for whoever
  // cannot see the picture, in place of gnuplot's name.
  replace_all(svg, "font-family=\"DejaVu Sans\"", "font-family=\"DejaVu Sans, Verdana, sans-serif\"");
  const std::string script = figure.script.string();
  replace_element(svg, "title", expander.text(figure.title.text, script, figure.title.line, Target::plain));
  replace_element(svg, "desc", expander.text(figure.alt.text, script, figure.alt.line, Target::plain));
  return svg;
}

}  // namespace perp::report
