// Tables, findings and the claim that SCALING.md is rendered from.

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/scaling.hpp"
#include "perp/base/error.hpp"
#include "perp/statistics/order.hpp"

namespace perp::bench {
namespace {

constexpr double wanted_speed_up = 1.8;

struct Sweep {
  const char* name;
  const char* what;  ///< one thread does this
  const char* axis;
};
constexpr Sweep sweeps[] = {
    {"cells", "cells of a study, each the angles of two subspaces, kept as they finish", "cells"},
    {"length", "scores of L positions with each other, by lag, d = 256", "L"},
    {"words", "V words streamed past 512 positions, with their moments, d = 256", "V"},
    {"width", "8,192 words streamed past 512 positions, with their moments", "d"},
    {"eigen", "eigenvectors of a d × d matrix in float64", "d"}};

Value text(std::string_view v) { return std::string(v); }

Finding number(const char* measure, const Coordinates& at, Estimate estimate, std::size_t n, const char* unit,
               const char* meaning, std::optional<double> theory = {}) {
  return finding("L1", measure, at, estimate,
                 {.theory = theory, .unit = unit, .n = n, .kind = Kind::sampled, .meaning = meaning});
}

std::vector<double> sizes_of(const std::vector<Timed>& rows, std::string_view sweep) {
  std::vector<double> sizes;
  for (const Timed& r : rows)
    if (r.sweep == sweep && std::find(sizes.begin(), sizes.end(), r.size) == sizes.end())
      sizes.push_back(r.size);
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

struct Point {
  double seconds = 0, least = 0, most = 0, operations = 0;
};
Point point_of(const std::vector<Timed>& rows, std::string_view sweep, double size) {
  std::vector<double> seconds;
  Point point;
  for (const Timed& r : rows)
    if (r.sweep == sweep && r.size == size) {
      seconds.push_back(r.seconds);
      point.operations = r.operations;
    }
  const auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
  point.least = *least;
  point.most = *most;
  point.seconds = median(seconds);
  return point;
}

Table points_table(const std::vector<Timed>& rows) {
  Table table{"points.csv",
              {{"sweep", "", Kind::exact, "what grows"},
               {"place", "1", Kind::exact, "place of the sweep, from 1"},
               {"size", "1", Kind::exact, "how large it is"},
               {"seconds", "s", Kind::sampled, "median over rounds, one thread", "least", "most"},
               {"least", "s", Kind::sampled, "the fastest round"},
               {"most", "s", Kind::sampled, "the slowest round"},
               {"gflop", "1e9", Kind::exact, "operations of BLAS and LAPACK, counted"},
               {"counted", "s", Kind::sampled, "the operations, in seconds of the largest size"}},
              {}};
  for (std::size_t i = 0; i < std::size(sweeps); ++i) {
    const std::vector<double> sizes = sizes_of(rows, sweeps[i].name);
    if (sizes.empty()) continue;
    const Point last = point_of(rows, sweeps[i].name, sizes.back());
    for (const double size : sizes) {
      const Point p = point_of(rows, sweeps[i].name, size);
      table.add({text(sweeps[i].name), whole(i + 1), whole(static_cast<std::size_t>(size)), p.seconds,
                 p.least, p.most, p.operations / 1e9, p.operations * last.seconds / last.operations});
    }
  }
  return table;
}

Table fits_table(const std::vector<Timed>& rows, std::vector<Finding>& findings) {
  Table table{"fits.csv",
              {{"sweep", "", Kind::exact, "what grows"},
               {"what", "", Kind::exact, "what is timed"},
               {"from", "1", Kind::exact, "smallest size"},
               {"to", "1", Kind::exact, "largest size"},
               {"exponent", "1", Kind::sampled, "slope of log seconds on log size", "low", "high"},
               {"low", "1", Kind::sampled, "lower end"},
               {"high", "1", Kind::sampled, "upper end"},
               {"operations", "1", Kind::exact, "the same slope of the operations counted"}},
              {}};
  for (const Sweep& sweep : sweeps) {
    const std::vector<double> sizes = sizes_of(rows, sweep.name);
    if (sizes.empty()) continue;
    const PowerFit fit = fit_power(rows, sweep.name);
    table.add({text(sweep.name), text(sweep.what), whole(static_cast<std::size_t>(sizes.front())),
               whole(static_cast<std::size_t>(sizes.back())), fit.exponent, fit.low, fit.high,
               fit.operations});
    findings.push_back(number(
        "exponent", {{"sweep", std::string(sweep.name)}}, {fit.exponent, fit.low, fit.high, 0.95}, fit.rounds,
        "1", "Exponent of time in the size that grows; theory: of the operations counted.", fit.operations));
  }
  return table;
}

Table speed_table(const std::vector<StudyRun>& runs, std::vector<Finding>& findings) {
  Table table{"speedup.csv",
              {{"study", "", Kind::exact, "study"},
               {"place", "1", Kind::exact, "its place, from 1"},
               {"threads", "1", Kind::exact, "threads compared with one"},
               {"one_s", "s", Kind::sampled, "seconds with one thread, median"},
               {"most_s", "s", Kind::sampled, "seconds with all, median"},
               {"speedup", "1", Kind::sampled, "ratio of the two, mean over rounds", "low", "high"},
               {"low", "1", Kind::sampled, "lower end"},
               {"high", "1", Kind::sampled, "upper end"},
               {"possible", "1", Kind::sampled, "if cells divided without a rest and nothing else did"}},
              {}};
  std::vector<std::string> studies;
  for (const StudyRun& r : runs)
    if (std::find(studies.begin(), studies.end(), r.study) == studies.end()) studies.push_back(r.study);
  for (const std::string& study : studies) {
    const SpeedUp s = speed_up(runs, study);
    table.add({study, whole(table.rows.size() + 1), whole(s.threads), s.one_s, s.most_s, s.ratio, s.low,
               s.high, s.possible});
    findings.push_back(
        number("speedup", {{"study", study}}, {s.ratio, s.low, s.high, 0.95}, s.rounds, "1",
               "Seconds of a whole study with one thread over those with all; theory: the threads.",
               static_cast<double>(s.threads)));
    findings.push_back(number("speedup_least", {{"study", study}}, {s.low}, s.rounds, "1",
                              "Lower end of that ratio's interval over rounds."));
  }
  return table;
}

/// What the same work would take on more processes than there are here: counted, and turned into seconds by the rates.
void add_on_paper(const theory::ScaleRates& rates, std::vector<Finding>& findings) {
  double shared = 0, alone = 0;
  for (const theory::ScaleStep& s : theory::scale_steps(on_paper, rates))
    if (s.name != theory::merge_in_turn)  // the tree is the other way to do the same
      (s.divides ? shared : alone) += s.seconds;
  const double ranks = static_cast<double>(on_paper.ranks);
  const auto add = [&](const char* measure, double value, const char* unit, const char* meaning) {
    findings.push_back(number(measure, {}, {value}, 1, unit, meaning));
  };
  add("paper_words", static_cast<double>(on_paper.words), "1", "Words of the vocabulary on paper.");
  add("paper_width", static_cast<double>(on_paper.width), "1", "Dimensions of the vocabulary on paper.");
  add("paper_ranks", ranks, "1", "Processes on paper, a core each.");
  add("paper_shared", shared / 3600, "h", "Hours on one core of what processes share.");
  add("paper_alone", alone / 3600, "h", "Hours of what one of them does while the others wait.");
  add("paper_speedup", (shared + alone) / (shared / ranks + alone), "1",
      "How many times as fast all processes are as one.");
}

}  // namespace

Results scaling_results(const std::vector<Timed>& rows, const std::vector<StudyRun>& runs) {
  Results results;
  results.study = "scaling";
  results.preset = "full";
  results.seed = 1;
  std::vector<Finding>& findings = results.findings;
  const theory::ScaleRates rates = rates_of(rows);
  results.tables = {points_table(rows)};
  results.tables.push_back(fits_table(rows, findings));
  results.tables.push_back(speed_table(runs, findings));
  add_on_paper(rates, findings);
  findings.push_back(number("wanted", {}, {wanted_speed_up}, 1, "1", "Times as fast that is asked for."));
  Rule rule;
  for (const Finding& f : findings)
    if (f.id.starts_with("L1.speedup_least.")) {
      const std::string study = f.id.substr(17);
      rule.push_back({.finding = f.id,
                      .is = Is::above,
                      .bound = wanted_speed_up,
                      .evidence = Evidence::simulation,
                      .levels = {{"study", study}},
                      .says = fmt::format("least speed-up of {}", study)});
    }
  Claim claim;
  claim.id = claim.of = "L1";
  claim.statement = "A second thread nearly halves the time of every study.";
  claim.source = "asked";
  claim.rule = rule;
  claim.judgement = judge(findings, rule);
  for (const Finding& f : findings) claim.findings.push_back(f.id);
  results.claims = {claim};
  return results;
}

}  // namespace perp::bench
