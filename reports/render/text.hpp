#pragma once
// Splits a template into its text and its {{tags}}. What the tags mean is expand.hpp's; docs/TEMPLATES.md
// lists them.
// Text from data made safe for where it goes: nothing in it is markup, code or a command any more.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "perp/io/message.hpp"

namespace perp::report {

struct Piece {
  bool is_tag = false;
  std::string text;      ///< of a tag: what stands between the braces, trimmed, line breaks as blanks
  std::size_t line = 1;  ///< where it begins
};

/// The pieces of `text` in order. A block tag ({{#…}}, {{/…}}) or comment ({{! …}}) alone on its line takes
/// the whole line with it; comments are left out. Throws Error{Exit::unusable} "file:line: …" for a tag that
/// is empty, not closed, or opened inside another.
std::vector<Piece> scan(std::string_view text, std::string_view file, std::size_t first_line = 1);

/// The words of a tag: split at blanks, and at no blank inside double quotes (which stay).
std::vector<std::string> words_of(std::string_view tag);

/// Capital letters of ASCII as small ones.
std::string lower(std::string_view text);

/// How many lines end in it.
std::size_t lines_in(std::string_view text);

/// `text` cut at every `separator`, each part trimmed.
std::vector<std::string> split(std::string_view text, char separator);

/// Every `from` in the text exchanged.
std::string replaced(std::string text, std::string_view from, std::string_view to);

/// A regular expression, compiled in one source: <regex> costs every source that includes it seconds.
class Pattern {
 public:
  explicit Pattern(const char* expression);
  ~Pattern();

  /// Whether the whole text is of this form.
  bool fits(std::string_view text) const;

  /// The whole text and its groups, "" for a group that took no part; nothing at all if the text is not of
  /// this form.
  std::vector<std::string> match(std::string_view text) const;

  /// The first group of every place in the text that is of this form.
  std::vector<std::string> all(std::string_view text) const;

 private:
  struct Compiled;
  std::unique_ptr<const Compiled> compiled_;
};

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
