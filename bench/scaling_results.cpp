// Tables and findings that SCALING.md is rendered from.

#include <algorithm>
#include <limits>
#include <map>

#include "bench/scaling.hpp"
#include "perp/statistics/order.hpp"

namespace perp::bench {
namespace {

struct Sweep {
  const char* name;
  const char* what;  ///< one thread does this
};
constexpr Sweep sweeps[] = {
    {"cells", "cells of a study, each the angles of two subspaces, kept as they finish"},
    {"length", "scores of L positions with each other, by lag, d = 256"},
    {"words", "V words streamed past 512 positions, with their moments, d = 256"},
    {"width", "8,192 words streamed past 512 positions, with their moments"}};

Finding number(const char* measure, const Coordinates& at, const Estimate& estimate, std::size_t n,
               const char* meaning) {
  return finding("L1", measure, at, estimate, {.n = n, .kind = Kind::sampled, .meaning = meaning});
}

void add_sweeps(const std::vector<Timed>& rows, Results& results) {
  Table points{"points.csv",
               {{"sweep", "", Kind::exact, "what grows"},
                {"place", "1", Kind::exact, "place of the sweep, from 1"},
                {"size", "1", Kind::exact, "how large it is"},
                {"seconds", "s", Kind::sampled, "median over rounds, one thread", "least", "most"},
                {"least", "s", Kind::sampled, "the fastest round"},
                {"most", "s", Kind::sampled, "the slowest round"},
                {"counted", "s", Kind::sampled, "the operations, in seconds of the largest size"}},
               {}};
  Table fits{"fits.csv",
             {{"sweep", "", Kind::exact, "what grows"},
              {"what", "", Kind::exact, "what is timed"},
              {"from", "1", Kind::exact, "smallest size"},
              {"to", "1", Kind::exact, "largest size"},
              {"exponent", "1", Kind::sampled, "slope of log seconds on log size", "low", "high"},
              {"low", "1", Kind::sampled, "lower end"},
              {"high", "1", Kind::sampled, "upper end"},
              {"operations", "1", Kind::exact, "the same slope of the operations counted"}},
             {}};
  const auto whole_size = [](double size) { return whole(static_cast<std::size_t>(size)); };
  for (const Sweep& sweep : sweeps) {
    struct Point {
      std::vector<double> seconds;
      double operations = 0;
    };
    std::map<double, Point> sizes;
    for (const Timed& r : rows)
      if (r.sweep == sweep.name) {
        sizes[r.size].seconds.push_back(r.seconds);
        sizes[r.size].operations = r.operations;
      }
    if (sizes.empty()) continue;
    const auto& [largest, last] = *sizes.rbegin();
    for (const auto& [size, point] : sizes) {
      const auto [least, most] = std::ranges::minmax(point.seconds);
      points.add({sweep.name, whole(fits.rows.size() + 1), whole_size(size), median(point.seconds), least,
                  most, point.operations * median(last.seconds) / last.operations});
    }
    const PowerFit fit = fit_power(rows, sweep.name);
    fits.add({sweep.name, sweep.what, whole_size(sizes.begin()->first), whole_size(largest),
              fit.exponent.value, *fit.exponent.low, *fit.exponent.high, fit.operations});
    results.findings.push_back(number("exponent", {{"sweep", sweep.name}}, fit.exponent, fit.rounds,
                                      "Exponent of time in the size that grows."));
  }
  results.tables.push_back(std::move(points));
  results.tables.push_back(std::move(fits));
}

void add_speed_ups(const std::vector<StudyRun>& runs, Results& results) {
  Table table{"speedup.csv",
              {{"study", "", Kind::exact, "study"},
               {"place", "1", Kind::exact, "its place, from 1"},
               {"threads", "1", Kind::exact, "threads compared with one"},
               {"one_s", "s", Kind::sampled, "seconds with one thread, median"},
               {"most_s", "s", Kind::sampled, "seconds with all, median"},
               {"speedup", "1", Kind::sampled, "ratio of the two, mean over rounds", "low", "high"},
               {"low", "1", Kind::sampled, "lower end"},
               {"high", "1", Kind::sampled, "upper end"},
               {"possible", "1", Kind::sampled, "if cells divided without a rest and nothing else did"},
               {"at_most", "1", Kind::sampled, "the same on any number of processors"}},
              {}};
  std::vector<std::string> studies;
  for (const StudyRun& r : runs)
    if (std::ranges::find(studies, r.study) == studies.end()) studies.push_back(r.study);
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const std::string& study : studies) {
    const SpeedUp s = speed_up(runs, study);
    table.add({study, whole(table.rows.size() + 1), whole(s.threads), s.one_s, s.most_s, s.ratio.value,
               *s.ratio.low, *s.ratio.high, s.possible, s.at_most});
    least = std::min(least, s.ratio.value);
    most = std::max(most, s.ratio.value);
  }
  for (const auto& [of, value] : {std::pair{"least", least}, {"most", most}})
    results.findings.push_back(number("speedup", {{"of", of}}, {value}, studies.size(),
                                      "Seconds of a whole study with one thread over those with all: the "
                                      "least and the most of the studies."));
  results.tables.push_back(std::move(table));
}

}  // namespace

Results scaling_results(const std::vector<Timed>& rows, const std::vector<StudyRun>& runs) {
  Results results;
  results.study = "scaling";
  results.preset = "full";
  results.seed = 1;
  add_sweeps(rows, results);
  add_speed_ups(runs, results);
  Claim claim;  // of which the page says numbers and no verdict
  claim.id = claim.of = "L1";
  claim.statement = "More work, more threads, more machines.";
  claim.source = "asked";
  for (const Finding& f : results.findings) claim.findings.push_back(f.id);
  results.claims = {claim};
  return results;
}

}  // namespace perp::bench
