#pragma once
// Text from data made safe for where it goes: nothing in it is markup, code or a command any more.

#include <string>
#include <string_view>

namespace perp::report {

/// For Markdown prose and table cells: `| < > & * _ [ ] \ ` $ # ~ @` written literally, line breaks as
/// blanks.
std::string escape_markdown(std::string_view text);

/// Markdown prose that escapes what is no markup, without the escapes.
std::string without_escapes(std::string_view text);

/// `text` as code within Markdown prose, whatever backticks it holds itself.
std::string code_span(std::string_view text);
/// The same for a cell of a table, where a bar and what stands around it are spelled out.
std::string code_cell(std::string_view text);

/// For an HTML or XML attribute or text; line breaks as blanks.
std::string escape_html(std::string_view text);

/// A gnuplot string: single-quoted (gnuplot runs backticks inside double quotes), quotes inside doubled.
/// Throws Error for a control character, which such a string cannot hold.
std::string gnuplot_string(std::string_view text);

}  // namespace perp::report
