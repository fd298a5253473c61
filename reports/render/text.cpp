#include "reports/render/text.hpp"

#include <algorithm>
#include <cctype>
#include <regex>

#include "perp/base/error.hpp"
#include "perp/io/message.hpp"

namespace perp::report {

namespace {

constexpr std::string_view blanks = " \t\r\n";

std::string one_line(std::string_view tag) {
  std::string text(trim(tag));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return blanks.find(c) != blanks.npos; }, ' ');
  return text;
}

/// If only blanks stand between the tag [open, close) and both ends of its line, the line's own range.
bool alone_on_line(std::string_view text, std::size_t& open, std::size_t& close) {
  const std::size_t before = text.find_last_not_of(" \t", open == 0 ? text.npos : open - 1);
  const bool starts = open == 0 || before == text.npos || text[before] == '\n';
  const std::size_t after = std::min(text.find_first_not_of(" \t\r", close), text.size());
  if (!starts || (after < text.size() && text[after] != '\n')) return false;
  open = open == 0 || before == text.npos ? 0 : before + 1;
  close = std::min(after + 1, text.size());
  return true;
}

}  // namespace

std::string lower(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(), [](unsigned char c) { return std::tolower(c); });
  return small;
}

std::size_t lines_in(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t from = 0;;) {
    const std::size_t to = std::min(text.find(separator, from), text.size());
    parts.emplace_back(trim(text.substr(from, to - from)));
    if (to == text.size()) return parts;
    from = to + 1;
  }
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

std::vector<std::string> words_of(std::string_view tag) {
  std::vector<std::string> words;
  bool quoted = false, inside = false;
  for (const char c : tag) {
    if (c == '"') quoted = !quoted;
    const bool blank = !quoted && blanks.find(c) != blanks.npos;
    if (!blank && !inside) words.emplace_back();
    if (!blank) words.back() += c;
    inside = !blank;
  }
  return words;
}

std::vector<Piece> scan(std::string_view text, std::string_view file, std::size_t first_line) {
  std::vector<Piece> pieces;
  std::size_t at = 0;
  const auto line_of = [&](std::size_t position) { return first_line + lines_in(text.substr(0, position)); };
  while (at < text.size()) {
    const std::size_t open = text.find("{{", at);
    if (open == text.npos) break;
    const std::size_t line = line_of(open), close = text.find("}}", open);
    if (close == text.npos) refuse("{}:{}: a tag is opened here and never closed", file, line);
    const std::string tag = one_line(text.substr(open + 2, close - open - 2));
    require(!tag.empty(), "{}:{}: an empty tag", file, line);
    require(tag.find("{{") == tag.npos, "{}:{}: a tag inside the tag '{}'", file, line, tag);
    std::size_t from = open, to = close + 2;
    // A line of its own is taken only from what has not been given out yet.
    if (std::string_view("#/!").find(tag.front()) != std::string_view::npos) {
      std::size_t line_from = from, line_to = to;
      if (alone_on_line(text, line_from, line_to)) from = std::max(line_from, at), to = line_to;
    }
    if (from > at) pieces.push_back({false, std::string(text.substr(at, from - at)), line_of(at)});
    if (tag.front() != '!') pieces.push_back({true, tag, line});
    at = to;
  }
  if (at < text.size()) pieces.push_back({false, std::string(text.substr(at)), line_of(at)});
  return pieces;
}

struct Pattern::Compiled {
  std::regex form;
};

Pattern::Pattern(const char* expression) : compiled_(new Compiled{std::regex(expression)}) {}
Pattern::~Pattern() = default;

bool Pattern::fits(std::string_view text) const { return !match(text).empty(); }

std::vector<std::string> Pattern::match(std::string_view text) const {
  std::cmatch found;
  std::vector<std::string> groups;
  if (std::regex_match(text.data(), text.data() + text.size(), found, compiled_->form))
    for (const auto& group : found) groups.push_back(group.str());
  return groups;
}

std::vector<std::string> Pattern::all(std::string_view text) const {
  std::vector<std::string> groups;
  for (std::cregex_iterator it(text.data(), text.data() + text.size(), compiled_->form), end; it != end; ++it)
    groups.push_back((*it)[1].str());
  return groups;
}

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
