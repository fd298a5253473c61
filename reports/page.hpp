#pragma once
// report.html: the report as one file that needs no other, from the same templates. Pandoc makes the HTML and
// the MathML; templates/html holds the frame, the style sheet and a filter.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace perp::report {

/// Pictures by the name under which the text knows them: "figures/x.svg" -> its SVG.
using Pictures = std::map<std::string, std::string>;

/// The page, or nothing when pandoc is not installed. `markdown` is the text of Form::page; every picture it
/// shows must be among `pictures`. Throws Error when pandoc fails or warns, and for a picture that is not
/// there.
std::optional<std::string> html_page(std::string_view markdown, const Pictures& pictures,
                                     const std::filesystem::path& html_templates);

/// Maths as pandoc reads it: $`x`$ becomes $x$. Templates are written as GitHub reads them.
std::string maths_for_pandoc(std::string_view markdown);

/// The SVG as an address that holds it, for an attribute in double quotes.
std::string data_address(std::string_view svg);

}  // namespace perp::report
