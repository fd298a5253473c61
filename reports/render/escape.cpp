#include "reports/render/escape.hpp"

#include <algorithm>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"

namespace perp::report {
namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

/// What stands for a character that is markup in HTML, in Markdown and in XML; "" for others.
std::string_view entity(char c) { return c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : ""; }

}  // namespace

std::string escape_markdown(std::string_view text) {
  std::string out;
  for (const char c : with_marks_shown(text)) {
    if (is_control(c))
      out += ' ';
    else if (const std::string_view safe = entity(c); !safe.empty())
      out += safe;
    else if (c == '@')  // would notify a person on GitHub
      out += "&#64;";
    else if (std::string_view("|*_[]\\`$#~").find(c) != std::string_view::npos)
      (out += '\\') += c;
    else
      out += c;
  }
  return out;
}

std::string without_escapes(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at)
    if (text[at] != '\\' || at + 1 == text.size()) plain += text[at];
  return plain;
}

std::string code_span(std::string_view text) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  const std::string fence(longest + 1, '`'), blank = longest > 0 ? " " : "";
  return fence + blank + std::string(text) + blank + fence;
}

std::string code_cell(std::string_view text) {
  if (text.find('|') == text.npos) return code_span(text);
  // Of a bar behind two backslashes, which were one, GitHub and pandoc do not agree whether it ends the cell.
  std::string out = "<code>";
  for (const char c : text) {
    const bool plain = std::string_view("!\"#$%&'()*+,-.:;<>?@[\\]^_`{|}~").find(c) == std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("&#{};", static_cast<int>(c));
  }
  return out + "</code>";
}

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : with_marks_shown(text)) {
    if (const std::string_view safe = c == '"' ? "&quot;" : entity(c); !safe.empty())
      out += safe;
    else
      out += is_control(c) ? ' ' : c;
  }
  return out;
}

std::string gnuplot_string(std::string_view text) {
  std::string out = "'";
  for (const char c : with_marks_shown(text)) {
    require(!is_control(c), "{} holds a control character, which a figure cannot show", in_quotes(text));
    out += c;
    if (c == '\'') out += c;
  }
  return out + "'";
}

}  // namespace perp::report
