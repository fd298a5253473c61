// A picture as either text shows it, with its caption and where it comes from.

#include <algorithm>

#include "perp/io/message.hpp"
#include "reports/escape.hpp"
#include "reports/expand.hpp"

namespace perp::report {
namespace {

/// GitHub chooses between the two files by the reader's theme.
constexpr std::string_view picture =
    "<picture>\n  <source media=\"(prefers-color-scheme: dark)\" srcset=\"{0}-dark.svg\">\n"
    "  <img src=\"{0}.svg\" width=\"{1}\" alt=\"{3}\">\n</picture>\n\n*{4}*{5}\n";

/// The page holds both, and its style sheet shows one. The frame scrolls where the screen is narrow.
constexpr std::string_view figure_element =
    "<figure>\n<div class=\"frame\" role=\"region\" tabindex=\"0\" aria-label=\"Figure\">\n"
    "<img class=\"light\" src=\"{0}.svg\" width=\"{1}\" height=\"{2}\" alt=\"{3}\">\n"
    "<img class=\"dark\" src=\"{0}-dark.svg\" width=\"{1}\" height=\"{2}\" "
    "alt=\"{3}\">\n</div>\n<figcaption>\n\n"
    "{4}{5}\n\n</figcaption>\n</figure>\n";

}  // namespace

std::string Expander::figure(const std::string& name) {
  const auto it =
      std::find_if(figures_.begin(), figures_.end(), [&](const Figure& f) { return f.name == name; });
  require(it != figures_.end(), "no figure {}", in_quotes(name));
  require(checking_ > 0 || is_drawable(*it, facts_), "figure '{}' cannot be drawn: claim {} was not measured",
          name, it->claim);
  const std::string script = it->script.string();
  const std::string alt = escape_html(text(it->alt.text, script, it->alt.line, Target::plain));
  const std::string caption = text(it->caption.text, script, it->caption.line, Target::markdown);
  const std::string file = fmt::format("{}figures/{}", link_base_, name), sources = sources_of(*it);
  return form_ == Form::page ? fmt::format(figure_element, file, it->width, it->height, alt, caption, sources)
                             : fmt::format(picture, file, it->width, it->height, alt, caption, sources);
}

/// " Data: [o1_spread.csv](orthogonality/o1_spread.csv); drawn by [orthogonality-o1.gp](figures/…)." The
/// scripts lie beside the pictures, so that a report says where it comes from wherever its folder goes.
/// Pictures that another page shows have their sources in the report.
std::string Expander::sources_of(const Figure& figure) const {
  if (!link_base_.empty()) return "";
  std::vector<std::string> tables;
  for (const std::string& table : figure.needs)
    tables.push_back(fmt::format("[{}]({})", std::filesystem::path(table).filename().string(), table));
  const std::string data = tables.empty() ? "" : fmt::format("Data: {}; ", fmt::join(tables, ", "));
  return fmt::format(" {}{} [{}.gp](figures/{}.gp).", data, tables.empty() ? "Drawn by" : "drawn by",
                     figure.name, figure.name);
}

}  // namespace perp::report
