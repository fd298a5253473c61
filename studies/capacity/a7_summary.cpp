// A7: tables, findings and rule.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "perp/statistics/moments.hpp"
#include "perp/theory/information.hpp"
#include "studies/capacity/a7_information.hpp"
#include "studies/capacity/claims.hpp"
#include "studies/capacity/split.hpp"

namespace perp::capacity {
namespace {

/// One point of the grid: the records of its codebooks, all over the same widths, noise and tables.
struct Point {
  std::size_t d = 0, words = 0, length = 0;
  std::string positions;
  double noise = 0;
  std::vector<Coordinates> books;

  std::vector<double> column(const std::string& name) const {
    std::vector<double> result;
    for (const Coordinates& book : books) result.push_back(number_at(book, name));
    return result;
  }
};

std::vector<Point> points_of(const std::vector<CellRecords>& cells) {
  std::vector<Point> points;
  std::map<std::string, std::size_t> index;
  for (const Coordinates& r : records_of(cells, "bits")) {
    Point point{size_at(r, "d"),         size_at(r, "v"),       size_at(r, "l"),
                text_at(r, "positions"), number_at(r, "noise"), {}};
    const auto [it, is_new] = index.emplace(
        fmt::format("{} {} {} {} {}", point.d, point.words, point.length, point.positions, point.noise),
        points.size());
    if (is_new) points.push_back(std::move(point));
    points[it->second].books.push_back(r);
  }
  return points;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double x : values) sum += x;
  return sum / static_cast<double>(values.size());
}

/// Mean over codebooks with its interval by Student's t.
Estimate mean_of(const std::vector<double>& values) {
  MomentSums sums;
  sums.add(std::span<const double>(values));
  Estimate result = estimated(sums.moments());
  result.value = mean(values);  // as it is added up where splits are chosen
  return result;
}

/// Bits of the best split per codebook, the split chosen by the other codebooks: choosing and measuring on
/// the same draws would flatter the chosen one.
std::vector<double> best_split(const Point& point) {
  std::vector<std::vector<double>> splits;
  for (std::size_t k = 0; k < split_count; ++k) splits.push_back(point.column(split_name(k)));
  std::vector<double> result;
  for (std::size_t book = 0; book < point.books.size(); ++book) {
    const auto others = [&](const std::vector<double>& bits) {
      return mean(bits) * static_cast<double>(bits.size()) - bits[book];
    };
    const auto best = std::ranges::max_element(splits, {}, others);
    result.push_back((*best)[book]);
  }
  return result;
}

/// Best split less adding, per codebook.
std::vector<double> gains(const Point& point) {
  std::vector<double> result = best_split(point);
  const std::vector<double> adding = point.column("adding");
  for (std::size_t i = 0; i < result.size(); ++i) result[i] -= adding[i];
  return result;
}

/// Position width of the split with the largest mean.
std::size_t best_width(const Point& point) {
  std::size_t best = 0;
  for (std::size_t k = 1; k < split_count; ++k)
    if (mean(point.column(split_name(k))) > mean(point.column(split_name(best)))) best = k;
  return position_widths(point.d)[best];
}

Table bits_table(const std::vector<Point>& points) {
  Table table{"a7_bits.csv",
              {{"d", "1", Kind::exact, "dimension"},
               {"words", "1", Kind::exact, "V: words of the codebook"},
               {"length", "positions", Kind::exact, "L: positions"},
               {"positions", "", Kind::exact, "sinusoidal, centred or random"},
               {"noise", "1", Kind::exact, "standard deviation at d = 32; n = noise sqrt(d/32)"},
               {"load", "bits", Kind::exact, "log2(VL)/d: bits to be carried per dimension"},
               {"codebooks", "1", Kind::exact, "tables drawn"},
               {"adding", "bits", Kind::sampled, "I(W,T;Y) of the sum; 99 % interval over codebooks",
                "adding_low", "adding_high"},
               {"adding_low", "bits", Kind::sampled, "its lower end"},
               {"adding_high", "bits", Kind::sampled, "its upper end"},
               {"adding_word", "bits", Kind::sampled, "I(W;Y), the position unknown"},
               {"adding_position", "bits", Kind::sampled, "I(T;Y), the word unknown"},
               {"best", "bits", Kind::sampled,
                "the same of the best split, chosen for each codebook by the other codebooks", "best_low",
                "best_high"},
               {"best_low", "bits", Kind::sampled, "its lower end"},
               {"best_high", "bits", Kind::sampled, "its upper end"},
               {"best_width", "1", Kind::sampled, "position dimensions of the split with the largest mean"},
               {"gain", "bits", Kind::sampled, "best - adding, paired by codebook; 99 % interval", "gain_low",
                "gain_high"},
               {"gain_low", "bits", Kind::sampled, "its lower end"},
               {"gain_high", "bits", Kind::sampled, "its upper end"},
               {"winner", "", Kind::sampled,
                "adding, concatenating, or even: the gain does not differ from 0 by Benjamini and Hochberg's "
                "procedure at 1 %, all rows together"},
               {"gaussian", "bits", Kind::sampled,
                "1/2 log2 det(I + covariance/n^2), covariance of the first codebook's sums: no more gets "
                "through by adding"},
               {"ceiling", "bits", Kind::exact, "log2(VL)"}},
              {}};
  std::vector<Estimate> all_gains;
  for (const Point& p : points) all_gains.push_back(mean_of(gains(p)));
  const std::vector<bool> is_certain = certain(all_gains);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& p = points[i];
    const Estimate a = mean_of(p.column("adding")), b = mean_of(best_split(p)), &g = all_gains[i];
    const double ceiling = std::log2(static_cast<double>(p.words * p.length));
    table.add({whole(p.d),
               whole(p.words),
               whole(p.length),
               p.positions,
               p.noise,
               ceiling / static_cast<double>(p.d),
               whole(p.books.size()),
               a.value,
               *a.low,
               *a.high,
               mean(p.column("adding_word")),
               mean(p.column("adding_position")),
               b.value,
               *b.low,
               *b.high,
               whole(best_width(p)),
               g.value,
               *g.low,
               *g.high,
               !is_certain[i] ? "even"
               : g.value > 0  ? "concatenating"
                              : "adding",
               p.column("gaussian").front(),
               ceiling});
  }
  return table;
}

