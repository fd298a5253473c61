// Q3: tables, findings and rule.

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "perp/statistics/interval.hpp"
#include "perp/theory/bag.hpp"
#include "studies/capacity/claims.hpp"
#include "studies/capacity/q3_bag.hpp"

namespace perp::capacity {
namespace {

/// Two bags closer than this, relative, differ by rounding only.
constexpr double rounding = 1e-5;
/// "All but never wrong": what Q3.room asks of a reading.
constexpr double reliable = 0.99;

double share_of(const Coordinates& r, std::string_view what) {
  return number_at(r, what) / number_at(r, "read");
}

Table bag_table(const std::vector<CellRecords>& cells) {
  Table table{
      "q3_bag.csv",
      {{"key", "", Kind::exact,
        "how word and place are joined: sum; random signs or phases per place; rotary with its base"},
       {"base", "1", Kind::exact, "T of the sum's sinusoid and of rotary keys; empty for random keys"},
       {"d", "1", Kind::exact, "dimension"},
       {"tokens", "1", Kind::exact, "n: words in the sum"},
       {"share", "1", Kind::sampled, "places for which the right word of 1,000 is found", "low", "high"},
       {"low", "1", Kind::sampled, "Wilson, 99 %"},
       {"high", "1", Kind::sampled, "Wilson, 99 %"},
       {"line", "1", Kind::rounded, "theory: 1/n for the sum, normal interference for the others"},
       {"inside", "1", Kind::sampled, "places for which a word of the bag is found, right or wrong"},
       {"chance", "1", Kind::exact, "1/n: a word of the bag, at random"},
       {"apart", "1", Kind::sampled,
        "distance between the bags of one sentence and of its reverse, relative to the bag"},
       {"reads", "1", Kind::exact, "bags, one place asked of each"}},
      {}};
  for (const Coordinates& r : records_of(cells, "bag")) {
    const Interval i = wilson(size_at(r, "right"), size_at(r, "read"), shown_level);
    const double base = key_named(text_at(r, "key")).base;
    table.add({at(r, "key"), base > 0 ? base : std::nan(""), at(r, "d"), at(r, "n"), share_of(r, "right"),
               i.low, i.high, at(r, "line"), share_of(r, "inside"), theory::unpaired_share(size_at(r, "n")),
               at(r, "apart"), at(r, "read")});
  }
  return table;
}

void add_findings(const std::vector<CellRecords>& cells, std::vector<Finding>& findings) {
  for (const Coordinates& r : records_of(cells, "bag")) {
    const std::size_t n = size_at(r, "n"), d = size_at(r, "d"), read = size_at(r, "read");
    if (d != usual_width && n != usual_tokens) continue;
    const Coordinates place{{"key", at(r, "key")}, {"d", at(r, "d")}, {"n", at(r, "n")}};
    const Interval right = wilson(size_at(r, "right"), read, shown_level);
    findings.push_back(
        finding("Q3", "recovered", place, {share_of(r, "right"), right.low, right.high, right.level},
                {.theory = number_at(r, "line"),
                 .n = read,
                 .kind = Kind::sampled,
                 .meaning = "Share of places of a bag for which the right word of 1,000 is "
                            "found; theory: 1/n for sums, normal interference for the others."}));
    if (d != usual_width || n != usual_tokens) continue;
    const Interval inside = wilson(size_at(r, "inside"), read, shown_level);
    findings.push_back(finding("Q3", "inside", place,
                               {share_of(r, "inside"), inside.low, inside.high, inside.level},
                               {.theory = static_cast<double>(n) / static_cast<double>(bag_words),
                                .n = read,
                                .kind = Kind::sampled,
                                .meaning = "Share of places for which a word of the bag is found, right or "
                                           "wrong; theory: chance."}));
    findings.push_back(
        finding("Q3", "pairings_apart", place, {number_at(r, "apart")},
                {.kind = Kind::sampled,
                 .meaning = "Distance between the bags of a sentence and of its reverse, relative "
                            "to the bag's length; below 0.00001 is rounding."}));
  }
}

/// The most words that a bag of random signs holds so that a reading is reliable, by the line.
std::size_t room(std::size_t d) {
  std::size_t n = 1;
  std::vector<theory::Rival> rivals;
  while (n < bag_words) {
    rivals.push_back(theory::random_signs);
    if (theory::matched_filter_share(d, bag_words, rivals, true) < reliable) break;
    ++n;
  }
  return n;
}

}  // namespace

Outcome summarise_bag(const std::vector<CellRecords>& cells) {
  Outcome outcome;
  outcome.tables = {bag_table(cells)};
  add_findings(cells, outcome.findings);
  for (const std::size_t d : {usual_width, 2 * usual_width})
    outcome.findings.push_back(
        finding("Q3", "room", {{"d", whole(d)}}, {static_cast<double>(room(d))},
                {.kind = Kind::count,
                 .meaning = "Most words in a bag of random signs of which the line reads 99 % right."}));
  outcome.rule = {{.finding = "Q3.pairings_apart.sum.d512.n8",
                   .is = Is::above,
                   .bound = rounding,
                   .evidence = Evidence::theorem,
                   .says =
                       "distance between the bags of a sentence and of its reverse, relative, sums of words "
                       "and positions"}};
  const auto value = [&](const char* id) {
    const Finding* found = find(outcome.findings, id);
    return found ? found->value : std::nan("");
  };
  outcome.condition = fmt::format(
      "a sentence and its reverse have the same bag to {:.0e} of its length; of 8 words {:.1f} % are put "
      "where they stood, and guessing finds one in 8",
      value("Q3.pairings_apart.sum.d512.n8"), 100 * value("Q3.recovered.sum.d512.n8"));
  outcome.matters = fmt::format(
      "it matters where states are pooled into one vector, not in attention, which asks each; multiplied "
      "by random signs of their places {:.0f} % of 8 words are read right, turned by rotary angles {:.0f} "
      "%",
      100 * value("Q3.recovered.signs.d512.n8"), 100 * value("Q3.recovered.rotary_10k.d512.n8"));
  return outcome;
}

}  // namespace perp::capacity
