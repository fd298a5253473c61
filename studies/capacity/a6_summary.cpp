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

/// Against adding at a usual place: keys and values kept, and a model of equal width whose head has a table
/// of its own, where the model that adds reads its head from the words' table. Words of fewer dimensions
/// cannot serve as a head for all dimensions of the block.
void add_bytes_and_head(const Table& table, std::vector<Finding>& findings) {
  double added_cache = 0, added_model = 0;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const std::string joining = to_text(table.at(i, "joining"));
    const double d = table.number(i, "d"), positions = table.number(i, "positions");
    if (d != judged_width || positions != judged_positions) continue;
    const double cache = table.number(i, "cache_bytes"), model = table.number(i, "model_parameters"),
                 head = static_cast<double>(cost_words) * d;
    if (joining == "added") {
      added_cache = cache;
      added_model = model;
      continue;
    }
    const Coordinates place{
        {"joining", table.at(i, "joining")}, {"d", table.at(i, "d")}, {"dp", table.at(i, "positions")}};
    findings.push_back(
        finding("A6", "cache_ratio", place, {cache / added_cache},
                {.kind = Kind::rounded,
                 .meaning = "Bytes of keys and values kept for a token and block relative to adding."}));
    if (joining != "divided") continue;
    findings.push_back(
        finding("A6", "untied_ratio", place, {(model + head) / added_model},
                {.kind = Kind::rounded,
                 .meaning = "Parameters of a model whose head has a table of its own, relative "
                            "to adding with a head tied to the words."}));
    findings.push_back(finding(
        "A6", "both_untied_ratio", place, {(model + head) / (added_model + head)},
        {.kind = Kind::rounded, .meaning = "The same, relative to adding with an untied head, too."}));
  }
}

/// At GPT-2 small's size with an eighth of the width for positions: what grows with the block where it is
/// wider, and what there is to pay at equal width.
Rule rule() {
  const auto above = [](const char* measure, const char* joining, Levels levels, const char* says) {
    return Condition{.finding = fmt::format("A6.{}.{}.d768.dp96", measure, joining),
                     .is = Is::above,
                     .bound = 1.0,
                     .evidence = Evidence::theorem,
                     .levels = std::move(levels),
                     .says = fmt::format("{} relative to adding, d = 768, d_p = 96", says)};
  };
  return {above("model_ratio", "appended", {{"width", "wider"}, {"what", "parameters"}},
                "parameters of the model, block wider by d_p,"),
          above("cache_ratio", "appended", {{"width", "wider"}, {"what", "bytes"}},
                "bytes of keys and values, block wider by d_p,"),
          above("operations_ratio", "appended", {{"width", "wider"}, {"what", "operations"}},
                "operations, block wider by d_p,"),
          above("model_ratio", "divided", {{"width", "equal"}, {"what", "parameters"}, {"head", "tied"}},
                "parameters of the model at equal width, head tied to the words,"),
          above("untied_ratio", "divided", {{"width", "equal"}, {"what", "parameters"}, {"head", "untied"}},
                "parameters of the model at equal width, untied head,"),
          above("cache_ratio", "divided", {{"width", "equal"}, {"what", "bytes"}},
                "bytes of keys and values at equal width,"),
          above("operations_ratio", "divided", {{"width", "equal"}, {"what", "operations"}},
                "operations at equal width,")};
}

}  // namespace

Outcome summarise_cost(const std::vector<CellRecords>& cells) {
  Outcome outcome;
  outcome.tables = {cost_table(cells), published_table()};
  add_published(outcome.findings);
  add_ranges(outcome.tables.front(), outcome.findings);
  add_usual(outcome.tables.front(), outcome.findings);
  add_bytes_and_head(outcome.tables.front(), outcome.findings);
  outcome.rule = rule();
  const auto value = [&](std::string_view id) {
    const Finding* found = find(outcome.findings, id);
    return found ? found->value : std::nan("");
  };
  outcome.condition = fmt::format(
      "a model an eighth wider has {:.3f} times the parameters of adding, {:.3f} times the cache and {:.3f} "
      "times the operations; at equal width {:.3f} times the parameters with a tied head, {:.3f} untied, and "
      "{:.3f} times the operations",
      value("A6.model_ratio.appended.d768.dp96"), value("A6.cache_ratio.appended.d768.dp96"),
      value("A6.operations_ratio.appended.d768.dp96"), value("A6.model_ratio.divided.d768.dp96"),
      value("A6.untied_ratio.divided.d768.dp96"), value("A6.operations_ratio.divided.d768.dp96"));
  outcome.matters = fmt::format(
      "that is a model of GPT-2 small's size, {:.0f} million parameters; a wider block has its price "
      "whatever the new dimensions hold, and at equal width the head decides",
      value("A6.model_parameters.gpt2") / 1e6);
  return outcome;
}

}  // namespace perp::capacity