bool is_shown(const Table& bits, std::size_t i) {
  return bits.number(i, "d") == shown_d && bits.number(i, "words") == shown_words &&
         bits.number(i, "length") == shown_length;
}
bool is_shown(const Point& p) { return p.d == shown_d && p.words == shown_words && p.length == shown_length; }

Table split_table(const std::vector<Point>& points) {
  Table table{
      "a7_splits.csv",
      {{"positions", "", Kind::exact, "sinusoidal, centred or random; d = 32, V = 256, L = 64"},
       {"noise", "1", Kind::exact, "standard deviation per dimension"},
       {"width", "1", Kind::exact, "d_p: dimensions of the position; 0: added"},
       {"codebooks", "1", Kind::exact, "tables drawn"},
       {"bits", "bits", Kind::sampled, "I(W,T;Y); 99 % interval over codebooks", "bits_low", "bits_high"},
       {"bits_low", "bits", Kind::sampled, "its lower end"},
       {"bits_high", "bits", Kind::sampled, "its upper end"}},
      {}};
  for (const Point& p : points) {
    if (!is_shown(p)) continue;
    const auto add = [&](std::size_t width, const std::string& name) {
      const Estimate m = mean_of(p.column(name));
      table.add({p.positions, p.noise, whole(width), whole(p.books.size()), m.value, *m.low, *m.high});
    };
    add(0, "adding");
    for (std::size_t k = 0; k < split_count; ++k) add(position_widths(p.d)[k], split_name(k));
  }
  return table;
}

void add_bits(const Table& splits, const std::string& positions, double noise,
              std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < splits.rows.size(); ++i) {
    if (to_text(splits.at(i, "positions")) != positions || splits.number(i, "noise") != noise) continue;
    const std::size_t width = static_cast<std::size_t>(splits.number(i, "width"));
    if (width != 0 && width != 4 && width != 12 && width != 16) continue;
    Coordinates at{{"positions", positions}, {"noise", noise}};
    if (width) at.emplace_back("width", whole(width));
    findings.push_back(finding(
        "A7", width ? "split" : "adding", at,
        {splits.number(i, "bits"), splits.number(i, "bits_low"), splits.number(i, "bits_high"), shown_level},
        {.theory = std::log2(static_cast<double>(shown_words * shown_length)),
         .unit = "bits",
         .n = static_cast<std::uint64_t>(splits.number(i, "codebooks")),
         .kind = Kind::sampled,
         .meaning = width
                        ? "Bits of word and position, concatenated with so many dimensions for the "
                          "position, d = 32, V = 256, L = 64; theory: log2(VL), no more than which there is."
                        : "Bits of word and position in their noisy sum, d = 32, V = 256, L = 64; theory: "
                          "log2(VL), no more than which there is."}));
  }
}

