// A6: tables, findings and rule.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "studies/capacity/a6_cost.hpp"

namespace perp::capacity {
namespace {

Table cost_table(const std::vector<CellRecords>& cells) {
  Table table{"a6_cost.csv",
              {{"d", "1", Kind::exact, "width of the words when positions are added"},
               {"positions", "1", Kind::exact, "d_p: width of the positions when concatenated"},
               {"joining", "", Kind::exact,
                "added; appended: block d + d_p wide; divided: d - d_p for words, block d wide; projected: "
                "appended, then mapped back to d"},
               {"width", "1", Kind::exact, "width of the block"},
               {"block_parameters", "1", Kind::exact, "parameters of a block, inner width 4 times its own"},
               {"block_ratio", "1", Kind::rounded, "the same, relative to adding"},
               {"block_operations", "1", Kind::exact, "multiplications of a block over 1,024 tokens"},
               {"operations_ratio", "1", Kind::rounded, "the same, relative to adding"},
               {"cache_bytes", "bytes", Kind::exact, "keys and values of a token in a block, float32"},
               {"model_parameters", "1", Kind::exact, "parameters of 12 blocks and a table of 50,257 words"},
               {"model_bytes", "bytes", Kind::exact, "the same in float32"},
               {"model_ratio", "1", Kind::rounded, "the same, relative to adding"},
               {"model_operations", "1", Kind::exact, "multiplications of the model over 1,024 tokens"},
               {"model_operations_ratio", "1", Kind::rounded, "the same, relative to adding"},
               {"line", "1", Kind::exact, "(width/d)²: where the ratio of the blocks goes for wide blocks"}},
              {}};
  const auto ratio = [](const Coordinates& r, const Coordinates& added, std::string_view what) {
    return number_at(r, what) / number_at(added, what);
  };
  Coordinates added;
  for (const Coordinates& r : records_of(cells, "cost")) {
    if (text_at(r, "joining") == "added") added = r;
    const double wider = number_at(r, "width") / number_at(r, "d");
    table.add({at(r, "d"), at(r, "dp"), at(r, "joining"), at(r, "width"), at(r, "block_parameters"),
               ratio(r, added, "block_parameters"), at(r, "block_operations"),
               ratio(r, added, "block_operations"), whole(parameter_bytes * size_at(r, "block_cache")),
               at(r, "model_parameters"), whole(parameter_bytes * size_at(r, "model_parameters")),
               ratio(r, added, "model_parameters"), at(r, "model_operations"),
               ratio(r, added, "model_operations"), wider * wider});
  }
  return table;
}

std::uint64_t counted(const PublishedModel& model) {
  return theory::model_parameters(model.shape, theory::Joining::added) + model.besides;
}

Table published_table() {
  Table table{"a6_published.csv",
              {{"model", "", Kind::exact, "a released model"},
               {"width", "1", Kind::exact, "d"},
               {"blocks", "1", Kind::exact, "blocks"},
               {"words", "1", Kind::exact, "rows of the table of words"},
               {"block", "1", Kind::exact, "parameters of a block, counted"},
               {"block_published", "1", Kind::exact, "the same in the released checkpoint"},
               {"all", "1", Kind::exact, "parameters of the model, counted"},
               {"all_published", "1", Kind::exact, "the same as released"}},
              {}};
  for (const PublishedModel& model : published_models())
    table.add({std::string(model.name), whole(model.shape.width), whole(model.shape.blocks),
               whole(model.shape.words),
               whole(theory::block_parameters(theory::usual_block(model.shape.width))), whole(model.block),
               whole(counted(model)), whole(model.model)});
  return table;
}

void add_published(std::vector<Finding>& findings) {
  for (const PublishedModel& model : published_models()) {
    const Coordinates at{{"model", std::string(model.name)}};
    const double block =
        static_cast<double>(theory::block_parameters(theory::usual_block(model.shape.width)));
    findings.push_back(
        finding("A6", "block_parameters", at, {block},
                {.theory = static_cast<double>(model.block),
                 .meaning = "Parameters of a block, counted; theory: the released checkpoint."}));
    findings.push_back(
        finding("A6", "model_parameters", at, {static_cast<double>(counted(model))},
                {.theory = static_cast<double>(model.model),
                 .meaning = "Parameters of the model, counted; theory: the released checkpoint."}));
  }
}

/// Extremes of a ratio over all widths of one joining.
struct Range {
  double least = INFINITY, largest = 0;
  std::uint64_t n = 0;
};
Range range_of(const Table& table, std::string_view joining, std::string_view column) {
  Range range;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (to_text(table.at(i, "joining")) != joining) continue;
    range.least = std::min(range.least, table.number(i, column));
    range.largest = std::max(range.largest, table.number(i, column));
    ++range.n;
  }
  return range;
}

struct Ratio {
  const char *column, *measure, *meaning;
};
constexpr Ratio ratios[] = {
    {"block_ratio", "block_ratio", "Parameters of a block relative to adding"},
    {"operations_ratio", "operations_ratio", "Operations of a block over 1,024 tokens relative to adding"},
    {"model_ratio", "model_ratio", "Parameters of a model of 12 blocks and 50,257 words relative to adding"},
    {"model_operations_ratio", "model_operations_ratio",
     "Its operations over 1,024 tokens relative to adding"}};

void add_ranges(const Table& table, std::vector<Finding>& findings) {
  for (const Ratio& ratio : ratios)
    for (const char* joining : {"appended", "divided", "projected"}) {
      const Range range = range_of(table, joining, ratio.column);
      for (const bool least : {true, false})
        findings.push_back(
            finding("A6", fmt::format("{}_{}", ratio.measure, least ? "least" : "largest"),
                    {{"joining", std::string(joining)}}, {least ? range.least : range.largest},
                    {.n = range.n,
                     .kind = Kind::rounded,
                     .meaning = fmt::format("{}, {} over all widths, positions {}.", ratio.meaning,
                                            least ? "smallest" : "largest", joining)}));
    }
}

/// The rows that people meet: an eighth of the width for positions, and as many as the words have.
void add_usual(const Table& table, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const double d = table.number(i, "d"), positions = table.number(i, "positions");
    if (to_text(table.at(i, "joining")) == "added" || (8 * positions != d && positions != d)) continue;
    if (d != 512 && d != 768) continue;
    const Coordinates place{
        {"joining", table.at(i, "joining")}, {"d", table.at(i, "d")}, {"dp", table.at(i, "positions")}};
    for (const Ratio& ratio : ratios)
      findings.push_back(finding(
          "A6", ratio.measure, place, {table.number(i, ratio.column)},
          {.theory = std::string_view(ratio.column) == "block_ratio" ? std::optional(table.number(i, "line"))
                                                                     : std::nullopt,
           .kind = Kind::rounded,
           .meaning = fmt::format("{}{}.", ratio.meaning,
                                  std::string_view(ratio.column) == "block_ratio"
                                      ? "; theory: square of the widths' ratio"
                                      : "")}));
  }
}

}  // namespace

