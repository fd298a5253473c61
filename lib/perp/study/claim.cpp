#include "perp/study/claim.hpp"

#include "perp/base/error.hpp"
#include "perp/study/number.hpp"

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

std::string Summary::whole_id(std::string_view id) const {
  return id.empty() || id == "theory" ? std::string(id) : fmt::format("{}.{}", claim_, id);
}

double Summary::value(std::string_view id) const {
  const Finding* found = find(findings, whole_id(id));
  require(found != nullptr, "{}: no finding '{}'", claim_, id);
  return found->value;
}

std::string Summary::filled(std::string_view sentence) const {
  std::string text;
  for (std::size_t end; !sentence.empty(); sentence.remove_prefix(std::min(end + 2, sentence.size()))) {
    const std::size_t begin = std::min(sentence.find("{{"), sentence.size());
    text += sentence.substr(0, begin);
    sentence.remove_prefix(begin);
    end = std::min(sentence.find("}}"), sentence.size());
    if (sentence.empty()) break;
    require(end < sentence.size(), "{}: '{}' has no '}}}}'", claim_, sentence);
    const std::string_view tag = sentence.substr(2, end - 2);
    const std::size_t bar = std::min(tag.find('|'), tag.size());
    text += format_number(value(tag.substr(0, bar)), tag.substr(std::min(bar + 1, tag.size())));
  }
  return text;
}

Outcome Summary::finish() && {
  condition = filled(condition);
  matters = filled(matters);
  for (Condition& line : rule) {
    line.finding = whole_id(line.finding);
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

}  // namespace perp
