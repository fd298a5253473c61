// One SVG from the drawings of one figure in two themes, which differ in colours alone: what differs becomes
// a class with a value for either theme. On the way gnuplot's text is made shorter: it is half of what a site
// weighs.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <set>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"
#include "reports/figure.hpp"
#include "reports/scanner.hpp"

namespace perp::report {
namespace {

constexpr std::string_view font = "DejaVu Sans, Verdana, sans-serif";

struct Attribute {
  std::string name, value;
};

/// "<use …/>", or the text between two tags.
struct Item {
  std::string text;  ///< as it is, unless `name` is set
  std::string name = {};
  std::vector<Attribute> attributes = {};
  bool closed = false;

  const std::string* find(std::string_view key) const {
    const auto it = std::ranges::find(attributes, key, &Attribute::name);
    return it == attributes.end() ? nullptr : &it->value;
  }
};

/// Where `what` comes next; gnuplot writes it unless its drawing was cut.
std::size_t next(std::string_view text, char what, std::size_t from, std::string_view name) {
  const std::size_t at = text.find(what, from);
  if (at == text.npos)
    fail("{}: a drawing without the {} behind {}", name, what, in_quotes(text.substr(from)));
  return at;
}

Item tag_from(std::string_view inside, std::string_view name) {
  Item item;
  item.closed = inside.ends_with('/');
  if (item.closed) inside.remove_suffix(1);
  std::size_t at = std::min(inside.find_first_of(" \t\n"), inside.size());
  item.name = inside.substr(0, at);
  while (true) {
    const std::size_t equal = inside.find('=', at), open = inside.find_first_of("'\"", equal);
    if (equal == inside.npos || open == inside.npos) return item;
    const std::size_t close = next(inside, inside[open], open + 1, name);
    item.attributes.push_back({std::string(trim(inside.substr(at, equal - at))),
                               std::string(inside.substr(open + 1, close - open - 1))});
    at = close + 1;
  }
}

std::vector<Item> items_of(std::string_view svg, std::string_view name) {
  std::vector<Item> items;
  for (std::size_t at = 0; at < svg.size();) {
    const std::size_t open = std::min(svg.find('<', at), svg.size());
    if (const std::string_view text = svg.substr(at, open - at); !trim(text).empty())
      items.push_back({std::string(text)});
    if (open == svg.size()) break;
    const std::size_t close = next(svg, '>', open, name);
    const std::string_view inside = svg.substr(open + 1, close - open - 1);
    if (std::string_view("?!/").find(inside.substr(0, 1)) != std::string_view::npos)
      items.push_back({std::string(svg.substr(open, close - open + 1))});
    else
      items.push_back(tag_from(inside, name));
    at = close + 1;
  }
  return items;
}

/// "rgb(  0, 158, 115)" as "#009e73".
std::string short_colour(const std::string& value) {
  int red = 0, green = 0, blue = 0;
  if (std::sscanf(value.c_str(), "rgb(%d,%d,%d)", &red, &green, &blue) != 3) return value;
  return fmt::format("#{:02x}{:02x}{:02x}", red, green, blue);
}

/// Pixels to tenths of them: "754.47" as "754.5".
std::string in_tenths(std::string_view path) {
  std::string out;
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find_first_not_of("-.0123456789", at), path.size());
    const std::string_view number = path.substr(at, end - at);
    if (number.find('.') != number.npos) {
      std::string text = fmt::format("{:.1f}", std::stod(std::string(number)));
      out += text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
    } else {
      out += number;
    }
    const std::size_t next = std::min(path.find_first_of("-.0123456789", end), path.size());
    const std::string_view between = path.substr(end, next - end);
    out += trim(between).empty() && !between.empty() ? " " : between;
    at = next;
  }
  return out;
}

/// What gnuplot says of nearly every group is a class; its own classes name nothing.
void shorten(Item& item) {
  const auto is = [&](std::string_view name, std::string_view value) {
    const std::string* found = item.find(name);
    return found && *found == value;
  };
  const bool usual =
      item.name == "g" && is("fill", "none") && is("color", "black") && is("stroke", "currentColor");
  std::erase_if(item.attributes, [&](const Attribute& a) {
    return (usual && (a.name == "fill" || a.name == "color" || a.name == "stroke")) || a.name == "class" ||
           (a.name == "stroke-linecap" && a.value == "butt") ||
           (a.name == "stroke-linejoin" && a.value == "miter") ||
           (a.name == "font-family" && a.value == font);
  });
  if (usual) item.attributes.push_back({"class", "g"});
  const bool is_mark = item.find("id");  // of unit size: its tenths would show
  for (Attribute& a : item.attributes) {
    a.value = short_colour(a.value);
    if (is_mark) continue;
    if (a.name == "d" || a.name == "points" || a.name == "stroke-width")
      a.value = std::string(trim(in_tenths(a.value)));
    if (const std::size_t scale = a.value.find(" scale"); a.name == "transform")
      a.value = in_tenths(a.value.substr(0, scale)) + (scale == a.value.npos ? "" : a.value.substr(scale));
  }
}

