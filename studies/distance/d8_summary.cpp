// D8: tables, findings and rule.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "perp/theory/cosine.hpp"
#include "perp/theory/distance.hpp"
#include "studies/distance/d8_columns.hpp"

namespace perp::distance {
namespace {

double chance(std::size_t length) { return 1 - theory::cosine_exceeds(length, nearly_orthogonal); }

Table share_table(const std::vector<CellRecords>& cells) {
  Table table{
      "d8_share.csv",
      {{"d", "1", Kind::exact, "dimension: d columns"},
       {"positions", "positions", Kind::exact, "L: length of a column"},
       {"pairs", "1", Kind::exact, "pairs of columns"},
       {"share", "1", Kind::rounded, "share of the pairs with |cosine| < 0.1"},
       {"line_share", "1", Kind::rounded,
        "the same if every cosine of two frequencies were |sin(LD/2)/(L sin(D/2))|, D their spacing"},
       {"chance", "1", Kind::exact, "the same for random directions of R^L"},
       {"spaced_pairs", "1", Kind::exact, "pairs of columns whose frequencies are 4 turns apart or more"},
       {"spaced_share", "1", Kind::rounded, "share of these with |cosine| < 0.1; empty if there are none"},
       {"crowded_pairs", "1", Kind::exact, "pairs whose frequencies differ, by less than a turn"},
       {"crowded_share", "1", Kind::rounded, "share of these with |cosine| < 0.1"},
       {"one_turn", "1", Kind::rounded,
        "largest |cosine| of sine and cosine of one frequency of a turn or more"},
       {"two_turns", "1", Kind::rounded, "the same from two turns on"},
       {"slowest", "1", Kind::rounded, "|cosine| of the slowest sine and cosine, if below a tenth of a turn"},
       {"departure", "1", Kind::rounded, "largest departure of an overlap from its closed form"}},
      {}};
  for (const Coordinates& r : records_of(cells, "columns"))
    table.add({at(r, "d"), at(r, "l"), at(r, "pairs"), at(r, "share"), at(r, "line_share"),
               chance(size_at(r, "l")), at(r, "spaced_pairs"), at(r, "spaced_share"), at(r, "crowded_pairs"),
               at(r, "crowded_share"), at(r, "one_turn"), at(r, "two_turns"), at(r, "slowest"),
               at(r, "departure")});
  return table;
}

Table pair_table(const std::vector<CellRecords>& cells) {
  Table table{"d8_pairs.csv",
              {{"positions", "positions", Kind::exact, "L; d = 64"},
               {"turns", "1", Kind::exact, "spacing of two frequencies times L over 2 pi"},
               {"overlap", "1", Kind::rounded, "|sum over t of exp(i D t)|/L, from the columns' products"},
               {"line", "1", Kind::rounded, "|sin(LD/2)/(L sin(D/2))|"},
               {"largest", "1", Kind::rounded, "largest |cosine| of the four pairs of their columns"}},
              {}};
  for (const Coordinates& r : records_of(cells, "pair"))
    table.add({at(r, "l"), at(r, "turns"), at(r, "overlap"), at(r, "line"), at(r, "largest")});
  return table;
}

Table line_table() {
  constexpr std::size_t length = 8192, points = 800;
  constexpr double first = 0.01, last = 1000;
  Table table{"d8_line.csv",
              {{"turns", "1", Kind::exact, "spacing of two frequencies times L over 2 pi"},
               {"overlap", "1", Kind::exact, "|sin(LD/2)/(L sin(D/2))|, L = 8192; empty from 4 turns on"},
               {"envelope", "1", Kind::exact, "1/(L sin(D/2)), at most 1"}},
              {}};
  for (std::size_t i = 0; i <= points; ++i) {
    const double turns = first * std::pow(last / first, static_cast<double>(i) / points),
                 delta = 2 * std::numbers::pi * turns / length;
    table.add({turns, turns < spaced_turns ? theory::frequency_overlap(length, delta) : std::nan(""),
               theory::frequency_overlap_envelope(length, delta)});
  }
  return table;
}

Finding number(std::string measure, Coordinates at, double value, std::optional<double> theory,
               std::uint64_t n, std::string meaning) {
  const std::string id = finding_id("D8", measure, at);
  return {id, std::move(at), value, {}, {}, {}, theory, "1", n, Kind::rounded, std::move(meaning)};
}

/// Extremes over all widths and lengths, absent cells left out.
struct Worst {
  double least = INFINITY, largest = 0;
  std::uint64_t n = 0;
  void add(double x, double weight = 1) {
    if (std::isnan(x)) return;
    least = std::min(least, x);
    largest = std::max(largest, x);
    n += static_cast<std::uint64_t>(weight);
  }
};

void add_findings(const Table& table, std::vector<Finding>& findings) {
  Worst share, spaced, crowded, one, two, slowest, departure;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const double d = table.number(i, "d"), length = table.number(i, "positions");
    share.add(table.number(i, "share"), table.number(i, "pairs"));
    spaced.add(table.number(i, "spaced_share"), table.number(i, "spaced_pairs"));
    crowded.add(table.number(i, "crowded_share"), table.number(i, "crowded_pairs"));
    one.add(table.number(i, "one_turn"));
    two.add(table.number(i, "two_turns"));
    slowest.add(table.number(i, "slowest"));
    departure.add(table.number(i, "departure"), table.number(i, "pairs"));
    if (d == 512 && (length == 64 || length == 512 || length == 8192))
      findings.push_back(number(
          "share", {{"d", table.at(i, "d")}, {"l", table.at(i, "positions")}}, table.number(i, "share"),
          table.number(i, "chance"), static_cast<std::uint64_t>(table.number(i, "pairs")),
          "Share of the pairs of columns with |cosine| < 0.1; theory: random directions "
          "of as many positions."));
  }
  const std::string over = " over all widths and lengths.";
  findings.push_back(number("share_least", {}, share.least, {}, share.n,
                            "Smallest share of nearly orthogonal pairs" + over));
  findings.push_back(number("share_largest", {}, share.largest, {}, share.n,
                            "Largest share of nearly orthogonal pairs" + over));
  findings.push_back(
      number("spaced_share", {}, spaced.least, {}, spaced.n,
             "Smallest share of |cosine| < 0.1 among pairs whose frequencies are four turns apart or "
             "more," +
                 over));
  findings.push_back(number("crowded_share", {}, crowded.largest, {}, crowded.n,
                            "Largest share of |cosine| < 0.1 among pairs less than a turn apart," + over));
  findings.push_back(
      number("one_turn", {}, one.largest, {}, one.n,
             "Largest |cosine| of sine and cosine of one frequency that makes a turn or more."));
  findings.push_back(number("two_turns", {}, two.largest, {}, two.n, "The same from two turns on."));
  findings.push_back(
      number("slowest", {}, slowest.least, std::numbers::sqrt3 / 2, slowest.n,
             "Smallest |cosine| of the slowest sine and cosine where they make less than a tenth of "
             "a turn; theory: a constant against a slope."));
  findings.push_back(number("departure", {}, departure.largest, 0.0, departure.n,
                            "Largest departure of an overlap from its closed form."));
}

}  // namespace

