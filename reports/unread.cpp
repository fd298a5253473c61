#include "reports/unread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "perp/io/file.hpp"
#include "reports/pattern.hpp"
#include "reports/scanner.hpp"

namespace perp::report {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string, std::less<>>;

constexpr std::string_view parts_of_a_name =
    "abcdefghijklmnopqrstuvwxyz0123456789_.ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Every word of letters, digits, points and underlines.
Names words_in(std::string_view text) {
  Names words;
  for (std::size_t at; (at = text.find_first_of(parts_of_a_name)) != text.npos;) {
    const std::size_t end = std::min(text.find_first_not_of(parts_of_a_name, at), text.size());
    std::string_view word = text.substr(at, end - at);
    while (word.ends_with('.')) word.remove_suffix(1);  // of a sentence
    words.emplace(word);
    text.remove_prefix(end);
  }
  return words;
}

/// M3.overlap of M3.overlap.minilm and M3.overlap.minilm.k8: models have names of their own.
std::string of_any_model(const std::string& id) {
  return id.starts_with('M') || id.starts_with("A11.") ? id.substr(0, id.find('.', id.find('.') + 1)) : id;
}

/// Ids that texts and rules name, "O1.x.low" as O1.x, too.
Names named_findings(const Facts& facts, const std::vector<std::string>& texts) {
  static const Pattern form(R"([A-Z][0-9]+(\.[a-z0-9_]+)+)");
  Names named;
  const auto add = [&](const std::string& id) {
    if (!form.fits(id)) return;
    named.insert(of_any_model(id));
    named.insert(of_any_model(id.substr(0, id.rfind('.'))));
  };
  for (const std::string& text : texts)
    for (const std::string& word : words_in(text)) add(word);
  for (const Results& study : facts.studies())
    for (const Claim& claim : study.claims)
      for (const Condition& condition : claim.rule) {
        add(condition.finding);
        if (const auto* bound = std::get_if<std::string>(&condition.bound)) add(*bound);
      }
  return named;
}

/// Draws and seeds one by one; M10's table, of which the report has no section.
bool is_for_programs(std::string_view file) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"_draws.", "_pairs.", "_seeds.", "_tiles.", "_codebooks.",
                                              "choices.", "m10_layers."},
      [&](std::string_view part) { return file.find(part) != file.npos; });
}

/// Whether a script draws the file `data` as a matrix: "data_v5_matrix skip 1 matrix with image". A column, a
/// caption or another file of the word matrix does not.
bool draws_as_matrix(std::string_view script, const std::string& data) {
  for (std::size_t at = 0; (at = script.find(data, at)) != script.npos; at += data.size()) {
    const std::string_view drawn = script.substr(at, script.find_first_of(",\n", at) - at);
    if (drawn.starts_with(data + " ") && drawn.find(" matrix ") != drawn.npos) return true;
  }
  return false;
}

/// What the templates' tags {{table study/file …}} and {{cell study/file …}} and the scripts of figures that need it say of a table.
struct Readers {
  Names words;
  bool any = false, whole = false;

  void add(std::string_view text) {
    any = true;
    words.merge(words_in(text));
  }
};

}  // namespace

std::vector<std::string> unread(const Facts& facts, const std::vector<Figure>& figures,
                                const fs::path& templates) {
  std::vector<std::string> texts;
  std::vector<std::string> tables;  // tags
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(templates)) {
    if (entry.path().extension() != ".md") continue;
    texts.push_back(read_file(entry.path()));
    for (const Piece& piece : scan(texts.back(), entry.path().string(), 1))
      if (piece.is_tag && (piece.text.starts_with("table ") || piece.text.starts_with("cell ")))
        tables.push_back(piece.text);
  }
  std::vector<std::string> scripts;
  for (const Figure& figure : figures) scripts.push_back(read_file(figure.script));
  std::vector<std::string> all = texts;
  all.insert(all.end(), scripts.begin(), scripts.end());
  const Names named = named_findings(facts, all);
  std::vector<std::string> found;
  for (const Results& study : facts.studies()) {
    for (const Finding& finding : study.findings)
      if (!named.contains(of_any_model(finding.id))) found.push_back(finding.id);
    for (const Table& table : study.tables) {
      const std::string name = fmt::format("{}/{}", study.study, table.file);
      Readers readers;
      for (const std::string& tag : tables)
        if (words_of(tag).at(1) == name) readers.add(tag);
      for (std::size_t f = 0; f < figures.size(); ++f)
        for (const auto* read : {&figures[f].needs, &figures[f].also})
          if (std::ranges::find(*read, name) != read->end()) {
            readers.add(scripts[f]);
            readers.whole |= draws_as_matrix(scripts[f], data_name(name));
          }
      if (is_for_programs(table.file)) continue;
      if (!readers.any) {
        found.push_back(name);
        continue;
      }
      if (readers.whole) continue;
      for (const Column& column : table.columns) {
        const bool is_end = std::ranges::any_of(table.columns, [&](const Column& of) {
          return (of.low == column.name || of.high == column.name) && readers.words.contains(of.name);
        });
        if (column.kind != Kind::exact && !is_end && !readers.words.contains(column.name))
          found.push_back(fmt::format("{}: {}", name, column.name));
      }
    }
  }
  return found;
}

}  // namespace perp::report