/// Drops what <defs> holds for nobody: marks refer to marks above them, so from the last to the first.
void drop_unused(std::vector<Item>& items) {
  std::set<std::string> used;
  const auto use = [&](const Item& item) {
    for (const Attribute& a : item.attributes)
      if (const std::size_t hash = a.value.find('#'); a.name == "xlink:href" || a.value.starts_with("url("))
        if (hash != a.value.npos) used.insert(a.value.substr(hash + 1, a.value.find(')') - hash - 1));
  };
  const auto defs = std::ranges::find(items, "defs", &Item::name),
             end = std::find_if(defs, items.end(), [](const Item&item) { return item.text == "</defs>"; });
  if (end == items.end()) return;
  for (auto it = end; it != items.end(); ++it) use(*it);
  std::vector<bool> keep(items.size(), true);
  bool inside = false, kept = true;  // of a filter, which has parts
  for (auto it = end; it-- > defs + 1;) {
    if (it->text == "</filter>")
      inside = true, kept = false;
    else if (it->name == "filter")
      inside = false;
    else if (!inside) {
      const std::string* id = it->find("id");
      kept = !id || used.contains(*id);
      if (kept) use(*it);
    }
    keep[static_cast<std::size_t>(it - items.begin())] = kept;
  }
  std::size_t place = 0;
  std::erase_if(items, [&](const Item&) { return !keep[place++]; });
}

std::string written(const Item& item) {
  if (item.name.empty()) return item.text;
  std::string out = fmt::format("<{}", item.name);
  for (const Attribute& a : item.attributes) {
    const char quote = a.value.find('\'') == a.value.npos ? '\'' : '"';
    out += fmt::format(" {}={}{}{}", a.name, quote, a.value, quote);
  }
  return out + (item.closed ? "/>" : ">");
}

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
  std::string sheet() const {
    return fmt::format(
        "<style>.g{{fill:none;color:black;stroke:currentColor}}.dark{{display:none}}{}@media(prefers-color-"
        "scheme:dark){{.dark{{display:inline}}"
        ".light{{display:none}}{}}}</style>",
        light_, dark_);
  }

 private:
  std::map<std::array<std::string, 3>, std::string> names_;
  std::string light_, dark_;
};

}  // namespace

std::string both_themes(std::string_view light, std::string_view dark, std::string_view name) {
  std::vector<Item> ours = items_of(light, name), others = items_of(dark, name);
  for (std::vector<Item>* items : {&ours, &others}) {
    drop_unused(*items);
    std::ranges::for_each(*items, shorten);
  }
  const auto differ = [&](const Item& at) {
    fail("{}: its two themes differ in more than colours, first at {}", name, in_quotes(written(at)));
  };
  if (ours.size() != others.size()) differ(ours.front());
  Classes classes;
  std::vector<std::string> out;
  std::size_t sheet = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    Item item = ours[i];
    const Item& other = others[i];
    if (item.name != other.name || item.text != other.text ||
        !std::ranges::equal(item.attributes, other.attributes, {}, &Attribute::name, &Attribute::name))
      differ(item);
    std::string names;
    bool pictures = false;
    for (std::size_t j = 0; j < item.attributes.size(); ++j) {
      const auto& [property, value] = item.attributes[j];
      const std::string& theirs = other.attributes[j].value;
      if (value == theirs) continue;
      if (property == "xlink:href" && item.closed) {
        pictures = true;  // of pixels
        continue;
      }
      if (property != "fill" && property != "stroke" && property != "color" && !property.ends_with("opacity"))
        differ(item);
      names += (names.empty() ? "" : " ") + classes.of(property, value, theirs);
    }
    if (pictures) {
      Item twin = other;
      item.attributes.push_back({"class", "light"});
      twin.attributes.push_back({"class", "dark"});
      out.push_back(written(twin));
    } else if (!names.empty()) {
      std::size_t j = 0;
      std::erase_if(item.attributes,
                    [&](const Attribute& a) { return a.value != other.attributes[j++].value; });
      if (item.attributes.empty() || item.attributes.back().name != "class")
        item.attributes.push_back({"class", names});
      else
        item.attributes.back().value += " " + names;
    }
    if (item.name == "svg") item.attributes.push_back({"font-family", std::string(font)});
    // An element without content says nothing.
    const bool empty = !out.empty() && ((item.text == "</g>" && out.back().starts_with("<g ")) ||
                                        (item.text == "</text>" && out.back().starts_with("<text")));
    if (empty)
      out.pop_back();
    else
      out.push_back(written(item));
    if (item.name == "svg") sheet = out.size();
  }
  out.insert(out.begin() + static_cast<std::ptrdiff_t>(sheet), classes.sheet());
  return fmt::format("{}\n", fmt::join(out, ""));
}

}  // namespace perp::report
