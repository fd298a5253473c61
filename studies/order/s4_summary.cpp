// S4: tables, findings and rule.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "studies/order/claims.hpp"
#include "studies/order/s4_depth.hpp"
#include "studies/order/setup.hpp"

namespace perp::order {
namespace {

using Place = std::tuple<std::string, std::string, std::size_t>;  // meeting, variant, depth
struct Read {
  std::vector<double> place, word, spread;
};
using Reads = std::map<Place, Read>;

Reads collect(const std::vector<CellRecords>& cells) {
  Reads all;
  for (const Coordinates& r : records_of(cells, "read")) {
    Read& read = all[{text_at(r, "meeting"), text_at(r, "variant"), size_at(r, "depth")}];
    read.place.push_back(number_at(r, "place"));
    read.word.push_back(number_at(r, "word"));
    read.spread.push_back(number_at(r, "spread"));
  }
  return all;
}

const Read& at_depth(const Reads& all, std::string_view meeting, std::string_view variant,
                     std::size_t depth) {
  return all.at({std::string(meeting), std::string(variant), depth});
}

Table read_table(const Reads& all) {
  Table table{
      "s4_read.csv",
      {{"meeting", "", Kind::exact,
        "add: sinusoid added; concat: 48 dimensions for words, 16 for positions; rotary: queries and keys "
        "turned"},
       {"variant", "", Kind::exact,
        "full: residuals, LayerNorm before each layer, feed-forward; norm_after: LayerNorm after the sum; "
        "no_…: without that; bare: attention alone, without any of the three"},
       {"depth", "1", Kind::exact, "blocks passed"},
       {"place", "1", Kind::sampled, "held-out R² of a token's place, linear, mean over draws", "place_low",
        "place_high"},
       {"place_low", "1", Kind::sampled, "Student's t over draws of words and weights, 99 %"},
       {"place_high", "1", Kind::sampled, "Student's t over draws of words and weights, 99 %"},
       {"word", "1", Kind::sampled,
        "held-out R² of the token's own word vector, mean over its entries and draws", "word_low",
        "word_high"},
       {"word_low", "1", Kind::sampled, "Student's t over draws of words and weights, 99 %"},
       {"word_high", "1", Kind::sampled, "Student's t over draws of words and weights, 99 %"},
       {"spread", "share", Kind::sampled,
        "root of the share of the states' energy that differs within a sequence, mean over draws"},
       {"place_line", "1", Kind::exact,
        "depth 0: R² of the place for any number of tokens, from covariances"},
       {"word_line", "1", Kind::exact, "the same of the word"},
       {"chance", "1", Kind::exact, "R² of a read-out that knows nothing but the mean"},
       {"draws", "1", Kind::exact, "draws of words and weights"}},
      {}};
  const auto none = [](const std::optional<double>& x) { return x.value_or(std::nan("")); };
  for (const std::string_view meeting : meetings)
    for (const std::string_view variant : variants)
      for (const std::size_t depth : read_depths) {
        const Read& read = at_depth(all, meeting, variant, depth);
        const Estimate place = over_draws(read.place), word = over_draws(read.word);
        table.add({std::string(meeting), std::string(variant), whole(depth), place.value, none(place.low),
                   none(place.high), word.value, none(word.low), none(word.high),
                   over_draws(read.spread).value, depth == 0 ? line_at_input(meeting).place : std::nan(""),
                   depth == 0 ? line_at_input(meeting).word : std::nan(""), 0.0, whole(read.place.size())});
      }
  return table;
}

/// The last depth that was read up to which the mean over draws stays at `lost` or above; -1 if not even the
/// input does.
int reach(const Reads& all, std::string_view meeting, std::string_view variant,
          std::vector<double> Read::*what) {
  int last = -1;
  for (const std::size_t depth : read_depths) {
    if (over_draws(at_depth(all, meeting, variant, depth).*what).value < lost) break;
    last = static_cast<int>(depth);
  }
  return last;
}

Table reach_table(const Reads& all) {
  Table table{
      "s4_reach.csv",
      {{"meeting", "", Kind::exact, "as in s4_read.csv"},
       {"variant", "", Kind::exact, "as in s4_read.csv"},
       {"place", "blocks", Kind::count,
        "most blocks of 1, 2, 3, 4, 6, 8, 12, 16, 20, 24 after which R² of the place is still .5; -1: "
        "not even before the first"},
       {"word", "blocks", Kind::count, "the same of the word"}},
      {}};
  for (const std::string_view meeting : meetings)
    for (const std::string_view variant : variants)
      table.add({std::string(meeting), std::string(variant),
                 std::int64_t{reach(all, meeting, variant, &Read::place)},
                 std::int64_t{reach(all, meeting, variant, &Read::word)}});
  return table;
}

void add_findings(const Reads& all, std::vector<Finding>& findings) {
  for (const std::string_view meeting : meetings)
    for (const std::string_view variant : variants) {
      const Coordinates place{{"meeting", std::string(meeting)}, {"variant", std::string(variant)}};
      for (const std::size_t depth : {std::size_t{0}, std::size_t{1}, std::size_t{6}, depth_blocks}) {
        const Read& read = at_depth(all, meeting, variant, depth);
        Coordinates at = place;
        at.emplace_back("depth", whole(depth));
        const auto add = [&](const char* measure, const std::vector<double>& values, double line,
                             const char* what) {
          findings.push_back(finding(
              "S4", measure, at, over_draws(values),
              {.theory = depth == 0 ? line : 0.0,
               .n = values.size(),
               .kind = Kind::sampled,
               .meaning =
                   fmt::format("Held-out R² of {} from the states, linear, mean over draws of words "
                               "and weights; theory: {}.",
                               what, depth == 0 ? "from the covariances, any number of tokens" : "chance")}));
        };
        add("place", read.place, line_at_input(meeting).place, "a token's place");
        if (depth == 6 || depth == depth_blocks)
          findings.push_back(
              finding("S4", "spread", at, over_draws(read.spread),
                      {.unit = "share",
                       .n = read.spread.size(),
                       .kind = Kind::sampled,
                       .meaning = "Root of the share of the states' energy that differs within "
                                  "a sequence, mean over draws."}));
        add("word", read.word, line_at_input(meeting).word, "a token's own word vector");
      }
      for (const bool word : {false, true})
        findings.push_back(finding(
            "S4", word ? "word_reach" : "place_reach", place,
            {static_cast<double>(reach(all, meeting, variant, word ? &Read::word : &Read::place))},
            {.unit = "blocks",
             .n = read_depths.size(),
             .kind = Kind::count,
             .meaning = fmt::format("Most blocks, of those read, after which R² of {} is still one half or "
                                    "more; -1: not even before the first.",
                                    word ? "the word" : "the place")}));
    }
}

/// With residuals, LayerNorm before each layer as in GPT-2 or after it as in BERT; without is where it ends.
Rule rule() {
  struct Variant {
    const char *name, *residuals, *says;
  };
  constexpr Variant asked[] = {{"full", "LayerNorm before", "residuals, LayerNorm before each layer"},
                               {"norm_after", "LayerNorm after", "residuals, LayerNorm after each layer"},
                               {"no_residual", "none", "no residuals"}};
  Rule rule;
  for (const Variant& variant : asked)
    for (const char* meeting : {"add", "concat"}) {
      const char* positions = meeting == std::string_view("add") ? "added" : "concatenated";
      rule.push_back(
          {.finding = fmt::format("S4.place.{}.{}.depth{}", meeting, variant.name, depth_blocks),
           .is = Is::above,
           .bound = lost,
           .role = variant.name == std::string_view("no_residual") ? Role::limit : Role::core,
           .evidence = Evidence::simulation,
           .levels = {{"positions", positions}, {"residuals", variant.residuals}},
           .says = fmt::format("R² of a token's place, linear, after {} random blocks, positions {}, "
                               "{}",
                               depth_blocks, positions, variant.says),
           .needs = "at least 8 seeds"});
    }
  return rule;
}

}  // namespace

Outcome summarise_depth(const std::vector<CellRecords>& cells) {
  const Reads all = collect(cells);
  Outcome outcome;
  outcome.tables = {read_table(all), reach_table(all)};
  add_findings(all, outcome.findings);
  outcome.rule = rule();
  const auto value = [&](const char* id) {
    const Finding* found = find(outcome.findings, id);
    return found ? two_decimals(found->value) : std::nan("");
  };
  outcome.condition = fmt::format(
      "with residuals a linear read-out gives a token's place after 24 random blocks with R² = {:.2f} "
      "(added) and {:.2f} (concatenated), without them with {:.2f} and {:.2f}",
      value("S4.place.add.full.depth24"), value("S4.place.concat.full.depth24"),
      value("S4.place.add.no_residual.depth24"), value("S4.place.concat.no_residual.depth24"));
  outcome.matters = fmt::format(
      "models have 12 to 24 blocks and more, with residuals; the word is read with R² = {:.2f} and "
      "{:.2f}; training may erase either",
      value("S4.word.add.full.depth24"), value("S4.word.concat.full.depth24"));
  return outcome;
}

}  // namespace perp::order
