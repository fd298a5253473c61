// D5's growth, collisions and rule.

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "perp/statistics/interval.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/theory/distance.hpp"
#include "perp/vectors/positions.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/d5_index.hpp"

namespace perp::distance {
namespace {

/// The mean over draws of what rounding may make of the turned content's neighbours in the longest text.
double turned_bound(const std::vector<CellRecords>& cells, double longest) {
  MomentSums bounds;
  for (const Coordinates& r : records_of(cells, "rounding"))
    if (number_at(r, "l") == longest) bounds.add(number_at(r, "bound"));
  return bounds.moments().mean;
}

void add_growth_findings(const std::vector<CellRecords>& cells, const Table& growth,
                         std::vector<Finding>& findings) {
  struct Range {
    double least = INFINITY, most = -INFINITY, shortest = INFINITY, longest = 0, norm_short = 0,
           norm_long = 0;
  };
  std::vector<std::string> names;
  std::map<std::pair<std::string, double>, Range> ranges;
  for (std::size_t i = 0; i < growth.rows.size(); ++i) {
    const std::string& name = std::get<std::string>(growth.at(i, "encoding"));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    Range& range = ranges[{name, growth.number(i, "draw")}];
    const double length = growth.number(i, "positions"), norm = growth.number(i, "norm");
    range.least = std::min(range.least, growth.number(i, "least"));
    range.most = std::max(range.most, growth.number(i, "most"));
    if (length < range.shortest) range.shortest = length, range.norm_short = norm;
    if (length > range.longest) range.longest = length, range.norm_long = norm;
  }
  for (const std::string& name : names) {
    std::vector<double> spreads, ratios;
    double shortest = 0, longest = 0;
    for (const auto& [key, range] : ranges) {
      if (key.first != name) continue;
      spreads.push_back((range.most - range.least) / std::max(std::abs(range.most), std::abs(range.least)));
      ratios.push_back(range.norm_long / range.norm_short);
      shortest = range.shortest;
      longest = range.longest;
    }
    std::optional<double> spread, ratio;
    if (name == "sinusoidal") spread = rounding_spread(longest);
    if (name == "rotary") spread = turned_bound(cells, longest);
    if (name.ends_with("index")) spread = 1;
    if (name == "alibi" || name == "t5") spread = 0;
    if (name == "index" || name == "alibi") ratio = (longest - 1) / (shortest - 1);
    if (name == "normalised_index" || name == "sinusoidal" || name == "random_fourier" || name == "rotary")
      ratio = 1;
    findings.push_back(over_draws("neighbour_spread", name, spreads, spread,
                                  "Largest less smallest score of two neighbours, over all places and all "
                                  "lengths, as a share of the largest; theory: 1 for a plain number, the "
                                  "bound on rounding for the sinusoid and for turns, 0 for biases."));
    findings.push_back(
        over_draws("norm_ratio", name, ratios, ratio,
                   "Largest norm of a position (of a turned content, size of a bias) in the longest text "
                   "over that in the shortest."));
  }
}

void add_collision_findings(const Table& table, std::vector<Finding>& findings) {
  std::vector<std::string> names;
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> sums;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const std::string& name = std::get<std::string>(table.at(i, "encoding"));
    if (!sums.contains(name)) names.push_back(name);
    sums[name].first += static_cast<std::uint64_t>(table.number(i, "compared"));
    sums[name].second += static_cast<std::uint64_t>(table.number(i, "equal"));
  }
  for (const std::string& name : names) {
    const auto [compared, equal] = sums[name];
    Finding finding{finding_id("D5", "collisions", {{"encoding", name}}),
                    {{"encoding", name}},
                    static_cast<double>(equal),
                    {},
                    {},
                    {},
                    {},
                    "1",
                    compared,
                    is_drawn(name) ? Kind::sampled : Kind::count,
                    "Pairs of positions with the score of a pair at least four times as far apart in a text "
                    "at least four times as long, over all draws; n counts what was compared."};
    // T5's last bucket begins beyond texts of this length; before it no bucket reaches from k to 4k. Where
    // the distance alone decides, a count is no matter of chance.
    const bool by_distance = name == "sinusoidal" || name == "rotary" || name == "alibi" || name == "t5";
    if (by_distance) finding.theory = 0;
    // Independent normal scores fall within a share e of each other with the chance e/π.
    if (name == "random") finding.theory = static_cast<double>(compared) * equal_scores / std::numbers::pi;
    if (is_drawn(name) && !by_distance) {
      const Interval interval = poisson_interval(equal, shown_level);
      finding.low = interval.low;
      finding.high = interval.high;
      finding.level = shown_level;
    }
    findings.push_back(finding);
  }
}

double longest_text(const Table& table, const char* column) {
  double longest = 0;
  for (std::size_t i = 0; i < table.rows.size(); ++i) longest = std::max(longest, table.number(i, column));
  return longest;
}

std::string collisions_of(const char* encoding) { return fmt::format("D5.collisions.{}", encoding); }

Condition collision_condition(const char* encoding, const char* said, bool some) {
  return {
      .finding = collisions_of(encoding),
      .is = some ? Is::above : Is::equal,
      .bound = 0.0,
      .evidence = Evidence::theorem,
      .levels = {{"position told by", said}},
      .says = fmt::format("pairs of positions that score like a pair four times as far apart in a text four "
                          "times as long, {}, texts from 4 words on",
                          said)};
}

Rule rule() {
  return {collision_condition("sinusoidal", "sinusoid", false),
          collision_condition("rotary", "rotary turns", false),
          collision_condition("alibi", "ALiBi", false),
          collision_condition("t5", "T5's biases up to their last bucket", false),
          collision_condition("index", "index", true),
          collision_condition("normalised_index", "index over length", true)};
}

}  // namespace

Outcome summarise_index(const std::vector<CellRecords>& cells) {
  Outcome outcome;
  outcome.tables = {growth_table(cells), collision_table(cells), example_table(cells), sentence_table(cells),
                    distance_table(cells)};
  add_growth_findings(cells, outcome.tables[0], outcome.findings);
  add_collision_findings(outcome.tables[1], outcome.findings);
  add_sentence_findings(outcome.tables[3], outcome.findings);
  add_distance_findings(outcome.tables[4], outcome.findings);
  outcome.rule = rule();
  const auto value = [&](const std::string& id) { return find(outcome.findings, id)->value; };
  double vectors = 0;
  for (const char* encoding : {"sinusoidal", "rotary", "alibi", "t5"})
    vectors += value(collisions_of(encoding));
  outcome.condition = fmt::format(
      "in texts of 4 to {:.0f} words a pair scores like one at least four times as far apart {:.0f} times by "
      "the index over the length, {:.0f} by the index, {:.0f} by sinusoid, rotary turns, ALiBi and T5 "
      "together",
      longest_text(outcome.tables[1], "longest"), value("D5.collisions.normalised_index"),
      value("D5.collisions.index"), vectors);
  outcome.matters = fmt::format(
      "by their place alone, neighbours' scores differ by {:.0f} % of the largest with the index and by "
      "{:.0e} "
      "of it with the sinusoid, up to texts of {:.0f} words",
      100 * value("D5.neighbour_spread.index"), value("D5.neighbour_spread.sinusoidal"),
      longest_text(outcome.tables[0], "positions"));
  return outcome;
}

}  // namespace perp::distance
