#include "perp/study/claim.hpp"

#include <cctype>

#include "perp/base/error.hpp"
#include "perp/study/display_name.hpp"

namespace perp {

void Summary::add_table(std::string_view file, const Sequence& items, const Sequence& columns) {
  std::vector<Column> about;
  for (std::size_t c = 0; c < columns.count; ++c) columns.column(c).add_columns(about);
  Table made{file, std::move(about)};
  for (std::size_t i = 0; i < items.count; ++i) {
    std::vector<Value> row;
    for (std::size_t c = 0; c < columns.count; ++c) columns.column(c).add_values(items[i], row);
    made.add(std::move(row));
  }
  tables.push_back(std::move(made));
}

void Summary::add_findings(const Sequence& items, const Sequence& keys, const Sequence& columns) {
  for (std::size_t i = 0; i < items.count; ++i) {
    Coordinates at;
    for (std::size_t k = 0; k < keys.count; ++k)
      at.emplace_back(keys.column(k).about().name, keys.column(k).read(items[i]).value);
    for (std::size_t c = 0; c < columns.count; ++c)
      findings.push_back(columns.column(c).finding(claim_, at, items[i]));
  }
}

/// Another claim's finding is whole already.
std::string Summary::whole_id(std::string_view id) const {
  const bool is_whole = id.empty() || id == "theory" || std::isupper(static_cast<unsigned char>(id.front()));
  return is_whole ? std::string(id) : fmt::format("{}.{}", claim_, id);
}

double Summary::value(std::string_view id) const {
  const Finding* found = find(findings, whole_id(id));
  require(found != nullptr, "{}: no finding '{}'", claim_, id);
  return found->value;
}

namespace {

/// Where its first sentence, or the part of it before "; ", ends. A point in a number (".1", "99.9%") or behind
/// an abbreviation ("et al. 2019") ends none.
std::size_t first_part(std::string_view text) {
  const auto is_capital = [&](std::size_t at) { return std::isupper(static_cast<unsigned char>(text[at])); };
  for (std::size_t at = 1; at < text.size(); ++at) {
    const std::string_view rest = text.substr(at);
    if (rest == "." || rest.starts_with("; ") ||
        (rest.starts_with(". ") && rest.size() > 2 && is_capital(at + 2)))
      return at;
  }
  return text.size();
}

/// "Share of the pairs in order; theory: …", at d = 512: "share of the pairs in order, d = 512".
std::string fragment(const Finding& finding) {
  std::string text = finding.meaning.substr(0, first_part(finding.meaning));
  if (text.size() > 1 && (text[1] == ' ' || std::islower(static_cast<unsigned char>(text[1]))))
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  for (const auto& [name, value] : finding.at) {
    const std::string said = display_name(to_text(value), name);
    text += std::holds_alternative<std::string>(value) ? fmt::format(", {}", said)
                                                       : fmt::format(", {} = {}", name, said);
  }
  return text;
}

}  // namespace

Outcome Summary::finish() && {
  for (Condition& line : rule) {
    line.finding = whole_id(line.finding);
    const Finding* found = find(findings, line.finding);
    if (line.says.empty() && found) line.says = fragment(*found);
    if (auto* id = std::get_if<std::string>(&line.bound)) *id = whole_id(*id);
  }
  return std::move(*this);
}

void Experiment::conclude(std::function<void(const Cells&, Summary&)> follows) {
  summarise = [claim = claim, follows = std::move(follows)](const Cells& measured) {
    Summary summary(claim);
    follows(measured, summary);
    return std::move(summary).finish();
  };
}

void add_overall(Summary& summary, std::string_view measure, const Coordinates& at, double value,
                 std::uint64_t n, std::string_view meaning, std::optional<double> theory, Kind kind,
                 std::string_view unit) {
  summary.number(measure, at, {value},
                 {.theory = theory, .unit = unit, .n = n, .kind = kind, .meaning = meaning});
}

}  // namespace perp