Outcome summarise_columns(const std::vector<CellRecords>& cells) {
  Outcome outcome;
  outcome.tables = {share_table(cells), pair_table(cells), line_table()};
  add_findings(outcome.tables[0], outcome.findings);
  outcome.rule = {
      {.finding = "D8.spaced_share",
       .is = Is::above,
       .bound = nearly_all,
       .evidence = Evidence::closed_form,
       .levels = {{"pairs", "four turns apart"}},
       .says = "least share of column pairs with |cos| below 0.1 among frequencies four turns apart or "
               "more over the positions, all widths and lengths"},
      {.finding = "D8.share.d512.l512",
       .is = Is::above,
       .bound = nearly_all,
       .role = Role::limit,
       .evidence = Evidence::closed_form,
       .levels = {{"pairs", "all"}},
       .says = "share of all column pairs with |cos| below 0.1, d = 512, 512 positions"}};
  const Finding *share = find(outcome.findings, "D8.share.d512.l512"),
                *spaced = find(outcome.findings, "D8.spaced_share");
  outcome.condition = fmt::format(
      "{:.1f} % or more of the column pairs whose frequencies are four turns apart have a cosine below 0.1; "
      "of "
      "all pairs at d = 512 and 512 positions {:.0f} %, of random columns {:.0f} %",
      100 * spaced->value, 100 * share->value, 100 * share->theory.value_or(0));
  outcome.matters = fmt::format(
      "this orthogonality is for reading a frequency off many positions, while attention compares single "
      "ones; at 8,192 "
      "positions {:.0f} % of all pairs are below 0.1",
      100 * find(outcome.findings, "D8.share.d512.l8192")->value);
  return outcome;
}

}  // namespace perp::distance
