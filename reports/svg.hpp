#pragma once
// Gnuplot's SVG as a list of tags and texts, and the same in fewer bytes: pictures are half of what a site
// weighs.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace perp::report {

/// What every picture asks for; where DejaVu is missing, a font as wide as it.
inline constexpr std::string_view svg_font = "DejaVu Sans, Verdana, sans-serif";
/// Height of most texts, in pixels: said once, of the whole picture.
inline constexpr std::string_view svg_text_size = "13";

struct Attribute {
  std::string name, value;
  bool operator==(const Attribute&) const = default;
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
  bool operator==(const Item&) const = default;
};

/// The picture's tags and texts. Throws Error, with the picture's `name`, where one was cut.
std::vector<Item> items_of(std::string_view svg, std::string_view name);

/// The same picture to a tenth of a pixel, without what nobody sees; marks of one size are defined once.
void shorten(std::vector<Item>& items);

/// As it stands in a file.
std::string written(const Item& item);

/// A path's points from one to the next, in tenths of pixels: "M309.61,359.80 L309.06,4" as
/// "M309.6 359.8l-.5-355.8". What is no list of M, L and Z comes back as it was.
std::string short_path(std::string_view path);

}  // namespace perp::report
