// A picture as each form of the report shows it, with its number, its caption and where it comes from.

#include <algorithm>
#include <iterator>

#include "perp/io/message.hpp"
#include "reports/render/expand.hpp"
#include "reports/render/text.hpp"

namespace perp::report {
namespace {

constexpr std::string_view picture = "<img src=\"{0}.svg\" width=\"{1}\" alt=\"{2}\">\n\n{3}\n";
constexpr std::string_view figure_element =
    "<figure id=\"{4}\">\n{6}<img src=\"{0}.svg\" width=\"{1}\" height=\"{5}\" loading=\"lazy\" "
    "alt=\"{2}\">{7}\n<figcaption>\n\n{3}\n\n</figcaption>\n</figure>\n";
constexpr std::string_view for_phones =
    "<picture><source media=\"(max-width: 640px)\" srcset=\"{}-phone.svg\" width=\"{}\" height=\"{}\">";

}  // namespace

const Figure& Expander::figure_named(const std::string& name) const {
  const auto it = std::ranges::find(figures_, name, &Figure::name);
  require(it != figures_.end(), "no figure {}", in_quotes(name));
  return *it;
}

std::string Expander::figure(const std::string& name) {
  const Figure& figure = figure_named(name);
  require(checking_ > 0 || is_drawable(figure, facts_),
          "figure '{}' cannot be drawn: claim {} was not measured", name, figure.claim);
  return shown(figure,
               text(figure.caption.text, figure.script.string(), figure.caption.line, Target::markdown));
}

std::string Expander::shown(const Figure& figure, const std::string& caption) {
  const std::string script = figure.script.string();
  const std::string alt = escape_html(text(figure.alt.text, script, figure.alt.line, Target::plain));
  const std::string file = links_.to(fmt::format("figures/{}", figure.name));
  // What another file shows has its number and its sources in the report.
  const std::string number = links_.is_elsewhere() ? "" : label("Figure", figure.name);
  const std::string below = fmt::format("{}*{}*{}", number.empty() ? "" : fmt::format("**{}.** ", number),
                                        caption, sources_of(figure));
  if (links_.form() == Form::github) return fmt::format(picture, file, figure.width, alt, below);
  const bool twice = figure.has_phone() && links_.form() == Form::site;
  const std::string begin =
      twice ? fmt::format(for_phones, file, figure.phone_width, figure.phone_height) : "";
  return fmt::format(figure_element, file, figure.width, alt, below, links_.own_place(figure.name),
                     figure.height, begin, twice ? "</picture>" : "");
}

/// " Data: [o1_spread.csv](orthogonality/o1_spread.csv); drawn by [orthogonality-o1.gp](…)."
std::string Expander::sources_of(const Figure& figure) const {
  if (links_.is_elsewhere()) return "";
  std::vector<std::string> sources;
  std::vector<std::string> tables = figure.needs;
  std::ranges::copy_if(figure.also, std::back_inserter(tables), [&](const std::string& table) {
    return std::filesystem::exists(facts_.table_path(table));
  });
  for (const std::string& table : tables)
    if (links_.form() != Form::single)
      sources.push_back(links_.label(
          std::filesystem::path(table).filename().string() + (table.starts_with("long") ? " (long)" : ""),
          table));
  if (const std::string script = links_.to_script(figure.name, figure.script); !script.empty())
    sources.push_back(fmt::format("[script]({})", script));
  std::string out = sources.empty() ? "" : fmt::format(" Data: {}.", fmt::join(sources, ", "));
  if (links_.form() == Form::site) out += fmt::format(" [Picture](figures/{}.svg)", figure.name);
  return out;
}

}  // namespace perp::report
