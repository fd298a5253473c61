#pragma once
// references.bib, and how a page cites it: [@key] or [@key; @other] becomes "[3]", the entries that a page
// cites stand in its list of references in the order in which it cites them.

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace perp::report {

/// Values by field, without braces; names in UTF-8, not in TeX's letters.
using Reference = std::map<std::string, std::string>;

/// By key, from what BibTeX and pandoc read, too, a line each: `@kind{key,`, `field = {value},` and `}`; lines that
/// begin with % are left out. Throws Error "name:line: …" for another form, what is given twice and an entry
/// without author, title or year.
std::map<std::string, Reference> references_from(std::string_view text, std::string_view name);

/// An entry as Markdown: authors (the first and "et al." of more than three), title, where, year, address.
std::string reference_text(const Reference& reference);

/// The citations of one page.
class Citations {
 public:
  /// The file is read at the first citation.
  explicit Citations(std::filesystem::path file) : file_(std::move(file)) {}

  /// Its number, from 1 in the order of the first calls. Throws Error for a key that is not there.
  std::size_t number(const std::string& key);

  /// Whether there is such an entry; no error where there is no file.
  bool knows(const std::string& key);

  /// The numbered list, each entry with the anchor `place(key)`.
  template <class Place>
  std::string list(const Place& place) {
    std::string text;
    for (const std::string& key : cited_) text += (text.empty() ? "" : "\n") + item(key, place("ref-" + key));
    return text;
  }

  const std::vector<std::string>& cited() const { return cited_; }
  /// Forgets what was cited since there were `count`: in prose that is thrown away.
  void forget_after(std::size_t count) { cited_.resize(count); }

 private:
  void read();
  std::string item(const std::string& key, const std::string& anchor) const;

  std::filesystem::path file_;
  bool is_read_ = false;
  std::map<std::string, Reference> known_;
  std::vector<std::string> cited_;
};

}  // namespace perp::report
