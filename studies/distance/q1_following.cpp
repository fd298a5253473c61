// Q1: weights that follow the tables: table and findings.

#include <algorithm>
#include <cmath>

#include "perp/base/error.hpp"
#include "studies/distance/q1_layout.hpp"
#include "studies/distance/q1_measures.hpp"

namespace perp::distance {
namespace {

/// A record of `change` read as a row.
struct Change {
  const Coordinates* record;
  double largest = 0, bound = 0;
};

Change read(const Coordinates& r) {
  const double any = number_at(r, "any_order");
  return {&r, std::isnan(any) ? number_at(r, "half_split") : std::max(any, number_at(r, "half_split")),
          number_at(r, "bound")};
}

Table change_table(const std::vector<Coordinates>& records) {
  Table table{
      "q1_change.csv",
      {{"measure", "", Kind::exact, "what is measured; its name in the findings"},
       {"label", "", Kind::exact, "the same in words"},
       {"d", "1", Kind::exact, "dimension"},
       {"positions", "1", Kind::exact, "L; base T = 10000, and T = 10 for d = 8"},
       {"numbers", "1", Kind::exact, "numbers that the measure gives"},
       {"half_split", "rounding", Kind::rounded,
        "largest change of one of them from interleaved to half-split, weights following"},
       {"orders", "1", Kind::exact, "random orders of the dimensions tried besides"},
       {"any_order", "rounding", Kind::rounded, "largest change over these; empty where there is no such"},
       {"bound", "1", Kind::rounded, "what rounding can do at worst"},
       {"relative", "", Kind::exact, "what the change is relative to"},
       {"formula", "", Kind::exact, "of the bound: u = 2^-53, v = 2^-24"}},
      {}};
  for (const LayoutMeasure& measure : layout_measures())
    for (const Coordinates& r : records)
      if (text_at(r, "measure") == measure.name)
        table.add({std::string(measure.name), std::string(measure.label), at(r, "d"), at(r, "l"),
                   at(r, "numbers"), at(r, "half_split"), at(r, "orders"), at(r, "any_order"), at(r, "bound"),
                   std::string(measure.relative), std::string(measure.bound)});
  return table;
}

}  // namespace

void add_following(const std::vector<CellRecords>& cells, Outcome& outcome) {
  const std::vector<Coordinates> records = records_of(cells, "change");
  outcome.tables.push_back(change_table(records));
  double worst = 0;
  std::uint64_t numbers = 0;
  for (const LayoutMeasure& measure : layout_measures()) {
    Change nearest{nullptr, 0, 1};
    std::uint64_t n = 0;
    for (const Coordinates& r : records) {
      if (text_at(r, "measure") != measure.name) continue;
      const Change c = read(r);
      n += size_at(r, "numbers") * (std::isnan(number_at(r, "any_order")) ? 1 : 1 + size_at(r, "orders"));
      if (!nearest.record || c.largest / c.bound > nearest.largest / nearest.bound) nearest = c;
    }
    if (!nearest.record) continue;
    numbers += n;
    worst = std::max(worst, nearest.largest / nearest.bound);
    outcome.findings.push_back(
        finding("Q1", "change", {{"measure", std::string(measure.name)}}, {nearest.largest},
                {.theory = nearest.bound,
                 .unit = "rounding",
                 .n = n,
                 .kind = Kind::rounded,
                 .meaning = fmt::format("Largest change of {} when tables and weights go over to another "
                                        "order of the dimensions, relative to {}, in the case nearest to "
                                        "its bound; theory: the bound by rounding, {}; n numbers compared.",
                                        measure.label, measure.relative, measure.bound)}));
    outcome.rule.push_back({.finding = outcome.findings.back().id,
                            .is = Is::below,
                            .bound = "theory",
                            .evidence = Evidence::theorem,
                            .levels = {{"measure", measure.label}},
                            .says = fmt::format("largest change of {} when tables and weights change their "
                                                "order together, beside its rounding bound",
                                                measure.label)});
  }
  outcome.findings.push_back(
      finding("Q1", "change_worst", {}, {worst},
              {.theory = 1,
               .unit = "rounding bounds",
               .n = numbers,
               .kind = Kind::rounded,
               .meaning = "Largest change of any measure over its bound; theory: the bound itself; n numbers "
                          "compared."}));
}

}  // namespace perp::distance
