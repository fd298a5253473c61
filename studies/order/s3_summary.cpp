// S3: tables, findings and rule.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "perp/model/transformer.hpp"
#include "studies/order/claims.hpp"
#include "studies/order/s3_rows.hpp"
#include "studies/order/setup.hpp"

namespace perp::order {
namespace {

double bound_of(std::size_t products, std::string_view precision) {
  const double u = precision == "float32" ? 0x1p-24 : 0x1p-53;
  return model::rounding_bound(products, std::max(rows_shape.inner, rows_length), u);
}

struct Defect {
  double least = INFINITY, largest = 0, bound = 0;
  std::uint64_t n = 0;
};
using Place = std::tuple<std::string, std::string, std::string>;  // encoding, precision, part

std::map<Place, Defect> collect(const std::vector<CellRecords>& cells) {
  std::map<Place, Defect> all;
  for (const Coordinates& r : records_of(cells, "defect")) {
    Defect& d = all[{text_at(r, "encoding"), text_at(r, "precision"), text_at(r, "part")}];
    d.least = std::min(d.least, number_at(r, "least"));
    d.largest = std::max(d.largest, number_at(r, "largest"));
    d.bound = bound_of(size_at(r, "products"), text_at(r, "precision"));
    d.n += static_cast<std::uint64_t>(integer_at(r, "permutations"));
  }
  return all;
}

Table defect_table(const std::map<Place, Defect>& all) {
  Table table{
      "s3_defect.csv",
      {{"part", "", Kind::exact, "part of a block, as a function f of all tokens"},
       {"precision", "", Kind::exact, "arithmetic"},
       {"encoding", "", Kind::exact, "none, or sinusoids added, which stay while words change places"},
       {"permutations", "1", Kind::exact, "random orders, over all draws"},
       {"least", "1", Kind::sampled, "|f(PX) - P f(X)|/|f(X)|, smallest over the permutations P"},
       {"largest", "1", Kind::sampled, "the same, largest"},
       {"bound", "1", Kind::exact, "2 · products in a row · √(4d) · u: what rounding may do"},
       {"over", "rounding bounds", Kind::sampled, "largest over bound"}},
      {}};
  for (const Part& part : parts)
    for (const char* encoding : {"none", "sinusoidal"})
      for (const char* precision : {"float64", "float32"}) {
        const Defect& d = all.at({encoding, precision, std::string(part.name)});
        table.add({std::string(part.name), std::string(precision), std::string(encoding),
                   static_cast<std::int64_t>(d.n), d.least, d.largest, d.bound, d.largest / d.bound});
      }
  return table;
}

std::map<std::pair<std::string, std::string>, std::vector<double>> reads_of(
    const std::vector<CellRecords>& cells) {
  std::map<std::pair<std::string, std::string>, std::vector<double>> all;
  for (const Coordinates& r : records_of(cells, "read"))
    all[{text_at(r, "part"), text_at(r, "encoding")}].push_back(number_at(r, "r2"));
  return all;
}

Table read_table(const std::vector<CellRecords>& cells) {
  Table table{
      "s3_read.csv",
      {{"part", "", Kind::exact, "whose rows are read"},
       {"encoding", "", Kind::exact, "none, or sinusoids added"},
       {"r2", "1", Kind::sampled,
        "held-out R² of a token's place from its row, entries and squares, mean over draws", "low", "high"},
       {"low", "1", Kind::sampled, "Student's t over draws, 99 %"},
       {"high", "1", Kind::sampled, "Student's t over draws, 99 %"},
       {"draws", "1", Kind::exact, "draws of words and weights"}},
      {}};
  for (const auto& [key, values] : reads_of(cells)) {
    const Estimate r2 = over_draws(values);
    table.add({key.first, key.second, r2.value, r2.low.value_or(std::nan("")), r2.high.value_or(std::nan("")),
               whole(values.size())});
  }
  return table;
}

void add_defects(const std::map<Place, Defect>& all, std::vector<Finding>& findings) {
  for (const Part& part : parts)
    for (const char* encoding : {"none", "sinusoidal"})
      for (const char* precision : {"float64", "float32"}) {
        const std::string name(part.name), told(encoding);
        const Defect& d = all.at({told, precision, name});
        // Exactly none, if each row is made from its own token or from all of them alike.
        const bool none = told == no_encoding && part.name != "masked_attention";
        findings.push_back(finding(
            "S3", "defect", {{"part", name}, {"encoding", told}, {"precision", std::string(precision)}},
            {(none ? d.largest : d.least) / d.bound},
            {.theory = none ? std::optional(0.0) : std::nullopt,
             .unit = "rounding bounds",
             .n = d.n,
             .kind = none ? Kind::rounded : Kind::sampled,
             .meaning = fmt::format("|f(PX) - P f(X)|/|f(X)| over what rounding may do, {} over the "
                                    "permutations.",
                                    none ? "largest" : "smallest")}));
      }
}

}  // namespace

Outcome summarise_rows(const std::vector<CellRecords>& cells) {
  const auto all = collect(cells);
  Outcome outcome;
  outcome.tables = {defect_table(all), read_table(cells)};
  add_defects(all, outcome.findings);
  for (const auto& [key, values] : reads_of(cells))
    outcome.findings.push_back(finding("S3", "read", {{"part", key.first}, {"encoding", key.second}},
                                       over_draws(values),
                                       {.theory = 0.0,
                                        .n = values.size(),
                                        .kind = Kind::sampled,
                                        .meaning = "Held-out R² of a token's place from its row, entries and "
                                                   "squares, mean over draws; theory: chance."}));
  // Rows that carried the order would change when words change places, not only move.
  for (std::size_t k = 0; k < claimed_parts; ++k) {
    const std::string rows_of(parts[k].name);
    outcome.rule.push_back(
        {.finding = fmt::format("S3.defect.{}.none.float64", rows_of),
         .is = Is::above,
         .bound = 1.0,
         .evidence = Evidence::theorem,
         .levels = {{"rows", rows_of}},
         .says = fmt::format("permutation defect of the {} map, without encoding, in rounding "
                             "bounds, float64",
                             rows_of)});
  }
  const auto value = [&](const char* id) {
    const Finding* found = find(outcome.findings, id);
    return found ? found->value : std::nan("");
  };
  double worst = 0;
  for (std::size_t k = 0; k < claimed_parts; ++k)
    for (const char* precision : {"float64", "float32"})
      worst = std::max(worst, value(fmt::format("S3.defect.{}.none.{}", parts[k].name, precision).c_str()));
  const Finding* bare = find(outcome.findings, "S3.read.query.none");
  outcome.condition = fmt::format(
      "the rows of Q, K and V move with their words and otherwise change by {:.1g} rounding bounds at most; "
      "a row of Q gives its place with R² = {:.2f} bare, {:.2f} with sinusoids{}",
      worst, two_decimals(value("S3.read.query.none")), two_decimals(value("S3.read.query.sinusoidal")),
      few_draws(bare ? bare->n : 0));
  outcome.matters =
      "the row number is an address in memory; a causal mask reads it, and so does whatever is added by "
      "place";
  return outcome;
}

}  // namespace perp::order
