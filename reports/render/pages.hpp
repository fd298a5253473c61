#pragma once
// The pages of a report: REPORT.md, a chapter for each study, the rules, all findings; and the same for a browser: pages
// beside their pictures (site/), and one file that needs no other (report.html). Pandoc makes the HTML and the MathML;
// pages/html holds the frame, the style sheet and the filter.

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/render/expand.hpp"

namespace perp::report {

struct Page {
  std::string file;   ///< "REPORT.md", "chapters/order.md", as it is called in a repository
  std::string title;  ///< its heading's first words
  std::string text;   ///< Markdown
};

struct Pages {
  std::vector<Page> list;         ///< in the order in which a reader meets them
  std::vector<LeftOut> left_out;  ///< passages whose guards do not hold
};

/// The studies that report.md includes ({{study x}}) or gives a page ({{chapter x}}), in its order; only the
/// latter.
std::vector<std::string> studies_named(const std::filesystem::path& report);
std::vector<std::string> chapters_named(const std::filesystem::path& report);

/// The pages in one form; of Form::single one, with everything on it. `facts` are in the order of report.md.
Pages pages_of(const Facts& facts, const std::vector<Figure>& figures, const Sources& sources, Layout layout);

/// Pictures by the name under which the text knows them: "figures/x.svg" -> its SVG.
using Pictures = std::map<std::string, std::string>;

/// Of "figures/x" the form for a phone.
inline std::string phone_picture(std::string_view name) { return std::string(name) + "-phone.svg"; }
inline bool is_phone_picture(std::string_view name) { return name.ends_with("-phone.svg"); }

/// What a page is made with, in pages/html; those that stand beside the pages of a site are style sheet,
/// scripts and the picture shown with a link. The filter puts style and scripts into the page where all is
/// one file.
inline constexpr std::array frame_files{
    "page.html", "page.lua",       "instruments.html",      "page.css",
    "page.js",   "instruments.js", "rope_architectures.js", "preview.png"};
inline constexpr std::span beside_pages = std::span(frame_files).last<5>();

/// A page among the others, for the frame's navigation.
struct Sheet {
  std::string title, file;
  bool current = false, result = false;
};

/// What the frame (page.html) is told: the variable `pages`, of which each has title, file, result (a page about one) and current, or,
/// where all is one file, the variable `single`; and `address`, if the site has one.
struct Frame {
  std::string name;           ///< of the file, for messages
  std::vector<Sheet> sheets;  ///< none: one file, its pictures inside
  std::string address = {};   ///< of the site on the web, for those who show a link to the page
};

/// The page, or nothing when pandoc is not installed. Every picture that `markdown` shows must be among
/// `pictures`. Throws Error when pandoc fails or warns, and for a picture that is not there.
std::optional<std::string> html_page(std::string_view markdown, const Pictures& pictures, const Frame& frame,
                                     const std::filesystem::path& html_templates);

/// Maths as pandoc reads it: $`x`$ becomes $x$. Templates are written as GitHub reads them.
std::string maths_for_pandoc(std::string_view markdown);

/// The SVG as an address that holds it, for an attribute in double quotes.
std::string data_address(std::string_view svg);

}  // namespace perp::report