Outcome summarise_cost(const std::vector<CellRecords>& cells) {
  Outcome outcome;
  outcome.tables = {cost_table(cells), published_table()};
  add_published(outcome.findings);
  add_ranges(outcome.tables.front(), outcome.findings);
  add_usual(outcome.tables.front(), outcome.findings);
  // What costs must cost at every width: when positions get dimensions of their own, and when they share.
  for (const char* joining : {"appended", "divided"})
    for (const char* what : {"block_ratio", "operations_ratio", "model_ratio"})
      outcome.rule.push_back({fmt::format("A6.{}_least.{}", what, joining), Is::above, 1.0});
  const auto value = [&](std::string_view id) {
    const Finding* found = find(outcome.findings, id);
    return found ? found->value : std::nan("");
  };
  outcome.condition = fmt::format(
      "where concatenating widens the block: a block with an eighth more width has {:.3f} times the "
      "parameters "
      "and {:.3f} times the operations, one of double width {:.2f} and {:.2f} times; at equal width the "
      "block "
      "costs the same and the table of words shrinks, to {:.3f} of the whole model's parameters",
      value("A6.block_ratio.appended.d768.dp96"), value("A6.operations_ratio.appended.d768.dp96"),
      value("A6.block_ratio.appended.d768.dp768"), value("A6.operations_ratio.appended.d768.dp768"),
      value("A6.model_ratio.divided.d768.dp96"));
  return outcome;
}

}  // namespace perp::capacity
