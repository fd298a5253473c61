// One SVG from the drawings of one figure in two themes, which differ in colours alone: what differs becomes
// a class with a value for either theme.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"
#include "reports/figure.hpp"
#include "reports/svg.hpp"

namespace perp::report {
namespace {

/// The classes of what differs, and the style sheet that gives them their values.
class Classes {
 public:
  std::string of(const std::string& property, const std::string& light, const std::string& dark) {
    const auto [it, fresh] = names_.try_emplace({property, light, dark}, fmt::format("t{}", names_.size()));
    if (fresh) {
      light_ += fmt::format(".{}{{{}:{}}}", it->second, property, light);
      dark_ += fmt::format(".{}{{{}:{}}}", it->second, property, dark);
    }
    return it->second;
  }
  /// Pictures of pixels are there twice, of which one is shown.
  std::string sheet(bool has_pictures) const {
    return fmt::format(
        "<style>text{{stroke:none}}.g{{fill:none;color:black;stroke:currentColor}}{}{}"
        "@media(prefers-color-scheme:dark){{{}{}}}</style>",
        has_pictures ? ".dark{display:none}" : "", light_,
        has_pictures ? ".dark{display:inline}.light{display:none}" : "", dark_);
  }

 private:
  std::map<std::array<std::string, 3>, std::string> names_;
  std::string light_, dark_;
};

}  // namespace

std::string both_themes(std::string_view light, std::string_view dark, std::string_view name) {
  std::vector<Item> ours = items_of(light, name), others = items_of(dark, name);
  for (std::vector<Item>* items : {&ours, &others}) shorten(*items);
  const auto differ = [&](const Item& at) {
    fail("{}: its two themes differ in more than colours, first at {}", name, in_quotes(written(at)));
  };
  Classes classes;
  std::vector<std::string> out;
  std::size_t sheet = 0;
  bool has_pictures = false;
  for (std::size_t i = 0; i < std::max(ours.size(), others.size()); ++i) {
    if (i == ours.size()) differ(others[i]);
    if (i == others.size()) differ(ours[i]);
    Item item = ours[i];
    const Item& other = others[i];
    if (item.name != other.name || item.text != other.text ||
        !std::ranges::equal(item.attributes, other.attributes, {}, &Attribute::name, &Attribute::name))
      differ(item);
    std::string names;
    bool is_picture = false;
    for (std::size_t j = 0; j < item.attributes.size(); ++j) {
      const auto& [property, value] = item.attributes[j];
      const std::string& theirs = other.attributes[j].value;
      if (value == theirs) continue;
      if (property == "xlink:href" && item.closed) {
        is_picture = has_pictures = true;
        continue;
      }
      if (property != "fill" && property != "stroke" && property != "color" && !property.ends_with("opacity"))
        differ(item);
      names += (names.empty() ? "" : " ") + classes.of(property, value, theirs);
    }
    if (is_picture) {
      Item twin = other;
      item.attributes.push_back({"class", "light"});
      twin.attributes.push_back({"class", "dark"});
      out.push_back(written(twin));
    } else if (!names.empty()) {
      std::erase_if(item.attributes, [&](const Attribute& a) { return a.value != *other.find(a.name); });
      if (item.attributes.empty() || item.attributes.back().name != "class")
        item.attributes.push_back({"class", names});
      else
        item.attributes.back().value += " " + names;
    }
    if (item.name == "svg")
      item.attributes.insert(item.attributes.end(), {{"font-family", std::string(svg_font)},
                                                     {"font-size", std::string(svg_text_size)}});
    // An element without content says nothing.
    const bool empty = !out.empty() && ((item.text == "</g>" && out.back().starts_with("<g ")) ||
                                        (item.text == "</defs>" && out.back() == "<defs>") ||
                                        (item.text == "</text>" && out.back().starts_with("<text")));
    if (empty)
      out.pop_back();
    else if (!item.text.starts_with("<?xml"))  // UTF-8 needs no declaration
      out.push_back(written(item));
    if (item.name == "svg") sheet = out.size();
  }
  out.insert(out.begin() + static_cast<std::ptrdiff_t>(sheet), classes.sheet(has_pictures));
  return fmt::format("{}\n", fmt::join(out, ""));
}

}  // namespace perp::report
