#include "reports/svg.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"
#include "reports/scanner.hpp"

namespace perp::report {
namespace {

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

/// "rgb(  0, 158, 115)" as "#009e73".
std::string short_colour(const std::string& value) {
  int red = 0, green = 0, blue = 0;
  if (std::sscanf(value.c_str(), "rgb(%d,%d,%d)", &red, &green, &blue) != 3) return value;
  return fmt::format("#{:02x}{:02x}{:02x}", red, green, blue);
}

long in_tenths(double pixels) { return std::lround(10 * pixels); }

/// Tenths of pixels as few characters: 7545 as "754.5", -4 as "-.4", 20 as "2".
std::string short_number(long tenths) {
  const std::string sign = tenths < 0 ? "-" : "", whole = fmt::format("{}", std::abs(tenths) / 10);
  const long rest = std::abs(tenths) % 10;
  if (rest == 0) return (whole == "0" ? "" : sign) + whole;
  return fmt::format("{}{}.{}", sign, whole == "0" ? "" : whole, rest);
}

/// One behind another: a minus sign parts as well as a blank.
void add_number(std::string& out, long tenths) {
  const std::string text = short_number(tenths);
  const bool parted = text.front() == '-' || std::isalpha(static_cast<unsigned char>(out.back()));
  out += (parted ? "" : " ") + text;
}

/// The numbers of a text to tenths, all else as it is: "translate(1.26,-2.04)".
std::string with_tenths(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_not_of("-.0123456789", at), text.size());
    const std::string number(text.substr(at, end - at));
    out += number.find('.') == number.npos ? number : short_number(in_tenths(std::stod(number)));
    const std::size_t next = std::min(text.find_first_of("-.0123456789", end), text.size());
    out += text.substr(end, next - end);
    at = next;
  }
  return out;
}
/// What gnuplot says of nearly every group is a class; its own classes name nothing.
void shorten_tag(Item& item) {
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
           (a.name == "font-family" && a.value == svg_font);
  });
  if (usual) item.attributes.push_back({"class", "g"});
  if (item.find("id")) return;  // a mark of unit size: its tenths would show
  for (Attribute& a : item.attributes) {
    a.value = short_colour(a.value);
    if (a.name == "d") a.value = short_path(a.value);
    if (a.name == "stroke-width") a.value = with_tenths(a.value);
    if (const std::size_t scale = a.value.find(" scale"); a.name == "transform")
      a.value = with_tenths(a.value.substr(0, scale)) + (scale == a.value.npos ? "" : a.value.substr(scale));
  }
  const auto points = std::ranges::find(item.attributes, "points", &Attribute::name);
  if (item.name == "polygon" && points != item.attributes.end()) {
    item.name = "path";
    *points = {"d", short_path(fmt::format("M{}z", points->value))};
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
  std::vector<Item> left;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (keep[i]) left.push_back(std::move(items[i]));
  items = std::move(left);
}

/// Groups alike that follow one another become one; those of nothing go.
void join_groups(std::vector<Item>& items) {
  std::vector<Item> out, opened;
  std::vector<Item> begin_of;  // for each of `out`: of a "</g>" its group
  const auto add = [&](const Item& item, const Item& begin) {
    out.push_back(item);
    begin_of.push_back(begin);
  };
  const auto drop = [&] {
    out.pop_back();
    begin_of.pop_back();
  };
  for (const Item& item : items) {
    if (item.name == "g" && !item.closed) {
      opened.push_back(item);
      const bool again = !out.empty() && out.back().text == "</g>" && begin_of.back() == item;
      again ? drop() : add(item, {});
    } else if (item.text == "</g>" && !opened.empty()) {
      const Item begin = opened.back();
      opened.pop_back();
      out.back() == begin ? drop() : add(item, begin);
    } else {
      add(item, {});
    }
  }
  items = std::move(out);
}

