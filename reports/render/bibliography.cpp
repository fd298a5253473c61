#include "reports/render/bibliography.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "perp/base/error.hpp"
#include "perp/io/file.hpp"
#include "perp/io/message.hpp"
#include "reports/render/text.hpp"

namespace perp::report {
namespace {

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
    const auto found = reference.find(name);
    return found == reference.end() ? std::string() : found->second;
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
  static const Pattern opening(R"(@[a-z]+\{([^\s,{}]+),)"),
      field(R"(([a-z]+) = \{((?:[^{}]|\{[^{}]*\})+)\},?)");
  std::map<std::string, Reference> entries;
  Reference* open = nullptr;
  std::size_t number = 0;
  for (const std::string& line : split(text, '\n')) {
    const std::string place = fmt::format("{}:{}", name, ++number);
    if (line.empty() || line.starts_with('%')) continue;
    const std::vector<std::string> key = opening.match(line), value = field.match(line);
    if (!open && !key.empty()) {
      const auto [entry, is_new] = entries.try_emplace(key[1]);
      require(is_new, "{}: the key '{}' is given twice", place, key[1]);
      open = &entry->second;
    } else if (open && !value.empty()) {
      std::string plain = value[2];
      std::erase_if(plain, [](char c) { return c == '{' || c == '}'; });
      require(!trim(plain).empty(), "{}: {} is empty", place, value[1]);
      require(open->emplace(value[1], trim(plain)).second, "{}: {} is given twice", place, value[1]);
    } else if (open && line == "}") {
      for (const char* needed : {"author", "title", "year"})
        require(open->contains(needed), "{}: the entry that ends here has no {}", place, needed);
      open = nullptr;
    } else {
      refuse("{}: expected {}, found {}", place, open ? "'name = {value},' or '}'" : "'@kind{key,'",
             in_quotes(line));
    }
  }
  require(open == nullptr, "{}:{}: the last entry is never closed", name, number);
  return entries;
}

std::string reference_text(const Reference& reference) {
  std::string text = fmt::format("{} {}", ended(authors_of(reference.at("author"))),
                                 ended(escape_markdown(reference.at("title"))));
  for (const char* where : {"journal", "booktitle", "publisher", "institution", "howpublished"}) {
    const auto found = reference.find(where), volume = reference.find("volume");
    if (found == reference.end()) continue;
    text += fmt::format(" *{}*", escape_markdown(found->second));
    if (volume != reference.end()) text += fmt::format(" {}", escape_markdown(volume->second));
    text += ",";
    break;
  }
  text += " " + ended(escape_markdown(reference.at("year")));
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
