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

Table steps_table(const theory::ScaleRates& rates, std::vector<Finding>& findings) {
  Table table{"steps.csv",
              {{"step", "", Kind::exact, "part of the work"},
               {"place", "1", Kind::exact, "its place, from 1"},
               {"operations", "1", Kind::exact, "operations"},
               {"bytes", "B", Kind::exact, "bytes read, written or held"},
               {"divides", "", Kind::exact, "whether ranks share it"},
               {"one_s", "s", Kind::sampled, "seconds on one core"},
               {"ranks_s", "s", Kind::sampled, "seconds with all ranks"}},
              {}};
  double one = 0, many = 0;
  for (const theory::ScaleStep& s : theory::scale_steps(on_paper, rates)) {
    table.add({text(s.name), whole(table.rows.size() + 1), s.operations, s.bytes,
               text(s.divides ? "yes" : "no"), s.seconds, s.on_ranks(on_paper.ranks)});
    if (s.name == theory::merge_in_turn) continue;  // the tree is the other way to do the same
    one += s.seconds;
    many += s.on_ranks(on_paper.ranks);
  }
  const auto sized = [&](const char* measure, std::uint64_t value, const char* meaning) {
    findings.push_back(number(measure, {}, {static_cast<double>(value)}, 1, "1", meaning));
  };
  sized("paper_words", on_paper.words, "Words of the vocabulary on paper.");
  sized("paper_width", on_paper.width, "Dimensions of the vocabulary on paper.");
  sized("paper_positions", on_paper.positions, "Positions it is held against.");
  sized("paper_ranks", on_paper.ranks, "Processes on paper, a core each.");
  findings.push_back(number("paper_bytes", {}, {theory::table_bytes(on_paper.words, on_paper.width) / 1e9}, 1,
                            "1e9 B", "The vocabulary in float32."));
  findings.push_back(number("paper_one", {}, {one / 3600}, 1, "h", "Hours on one core, merging in a tree."));
  findings.push_back(
      number("paper_all", {}, {many / 3600}, 1, "h", "Hours with all ranks, merging in a tree."));
  findings.push_back(
      number("paper_speedup", {}, {one / many}, 1, "1", "How many times as fast all ranks are as one."));
  return table;
}

Table limits_table(const theory::ScaleRates& rates, std::vector<Finding>& findings) {
  Table table{"limits.csv",
              {{"limit", "", Kind::exact, "what may break"},
               {"unit", "", Kind::exact, "its unit"},
               {"is", "1", Kind::sampled, "what the work on paper asks for"},
               {"may_be", "1", Kind::sampled, "where it breaks"},
               {"over", "1", Kind::sampled, "times over the limit; above 1 it breaks"}},
              {}};
  std::size_t broken = 0;
  for (const theory::ScaleLimit& l : theory::scale_limits(on_paper, rates, process_bytes)) {
    table.add({text(l.name), text(l.unit), l.is, l.may_be, l.over()});
    broken += l.over() > 1;
  }
  findings.push_back(
      number("paper_broken", {}, {static_cast<double>(broken)}, 1, "1", "Limits that it exceeds."));
  findings.push_back(number("paper_most_over", {}, {table.number(0, "over")}, 1, "1",
                            "How many times over its limit the most exceeded one is."));
  return table;
}

Table rates_table(const theory::ScaleRates& r) {
  Table table{"rates.csv",
              {{"rate", "", Kind::exact, "of one core"},
               {"value", "", Kind::sampled, "as measured"},
               {"unit", "", Kind::exact, "its unit"}},
              {}};
  table.add({text("float32 product"), r.product / 1e9, text("10⁹ operations a second")});
  table.add({text("float64 eigenvectors"), r.decomposition / 1e9, text("10⁹ operations a second")});
  table.add({text("copy, read and written"), r.memory / 1e9, text("10⁹ bytes a second")});
  table.add({text("a cell kept and read again"), 1000 * r.cell, text("milliseconds")});
  return table;
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
  results.tables.push_back(steps_table(rates, findings));
  results.tables.push_back(limits_table(rates, findings));
  results.tables.push_back(rates_table(rates));
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