/// "<g transform=…><text><tspan>0</tspan></text></g>" as "<text transform=…>0</text>".
void free_texts(std::vector<Item>& items) {
  std::vector<Item> out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto is = [&](std::size_t at, std::string_view text) {
      return at < items.size() && items[at].text == text;
    };
    const auto plain = [&](std::size_t at, std::string_view name) {
      return at < items.size() && items[at].name == name && items[at].attributes.empty();
    };
    std::size_t end = i + 2;
    while (end < items.size() && !is(end, "</text>")) ++end;
    if (items[i].name != "g" || !items[i].find("transform") || !plain(i + 1, "text") ||
        !is(end + 1, "</g>")) {
      out.push_back(items[i]);
      continue;
    }
    Item text = items[i];
    text.name = "text";
    std::erase_if(text.attributes, [](const Attribute& a) {
      return a.name == "stroke" || (a.name == "text-anchor" && a.value == "start") ||
             (a.name == "font-size" && a.value == fmt::format("{}.00", svg_text_size));
    });
    for (Attribute& a : text.attributes)
      if (a.name == "font-size") a.value = with_tenths(a.value);
    out.push_back(std::move(text));
    const bool one = plain(i + 2, "tspan") && i + 5 == end && is(i + 4, "</tspan>");
    const auto from = items.begin() + static_cast<std::ptrdiff_t>(i),
               to = items.begin() + static_cast<std::ptrdiff_t>(end);
    out.insert(out.end(), from + (one ? 3 : 2), to - (one ? 1 : 0));
    out.push_back(items[end]);
    i = end + 1;
  }
  items = std::move(out);
}

/// Marks of one size are defined once, and then only placed.
void place_marks(std::vector<Item>& items) {
  std::map<std::string, Item> sized;
  for (Item& item : items) {
    const std::string *href = item.find("xlink:href"), *transform = item.find("transform");
    double x = 0, y = 0, scale = 0;
    if (item.name != "use" || item.find("id") || !href || !transform ||
        std::sscanf(transform->c_str(), "translate(%lf,%lf) scale(%lf)", &x, &y, &scale) != 3)
      continue;
    const std::string mark = *href, size = fmt::format("scale({})", scale);
    Item& own = sized[mark + size];
    if (own.name.empty())
      own = {"",
             "use",
             {{"id", fmt::format("m{}", sized.size())}, {"xlink:href", mark}, {"transform", size}},
             true};
    std::erase_if(item.attributes,
                  [](const Attribute& a) { return a.name == "transform" || a.name == "xlink:href"; });
    const std::vector<Attribute> placed{{"xlink:href", "#" + *own.find("id")},
                                        {"x", short_number(in_tenths(x))},
                                        {"y", short_number(in_tenths(y))}};
    item.attributes.insert(item.attributes.begin(), placed.begin(), placed.end());
  }
  const auto end = std::ranges::find(items, "</defs>", &Item::text);
  std::vector<Item> added;
  for (const auto& [key, item] : sized) added.push_back(item);
  items.insert(end, added.begin(), added.end());
}

}  // namespace

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

void shorten(std::vector<Item>& items) {
  drop_unused(items);
  std::ranges::for_each(items, shorten_tag);
  free_texts(items);
  join_groups(items);
  place_marks(items);
}

std::string short_path(std::string_view path) {
  const std::string text(path);
  std::string out;
  char last = ' ', asked = ' ';
  long x = 0, y = 0;
  const auto command = [&](char letter) {
    if (last != letter) out += letter;
    last = letter;
  };
  for (const char* at = text.c_str(); *at;) {
    if (std::isspace(static_cast<unsigned char>(*at))) {
      ++at;
    } else if (std::isalpha(static_cast<unsigned char>(*at))) {
      asked = *at++;
      if (asked == 'Z' || asked == 'z') command('z');
    } else {
      char *middle = nullptr, *end = nullptr;
      const long to_x = in_tenths(std::strtod(at, &middle));
      if (middle == at || *middle != ',') return text;
      const long to_y = in_tenths(std::strtod(middle + 1, &end));
      if (end == middle + 1) return text;
      at = end;
      if (asked == 'M') {
        out += 'M';
        add_number(out, to_x), add_number(out, to_y);
        last = 'M';
        asked = 'L';
      } else if (asked != 'L') {
        return text;
      } else if (to_y == y && to_x != x) {
        command('h'), add_number(out, to_x - x);
      } else if (to_x == x && to_y != y) {
        command('v'), add_number(out, to_y - y);
      } else {
        command('l'), add_number(out, to_x - x), add_number(out, to_y - y);
      }
      x = to_x, y = to_y;
    }
  }
  return out;
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

}  // namespace perp::report
