// Runs gnuplot on one program file and makes its SVG bear other machines and other readers.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "perp/base/error.hpp"
#include "perp/io/file.hpp"
#include "reports/render/expand.hpp"
#include "reports/render/figure.hpp"
#include "reports/render/text.hpp"
#include "reports/render/tool.hpp"

namespace perp::report {
namespace {

/// Between <tag> and </tag>, at its first place.
void replace_element(std::string& svg, const std::string& tag, const std::string& content) {
  const std::size_t open = svg.find(fmt::format("<{}>", tag)), close = svg.find(fmt::format("</{}>", tag));
  if (open == svg.npos || close == svg.npos) return;
  const std::size_t from = open + tag.size() + 2;
  svg.replace(from, close - from, escape_html(content));
}

/// gnuplot's "rgb(  0, 158, 115)" as "#009e73", by which a style sheet finds it.
std::string with_short_colours(std::string_view svg) {
  std::string out;
  std::size_t at = 0;
  for (std::size_t found; (found = svg.find("rgb(", at)) != svg.npos;) {
    int red = 0, green = 0, blue = 0, length = 0;
    const std::string colour(svg.substr(found, 24));
    out += svg.substr(at, found - at);
    // A text may hold those letters, too.
    std::sscanf(colour.c_str(), "rgb(%d,%d,%d)%n", &red, &green, &blue, &length);
    const bool is_one = length > 0;
    out += is_one ? fmt::format("#{:02x}{:02x}{:02x}", red, green, blue) : "rgb(";
    at = found + (is_one ? static_cast<std::size_t>(length) : 4);
  }
  return out.append(svg.substr(at));
}

/// Rules for a reader's dark theme from the lines "#: dark: LIGHT DARK" of style.gp, of what the picture has.
std::string dark_rules(std::string_view svg, std::string_view style) {
  static constexpr std::string_view begin = "#: dark: ";
  std::string rules;
  for (const std::string& line : split(style, '\n')) {
    if (!line.starts_with(begin)) continue;
    const std::vector<std::string> words = words_of(std::string_view(line).substr(begin.size()));
    require(words.size() == 2, "style.gp: expected '{}LIGHT DARK', found '{}'", begin, line);
    for (const char* property : {"fill", "stroke", "color", "fill-opacity"})
      for (const char* form : {"{}='{}'", "{}=\"{}\"", "{} = '{}'"})
        if (svg.find(fmt::format(fmt::runtime(form), property, words[0])) != svg.npos) {
          rules += fmt::format("[{0}='{1}']{{{0}:{2}}}", property, words[0], words[1]);
          break;
        }
  }
  return rules;
}

/// What gnuplot has to complain about. Of a series without a point 6 warns, which 5 leaves out in silence: a
/// model of which nothing of that kind was measured. Fontconfig has its own to say, of a cache for one.
std::string complaint(Ended ended) {
  std::string kept;
  for (const std::string& line : split(ended.stderr_text, '\n'))
    if (!line.ends_with("warning: Skipping data file with no valid points") &&
        !line.starts_with("Fontconfig "))
      kept += fmt::format("{}\n", line);
  ended.stderr_text = kept;
  return ended.stderr_line();
}

void refuse_without_gnuplot() {
  refuse("gnuplot is not installed, and the figures need it: sudo apt-get install gnuplot-nox");
}

}  // namespace

void expect_gnuplot() {
  static_cast<void>(tool_limits());
  if (in_path("gnuplot").empty()) refuse_without_gnuplot();
}

std::string draw(const Figure& figure, const Facts& facts, Expander& expander) {
  // Under the name of a file, so that complaints name the line.
  const Ended ended = run_tool({"gnuplot", "-d", "/dev/stdin"}, gnuplot_program(figure, facts, expander),
                               figure.script.string());
  if (!ended.found) refuse_without_gnuplot();
  const std::string line = complaint(ended);
  if (!ended.succeeded() || !line.empty())
    fail("{}: gnuplot {}", figure.script.string(),
         line.empty() ? "stopped without a word" : fmt::format("says: {}", line));
  // The disc under a point with an interval, which has the paper's colour in a dark theme as well.
  std::string svg = replaced(with_short_colours(ended.stdout_text), "color='#FFFFFF'", "color='#ffffff'");
  if (!trim(svg).ends_with("</svg>")) fail("{}: gnuplot wrote no complete SVG", figure.script.string());
  // Elsewhere DejaVu may be missing: a font as wide as it, so that nothing runs over. And words for whoever
  // cannot see the picture, in place of gnuplot's name.
  svg = replaced(svg, "font-family=\"DejaVu Sans\"", "font-family=\"DejaVu Sans, Verdana, sans-serif\"");
  const std::string script = figure.script.string();
  replace_element(svg, "title", expander.text(figure.title.text, script, figure.title.line, Target::plain));
  replace_element(svg, "desc", expander.text(figure.alt.text, script, figure.alt.line, Target::plain));
  const std::string rules = dark_rules(svg, read_file(figure.style));
  return svg.insert(std::min(svg.find("<title>"), svg.find("</svg>")),
                    fmt::format("<style>@media(prefers-color-scheme:dark){{{}}}</style>\n", rules));
}

}  // namespace perp::report
