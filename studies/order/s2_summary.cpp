// S2: tables, findings and rule.

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <tuple>

#include "studies/order/claims.hpp"
#include "studies/order/s2_mask.hpp"
#include "studies/order/setup.hpp"

namespace perp::order {
namespace {

/// R² from which a place counts as read.
constexpr double readable = 0.5;

std::string short_name(const std::string& mask) { return mask == "causal" ? "causal" : "both"; }

Table variance_table(const std::vector<CellRecords>& cells) {
  Table table{
      "s2_variance.csv",
      {{"mask", "", Kind::exact, "causal, or both ways"},
       {"scores", "", Kind::exact, "uniform: all scores equal; random: from random weights"},
       {"place", "1", Kind::exact, "t, from 1, of 64"},
       {"sequences", "1", Kind::exact, "sequences of independent words"},
       {"variance", "1", Kind::sampled,
        "variance of attention's output before the output map, over that of its values", "low", "high"},
       {"low", "1", Kind::sampled, "Student's t over sequences, 99 %"},
       {"high", "1", Kind::sampled, "Student's t over sequences, 99 %"},
       {"line", "1", Kind::exact, "uniform scores: 1/(tokens seen)"}},
      {}};
  for (const Coordinates& r : records_of(cells, "variance")) {
    const bool uniform = text_at(r, "scores") == "uniform";
    const double seen =
        text_at(r, "mask") == "causal" ? number_at(r, "place") : static_cast<double>(mask_length);
    table.add({at(r, "mask"), at(r, "scores"), at(r, "place"), at(r, "n"), at(r, "value"), at(r, "low"),
               at(r, "high"), uniform ? 1 / seen : std::nan("")});
  }
  return table;
}

/// Held-out R², one value per draw.
using Place = std::tuple<std::string, std::string, std::int64_t, std::string, std::string>;
struct Read {
  std::vector<double> log, place;
};
std::vector<std::pair<Place, Read>> collect(const std::vector<CellRecords>& cells) {
  std::vector<std::pair<Place, Read>> all;
  std::map<Place, std::size_t> index;
  for (const Coordinates& r : records_of(cells, "read")) {
    const Place key{text_at(r, "mask"), text_at(r, "first"), integer_at(r, "depth"), text_at(r, "where"),
                    text_at(r, "how")};
    const auto [it, fresh] = index.emplace(key, all.size());
    if (fresh) all.push_back({key, {}});
    all[it->second].second.log.push_back(number_at(r, "log"));
    all[it->second].second.place.push_back(number_at(r, "place"));
  }
  return all;
}

Table read_table(const std::vector<std::pair<Place, Read>>& all) {
  Table table{
      "s2_read.csv",
      {{"mask", "", Kind::exact, "causal, or both ways"},
       {"first", "", Kind::exact, "first word of a sequence: any, or the same in all"},
       {"depth", "1", Kind::exact, "blocks passed; 0: the words themselves"},
       {"where", "", Kind::exact, "stream: the states after the block; attention: the mean values inside it"},
       {"how", "", Kind::exact, "entries: linear in the entries; squares: in them and their squares"},
       {"r2", "1", Kind::sampled, "held-out R² of ln t, mean over draws", "low", "high"},
       {"low", "1", Kind::sampled, "Student's t over draws of words and weights, 99 %"},
       {"high", "1", Kind::sampled, "Student's t over draws of words and weights, 99 %"},
       {"r2_place", "1", Kind::sampled, "held-out R² of t itself, mean over draws"},
       {"draws", "1", Kind::exact, "draws of words and weights"}},
      {}};
  for (const auto& [key, read] : all) {
    const auto& [mask, first, depth, where, how] = key;
    const Estimate log = over_draws(read.log);
    table.add({mask, first, depth, where, how, log.value, log.low.value_or(std::nan("")),
               log.high.value_or(std::nan("")), over_draws(read.place).value, whole(read.log.size())});
  }
  return table;
}

void add_variance(const std::vector<CellRecords>& cells, std::vector<Finding>& findings) {
  for (const Coordinates& r : records_of(cells, "variance")) {
    const auto place = static_cast<std::uint64_t>(integer_at(r, "place"));
    const bool uniform = text_at(r, "scores") == "uniform", causal = text_at(r, "mask") == "causal";
    if (place != mask_length && (!causal || (place != 2 && place != 8 && place != 32))) continue;
    const double seen = causal ? static_cast<double>(place) : static_cast<double>(mask_length);
    findings.push_back(finding(
        "S2", "variance",
        {{"scores", at(r, "scores")}, {"mask", short_name(text_at(r, "mask"))}, {"t", at(r, "place")}},
        {number_at(r, "value") * seen, number_at(r, "low") * seen, number_at(r, "high") * seen, shown_level},
        {.theory = uniform ? std::optional(1.0) : std::nullopt,
         .n = static_cast<std::uint64_t>(integer_at(r, "n")),
         .kind = Kind::sampled,
         .meaning = "Variance of attention's output before the output map, times the tokens seen, over that "
                    "of its values; theory for uniform scores: 1."}));
  }
}

void add_reads(const std::vector<std::pair<Place, Read>>& all, std::vector<Finding>& findings) {
  for (const auto& [key, read] : all) {
    const auto& [mask, first, depth, where, how] = key;
    if (depth != 1 && depth != static_cast<std::int64_t>(mask_shape.depth)) continue;
    findings.push_back(finding(
        "S2", "read",
        {{"mask", short_name(mask)}, {"where", where}, {"how", how}, {"first", first}, {"depth", depth}},
        over_draws(read.log),
        {.theory = 0.0,
         .n = read.log.size(),
         .kind = Kind::sampled,
         .meaning = "Held-out R² of the logarithm of a token's place, mean over draws "
                    "of words and weights; theory: chance."}));
  }
}

Rule rule() {
  const auto read = [](const char* mask, const char* finding_of, Is is, const char* says) {
    return Condition{.finding = finding_of,
                     .is = is,
                     .bound = readable,
                     .evidence = Evidence::simulation,
                     .levels = {{"attention", mask}},
                     .says = says,
                     .needs = "at least 8 seeds"};
  };
  Rule rule = {
      read("causal", "S2.read.causal.attention.squares.any.depth1", Is::above,
           "R² of ln t, linear in entries and squares of attention's output, causal mask, first block"),
      read("both ways", "S2.read.both.attention.squares.any.depth1", Is::below,
           "R² of ln t, linear in entries and squares of attention's output, no mask, first block"),
      read("causal", "S2.read.causal.stream.entries.any.depth12", Is::above,
           "R² of ln t, linear in the states after 12 random blocks, causal mask")};
  rule.back().role = Role::limit;
  return rule;
}

}  // namespace

Outcome summarise_mask(const std::vector<CellRecords>& cells) {
  const auto reads = collect(cells);
  Outcome outcome;
  outcome.tables = {variance_table(cells), read_table(reads)};
  add_variance(cells, outcome.findings);
  add_reads(reads, outcome.findings);
  outcome.rule = rule();
  const auto value = [&](const char* id) {
    const Finding* found = find(outcome.findings, id);
    return found ? two_decimals(found->value) : std::nan("");
  };
  const Finding* first = find(outcome.findings, "S2.read.causal.attention.squares.any.depth1");
  const std::uint64_t draws = first ? first->n : 0;
  outcome.condition = fmt::format(
      "squares of attention's outputs give a token's place with R² = {:.2f} under a mask and {:.2f} without; "
      "a linear map of the states after twelve random blocks gives {:.2f}{}",
      value("S2.read.causal.attention.squares.any.depth1"),
      value("S2.read.both.attention.squares.any.depth1"), value("S2.read.causal.stream.entries.any.depth12"),
      few_draws(draws));
  outcome.matters = fmt::format(
      "decoders like GPT-2 have the mask; where all texts begin alike the linear map gives {:.2f}, "
      "and training may move place to where it is read",
      value("S2.read.causal.stream.entries.same.depth12"));
  return outcome;
}

}  // namespace perp::order
