#include "perp/study/claim.hpp"

#include "perp/base/error.hpp"

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

double Summary::value(std::string_view id) const {
  const Finding* found = find(findings, whole_id(claim_, id));
  require(found != nullptr, "{}: no finding '{}'", claim_, id);
  return found->value;
}

Outcome Summary::finish() && {
  complete(*this, claim_);
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