/// How often each side wins, and where the gains and losses are largest.
struct Score {
  std::uint64_t points = 0, concatenating = 0, adding = 0;
  double largest_gain = -INFINITY, largest_loss = INFINITY;
};

std::map<std::string, Score> scores(const Table& bits) {
  std::map<std::string, Score> result;
  for (std::size_t i = 0; i < bits.rows.size(); ++i) {
    Score& score = result[to_text(bits.at(i, "positions"))];
    const std::string winner = to_text(bits.at(i, "winner"));
    ++score.points;
    score.concatenating += winner == "concatenating";
    score.adding += winner == "adding";
    score.largest_gain = std::max(score.largest_gain, bits.number(i, "gain"));
    score.largest_loss = std::min(score.largest_loss, bits.number(i, "gain"));
  }
  return result;
}

/// Largest advantages over all noises of the shown setting, which one figure draws.
void add_shown(const Table& bits, std::vector<Finding>& findings) {
  for (const Positions positions : all_positions) {
    double gain = -INFINITY, loss = -INFINITY;
    std::uint64_t noises = 0;
    for (std::size_t i = 0; i < bits.rows.size(); ++i) {
      if (!is_shown(bits, i) || to_text(bits.at(i, "positions")) != name_of(positions)) continue;
      gain = std::max(gain, bits.number(i, "gain"));
      loss = std::max(loss, -bits.number(i, "gain"));
      ++noises;
    }
    const Coordinates at{{"positions", name_of(positions)}};
    findings.push_back(
        finding("A7", "shown_gain", at, {gain},
                {.unit = "bits",
                 .n = noises,
                 .kind = Kind::sampled,
                 .meaning = "Largest mean gain of the best split over the sum among the noises, d = 32, "
                            "V = 256, L = 64."}));
    findings.push_back(
        finding("A7", "shown_loss", at, {loss},
                {.unit = "bits",
                 .n = noises,
                 .kind = Kind::sampled,
                 .meaning = "Largest mean gain of the sum over the best split among the noises, d = 32, "
                            "V = 256, L = 64."}));
  }
}

/// Two tables of positions compared: the split's is narrower.
void add_gains(const std::vector<Point>& points, std::vector<Finding>& findings) {
  for (const Point& p : points) {
    if (!is_shown(p) || (p.noise != low_noise && p.noise != high_noise)) continue;
    findings.push_back(
        finding("A7", "gain", {{"positions", p.positions}, {"noise", p.noise}}, mean_of(gains(p)),
                {.theory = 0.0,
                 .unit = "bits",
                 .n = p.books.size(),
                 .kind = Kind::sampled,
                 .meaning = "Bits that the best split and its narrow table of positions carry beyond the sum "
                            "with a table of full width, paired by codebook, d = 32, V = 256, L = 64; 0: no "
                            "difference."}));
  }
}

void add_scores(const std::map<std::string, Score>& scores, std::vector<Finding>& findings) {
  const auto add = [&](const std::string& measure, const std::string& positions, double value,
                       std::uint64_t n, Kind kind, const std::string& unit, const std::string& meaning) {
    findings.push_back(finding("A7", measure, {{"positions", positions}}, {value},
                               {.unit = unit, .n = n, .kind = kind, .meaning = meaning}));
  };
  for (const auto& [positions, score] : scores) {
    const double n = static_cast<double>(score.points);
    add("concatenating_wins", positions, static_cast<double>(score.concatenating) / n, score.points,
        Kind::sampled, "1",
        "Share of the grid of widths, words, lengths and noises where the best split's gain lies above 0, by "
        "Benjamini and Hochberg's procedure at 1 %.");
    add("adding_wins", positions, static_cast<double>(score.adding) / n, score.points, Kind::sampled, "1",
        "Share of the grid where it lies below 0 by that procedure: the sum beats every split.");
    add("largest_gain", positions, score.largest_gain, score.points, Kind::sampled, "bits",
        "Largest mean gain of the best split over the sum on the grid.");
    add("largest_loss", positions, -score.largest_loss, score.points, Kind::sampled, "bits",
        "Largest mean gain of the sum over the best split on the grid.");
  }
}

