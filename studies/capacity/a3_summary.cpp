// A3: replicates merged into tables; findings and rule.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "perp/theory/angles.hpp"
#include "perp/theory/bilinear.hpp"
#include "studies/capacity/a3_groups.hpp"
#include "studies/capacity/a3_jobs.hpp"
#include "studies/capacity/claims.hpp"

namespace perp::capacity {
namespace {

std::string curve(const Group& g) {
  const Coordinates& r = g.first();
  return fmt::format("{:>3} {} {} {}", integer_at(r, "ratio"), text_at(r, "positions"), text_at(r, "table"),
                     number_at(r, "cutoff"));
}

/// Closed form for random positions; NaN for others.
double line_of(const Coordinates& r) {
  if (!text_at(r, "positions").starts_with("random")) return std::nan("");
  const std::size_t v = size_at(r, "v"), l = size_at(r, "l");
  const double power = text_at(r, "positions") == "random" ? sinusoid_power : 1.0;
  if (text_at(r, "table") == "adding") return theory::added_residual(v, l, drawn_width, power);
  const std::size_t width = theory::best_split(v, l, drawn_width);
  return theory::split_residual(v, l, drawn_width - width, width);
}

Table residual_table(const std::string& file, const std::vector<Group>& groups, bool load) {
  Table table{
      file,
      {{"load", "1", Kind::exact, "(V+L)/d, d = 64"},
       {"ratio", "1", Kind::exact, "words per position, V/L, about"},
       {"v", "1", Kind::exact, "words"},
       {"l", "1", Kind::exact, "positions"},
       {"positions", "", Kind::exact,
        "sinusoidal, centred, random: power half the word's; random_equal: the word's"},
       {"table", "", Kind::exact, "adding, or the best split of the concatenation"},
       {"width", "1", Kind::sampled, "dimensions of positions, mean of replicates"},
       {"cutoff", "1", Kind::exact, "singular values below this share of the largest count as 0"},
       {"rank", "1", Kind::sampled, "singular values that count, mean"},
       {"residual", "1", Kind::sampled, "share of the scores' energy that no matrix fits", "low", "high"},
       {"low", "1", Kind::sampled, "Student's t, 99 %"},
       {"high", "1", Kind::sampled, "Student's t, 99 %"},
       {"expected", "1", Kind::sampled, "mean over targets, given the tables"},
       {"line", "1", Kind::rounded, "closed form for random positions; empty for others"},
       {"gain", "1", Kind::sampled, "relative error of scores over that of sums"},
       {"ww", "1", Kind::sampled, "residual of the word-word job"},
       {"wp", "1", Kind::sampled, "residual of word-position and position-word, mean"},
       {"pp", "1", Kind::sampled, "residual of the position-position job"},
       {"ww_expected", "1", Kind::sampled, "expected, word-word"},
       {"wp_expected", "1", Kind::sampled, "expected, word-position"},
       {"pp_expected", "1", Kind::sampled, "expected, position-position"},
       {"replicates", "1", Kind::exact, "draws of words, positions and targets"}},
      {}};
  for (const Group& g : groups) {
    const Coordinates& r = g.first();
    const Estimate residual = mean_of(g.values("residual"));
    const double v = number_at(r, "v"), l = number_at(r, "l");
    table.add({load ? at(r, "load") : Value{(v + l) / static_cast<double>(drawn_width)},
               load ? at(r, "ratio") : Value{static_cast<std::int64_t>(std::lround(v / l))},
               at(r, "v"),
               at(r, "l"),
               at(r, "positions"),
               at(r, "table"),
               g.mean("width"),
               at(r, "cutoff"),
               g.mean("rank"),
               residual.value,
               number_or_nan(residual.low),
               number_or_nan(residual.high),
               g.mean("expected"),
               line_of(r),
               g.mean("gain"),
               g.mean("ww"),
               g.mean("wp"),
               g.mean("pp"),
               g.mean("ww_expected"),
               g.mean("wp_expected"),
               g.mean("pp_expected"),
               whole(g.rows.size())});
  }
  return table;
}

Table line_table() {
  Table table{"a3_line.csv",
              {{"ratio", "1", Kind::exact, "words per position"},
               {"load", "1", Kind::exact, "(V+L)/d, d = 64,000"},
               {"adding", "1", Kind::rounded, "expected residual, random positions of half the word's power"},
               {"split", "1", Kind::rounded, "expected residual of the best split"}},
              {}};
  constexpr std::size_t d = 64000;
  for (const std::size_t ratio : {1U, 8U, 32U})
    for (std::size_t step = 10; step <= 160; step += 2) {
      const std::size_t rows = step * d / 40, l = rows / (ratio + 1), v = rows - l;
      // A dimension serves 1/L of the positions or 1/V of the words, so the fewer come first.
      const std::size_t width = std::min(l, d - 1);
      table.add({whole(ratio), static_cast<double>(step) / 40,
                 theory::added_residual(v, l, d, sinusoid_power),
                 theory::split_residual(v, l, d - width, width)});
    }
  return table;
}

Table boundary_table(const std::vector<CellRecords>& cells) {
  Table table{"a3_boundary.csv",
              {{"d", "1", Kind::exact, "dimension"},
               {"v", "1", Kind::exact, "words"},
               {"l", "1", Kind::exact, "positions"},
               {"rows", "1", Kind::exact, "V+L"},
               {"match", "", Kind::exact,
                "sums: all scores; parts: four blocks one by one; contrasts: both sides centred"},
               {"needs", "1", Kind::exact, "dimensions that suffice"},
               {"rank", "1", Kind::count, "singular values above 1e-9 of the largest"},
               {"error", "1", Kind::sampled, "relative error of the fitted scores"}},
              {}};
  for (const Coordinates& r : records_of(cells, "boundary"))
    table.add({at(r, "d"), at(r, "v"), at(r, "l"), at(r, "n"), at(r, "match"), at(r, "needs"), at(r, "rank"),
               at(r, "error")});
  return table;
}

Table gain_table(const std::vector<Group>& groups) {
  Table table{
      "a3_gain.csv",
      {{"load", "1", Kind::exact, "(V+L)/d"},
       {"d", "1", Kind::exact, "dimension"},
       {"v", "1", Kind::exact, "orthonormal words"},
       {"l", "1", Kind::exact, "orthonormal positions"},
       {"worst", "1", Kind::sampled, "1 over the least singular value of words and positions", "low", "high"},
       {"low", "1", Kind::sampled, "Student's t, 99 %"},
       {"high", "1", Kind::sampled, "Student's t, 99 %"},
       {"line", "1", Kind::rounded, "1/sqrt(1 - expected largest cosine)"},
       {"split", "1", Kind::exact, "the same in separate dimensions"},
       {"departure", "1", Kind::rounded, "largest |least - sqrt(1 - c)| with the measured cosine"},
       {"replicates", "1", Kind::exact, "pairs of random subspaces"}},
      {}};
  for (const Group& g : groups) {
    std::vector<double> worst;
    double departure = 0;
    for (const Coordinates& r : g.rows) {
      const double least = number_at(r, "least");
      worst.push_back(1 / least);
      departure = std::max(
          departure, std::abs(least - theory::least_singular_value(std::min(1.0, number_at(r, "cosine")))));
    }
    const Estimate mean = mean_of(worst);
    const Coordinates& r = g.first();
    const double c = theory::largest_cosine_expected(size_at(r, "d"), size_at(r, "v"), size_at(r, "l"));
    table.add({at(r, "load"), at(r, "d"), at(r, "v"), at(r, "l"), mean.value, number_or_nan(mean.low),
               number_or_nan(mean.high), 1 / theory::least_singular_value(c), std::int64_t{1}, departure,
               whole(g.rows.size())});
  }
  return table;
}

Table head_table(const std::vector<Group>& groups) {
  Table table{
      "a3_heads.csv",
      {{"load", "1", Kind::exact, "(V+L)/d, d = 64, V = L"},
       {"positions", "", Kind::exact, "sinusoidal, centred, random"},
       {"head", "1", Kind::exact, "largest rank of the matrix"},
       {"residual", "1", Kind::sampled, "share of the scores' energy left by the best one", "low", "high"},
       {"low", "1", Kind::sampled, "Student's t, 99 %"},
       {"high", "1", Kind::sampled, "Student's t, 99 %"},
       {"line", "1", Kind::sampled, "quarter-circle law times what full rank keeps on average"},
       {"replicates", "1", Kind::exact, "draws"}},
      {}};
  for (const Group& g : groups) {
    const Estimate residual = mean_of(g.values("residual"));
    const Coordinates& r = g.first();
    table.add({at(r, "load"), at(r, "positions"), at(r, "head"), residual.value, number_or_nan(residual.low),
               number_or_nan(residual.high), g.mean("line"), whole(g.rows.size())});
  }
  return table;
}

}  // namespace

Outcome summarise_jobs(const std::vector<CellRecords>& cells) {
  Outcome outcome;
  std::vector<Group> load = groups_of(cells, "load", "residual",
                                      {"load", "ratio", "positions", "table", "cutoff"}),
                     known = groups_of(cells, "known", "residual", {"positions", "table", "cutoff"}),
                     gain = groups_of(cells, "gain", "gain", {"load"}),
                     heads = groups_of(cells, "heads", "head", {"load", "positions", "head"});
  // Curves as runs of rows: by everything but the load, which the cells already ascend in.
  std::stable_sort(load.begin(), load.end(),
                   [](const Group& a, const Group& b) { return curve(a) < curve(b); });
  outcome.tables = {residual_table("a3_load.csv", load, true),
                    residual_table("a3_known.csv", known, false),
                    line_table(),
                    boundary_table(cells),
                    gain_table(gain),
                    head_table(heads)};
  add_job_findings(cells, outcome);
  return outcome;
}

}  // namespace perp::capacity
