#include "reports/render/bibliography.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "perp/base/error.hpp"
#include "perp/io/file.hpp"
#include "perp/io/message.hpp"
#include "reports/render/text.hpp"

namespace perp::report {
namespace {

/// Reads entries one behind the other.
class Reader {
 public:
  Reader(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  std::map<std::string, Reference> all() {
    std::map<std::string, Reference> entries;
    for (skip(); at_ < text_.size(); skip()) {
      expect('@');
      Reference entry;
      entry.kind = word();
      expect('{');
      const std::string key = word();
      require(!entries.contains(key), "{}: the key {} is given twice", place(), in_quotes(key));
      while (accept(',') && (skip(), peek() != '}')) field(entry);
      expect('}');
      for (const char* needed : {"author", "title", "year"})
        require(entry.fields.contains(needed), "{}: {} has no {}", place(), in_quotes(key), needed);
      entries.emplace(key, std::move(entry));
    }
    return entries;
  }

 private:
  std::string place() const { return fmt::format("{}:{}", name_, 1 + lines_in(text_.substr(0, at_))); }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip() {
    while (at_ < text_.size())
      if (std::isspace(static_cast<unsigned char>(text_[at_])))
        ++at_;
      else if (text_[at_] == '%')
        at_ = std::min(text_.find('\n', at_), text_.size());
      else
        return;
  }
  bool accept(char c) {
    skip();
    const bool there = peek() == c;
    at_ += there;
    return there;
  }
  void expect(char c) { require(accept(c), "{}: expected '{}'", place(), c); }
  std::string word() {
    static constexpr std::string_view others = "-_:./+";
    skip();
    const std::size_t from = at_;
    while (std::isalnum(static_cast<unsigned char>(peek())) || (peek() && others.find(peek()) != others.npos))
      ++at_;
    require(at_ > from, "{}: expected a name", place());
    return std::string(text_.substr(from, at_ - from));
  }
  void field(Reference& entry) {
    const std::string name = word();
    expect('=');
    skip();
    const bool braces = peek() == '{';
    require(braces || peek() == '"', "{}: the value of {} stands neither in braces nor in quotes", place(),
            name);
    std::string value;
    int depth = 0;
    for (++at_; depth > 0 || peek() != (braces ? '}' : '"'); ++at_) {
      require(at_ < text_.size(), "{}: the value of {} is never closed", place(), name);
      depth += peek() == '{' ? 1 : peek() == '}' ? -1 : 0;
      if (peek() != '{' && peek() != '}') value += peek() == '\n' ? ' ' : peek();
    }
    ++at_;
    require(entry.fields.emplace(name, trim(value)).second, "{}: {} is given twice", place(), name);
  }

  std::string_view text_, name_;
  std::size_t at_ = 0;
};

/// "Vaswani, Ashish" -> "A. Vaswani"; a name without a comma stays.
std::string short_name(const std::string& name) {
  const std::vector<std::string> parts = split(name, ',');
  if (parts.size() != 2) return escape_markdown(name);
  std::string text;
  for (const std::string& given : words_of(parts[1])) {
    std::size_t length = 1;  // of the first letter in UTF-8
    while (length < given.size() && (static_cast<unsigned char>(given[length]) & 0xc0) == 0x80) ++length;
    text += given.substr(0, length) + ". ";
  }
  return escape_markdown(text + parts[0]);
}

std::string authors_of(const std::string& list) {
  std::vector<std::string> names;
  for (std::size_t from = 0; from < list.size();) {
    const std::size_t to = std::min(list.find(" and ", from), list.size());
    names.push_back(short_name(std::string(trim(list.substr(from, to - from)))));
    from = to + 5;
  }
  if (names.size() > 3) return names.front() + " et al.";
  const std::string last = names.back();
  names.pop_back();
  return names.empty() ? last : fmt::format("{} and {}", fmt::join(names, ", "), last);
}

std::string address_of(const Reference& reference) {
  const auto field = [&](const char* name) {
    const auto found = reference.fields.find(name);
    return found == reference.fields.end() ? std::string() : found->second;
  };
  static const Pattern plain("https?://[^\\s()<>\\[\\]\"]+"), number("[a-z-]*/?[0-9.]+");
  if (const std::string eprint = field("eprint"); number.fits(eprint))
    return fmt::format("[arXiv:{0}](https://arxiv.org/abs/{0})", eprint);
  if (const std::string url = field("url"); plain.fits(url)) return fmt::format("<{}>", url);
  return "";
}

/// With a full stop behind it, unless it has a mark of its own.
std::string ended(const std::string& sentence) {
  return sentence.find_last_of(".?!") == sentence.size() - 1 ? sentence : sentence + ".";
}

}  // namespace

std::map<std::string, Reference> references_from(std::string_view text, std::string_view name) {
  return Reader(text, name).all();
}

std::string reference_text(const Reference& reference) {
  const auto& fields = reference.fields;
  std::string text = fmt::format("{} {}", ended(authors_of(fields.at("author"))),
                                 ended(escape_markdown(fields.at("title"))));
  for (const char* where : {"journal", "booktitle", "publisher", "institution", "howpublished"}) {
    const auto found = fields.find(where), volume = fields.find("volume");
    if (found == fields.end()) continue;
    text += fmt::format(" *{}*", escape_markdown(found->second));
    if (volume != fields.end()) text += fmt::format(" {}", escape_markdown(volume->second));
    text += ",";
    break;
  }
  text += " " + ended(escape_markdown(fields.at("year")));
  const std::string address = address_of(reference);
  return address.empty() ? text : fmt::format("{} {}.", text, address);
}

void Citations::read() {
  if (!is_read_ && std::filesystem::exists(file_)) known_ = references_from(read_file(file_), file_.string());
  is_read_ = true;
}

bool Citations::knows(const std::string& key) {
  read();
  return known_.contains(key);
}

std::size_t Citations::number(const std::string& key) {
  require(knows(key), "no entry '{}' in {}", key, file_.string());
  const auto found = std::ranges::find(cited_, key);
  if (found != cited_.end()) return static_cast<std::size_t>(found - cited_.begin()) + 1;
  cited_.push_back(key);
  return cited_.size();
}

/// The texts that the claims come from bear a letter in the report, too: "source-d" is [d].
std::string Citations::item(const std::string& key, const std::string& anchor) const {
  static const Pattern source("source-([a-z])");
  const std::vector<std::string> letter = source.match(key);
  return fmt::format("1. <a id=\"{}\"></a>{}{}", anchor,
                     letter.empty() ? "" : fmt::format("\\[{}\\] ", letter[1]),
                     reference_text(known_.at(key)));
}

}  // namespace perp::report