/// Words and positions of the comparison at a width.
struct Setting {
  std::size_t d, words, length;
};
constexpr Setting settings[] = {{32, 256, 64}, {64, 1024, 256}};

/// Cells in which the better arm carries more than 98 % of log2(VL), already with one share of power: there
/// is next to nothing to gain, and they are left out.
bool is_saturated(Positions positions, double noise) {
  return noise == 0.5 && positions != Positions::sinusoidal;
}

/// The best split against the best sum, both with widths and share of power chosen on other codebooks.
Condition gain_condition(Positions positions, double noise, const Setting& setting, Role role) {
  const double bits = std::log2(static_cast<double>(setting.words * setting.length));
  const std::string level = fmt::format("{:.3g}", noise);
  const Coordinates place{
      {"positions", name_of(positions)}, {"noise", "noise" + level}, {"d", whole(setting.d)}};
  return {
      .finding = finding_id("A7", "gain_best_sum", place),
      .is = Is::above,
      .bound = material_gain * bits,
      .role = role,
      .evidence = Evidence::simulation,
      .levels = {{"positions", name_of(positions)}, {"noise", level}, {"d", fmt::format("{}", setting.d)}},
      .says = fmt::format("bits of the best split less the best sum's, {} positions, n = {}, d = {}, of {} "
                          "bits",
                          name_of(positions), level, setting.d, bits),
      .needs =
          "not programmed yet: sums of narrow positions, widths and shares of power chosen on other "
          "codebooks"};
}

Rule rule() {
  Rule rule;
  for (const Setting& setting : settings)
    for (const Positions positions : all_positions)
      for (const double noise : {0.5, 1.0, 2.0})
        if (!is_saturated(positions, noise))
          rule.push_back(gain_condition(positions, noise, setting, Role::core));
  rule.push_back(gain_condition(Positions::sinusoidal, std::numbers::sqrt2 / 4, settings[0], Role::limit));
  for (const std::size_t d : {128U, 256U})
    for (const Positions positions : all_positions)
      rule.push_back(gain_condition(positions, 1, {d, 1024, 256}, Role::limit));
  return rule;
}

double value_of(const std::vector<Finding>& findings, const char* id) {
  const Finding* found = find(findings, id);
  return found ? found->value : std::nan("");
}

std::string condition(const std::vector<Finding>& findings) {
  return fmt::format(
      "sums of the same narrow positions are not measured yet; against a sum of full width the best split "
      "has {:+.2f} bits with sinusoids at n = ½, {:+.2f} with random positions at n = 1",
      value_of(findings, "A7.gain.sinusoidal.noise0p5"), value_of(findings, "A7.gain.random.noise1"));
}

std::string matters(const std::vector<Finding>& findings) {
  const double all = std::log2(static_cast<double>(shown_words * shown_length));
  return fmt::format(
      "these are {:+.1f} and {:+.1f} % of the {} bits sent, at d = {}, the width of a small head",
      100 * value_of(findings, "A7.gain.sinusoidal.noise0p5") / all,
      100 * value_of(findings, "A7.gain.random.noise1") / all, all, shown_d);
}

}  // namespace

std::vector<bool> certain(const std::vector<Estimate>& gains) {
  constexpr double rate = 0.01;
  const auto m = static_cast<double>(gains.size());
  for (std::size_t k = gains.size(); k > 0; --k) {
    std::vector<bool> found;
    for (const Estimate& gain : gains) {
      const Interval interval = interval_at(gain.value, *gain.spread, 1 - static_cast<double>(k) / m * rate);
      found.push_back(interval.low > 0 || interval.high < 0);
    }
    if (static_cast<std::size_t>(std::ranges::count(found, true)) >= k) return found;
  }
  return std::vector<bool>(gains.size(), false);
}

Outcome summarise_information(const std::vector<CellRecords>& cells) {
  const std::vector<Point> points = points_of(cells);
  Outcome outcome;
  outcome.tables = {bits_table(points), split_table(points)};
  add_gains(points, outcome.findings);
  add_shown(outcome.tables[0], outcome.findings);
  for (const Positions positions : all_positions)
    for (const double noise : {low_noise, high_noise})
      add_bits(outcome.tables[1], name_of(positions), noise, outcome.findings);
  add_scores(scores(outcome.tables[0]), outcome.findings);
  outcome.rule = rule();
  outcome.condition = condition(outcome.findings);
  outcome.matters = matters(outcome.findings);
  return outcome;
}

}  // namespace perp::capacity
