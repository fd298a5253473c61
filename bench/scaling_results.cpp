// From rows of seconds to exponents and speed-ups, and the tables and findings that SCALING.md is rendered from.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bench/scaling.hpp"
#include "bench/tables.hpp"
#include "perp/base/error.hpp"
#include "perp/statistics/order.hpp"

namespace perp::bench {
namespace {

/// Of least squares, for points that are not all at one place.
double slope(const std::vector<double>& x, const std::vector<double>& y) {
  const double n = static_cast<double>(x.size()), mean_x = std::accumulate(x.begin(), x.end(), 0.0) / n,
               mean_y = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double xx = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    xx += (x[i] - mean_x) * (x[i] - mean_x), xy += (x[i] - mean_x) * (y[i] - mean_y);
  require(xx > 0, "sizes of one study are all the same");
  return xy / xx;
}

/// A number of a row, which is positive and finite.
double positive(const CsvRow& row, const char* column) {
  const double value = row.number(column);
  require(std::isfinite(value) && value > 0, "{}, line {}: {} is {}; a positive number was expected",
          row.csv.name, row.place + 2, column, value);
  return value;
}
std::size_t count(const CsvRow& row, const char* column) {
  return static_cast<std::size_t>(positive(row, column));
}

/// Mean and interval of one number per round.
Estimate over_rounds(const std::vector<double>& values) {
  const Moments moments = moments_of(values);
  const Interval interval = mean_interval(moments, 0.95);
  return {moments.mean, interval.low, interval.high, interval.level};
}

struct Sweep {
  const char* name;
  const char* what;  ///< one thread does this
};
constexpr Sweep sweeps[] = {
    {"cells", "cells of a study, each the angles of two subspaces, kept as they finish"},
    {"length", "scores of L positions with each other, by lag, d = 256"},
    {"words", "V words streamed past 512 positions, with their moments, d = 256"},
    {"width", "8,192 words streamed past 512 positions, with their moments"}};

/// All rounds of one size of a sweep.
struct Point {
  std::string sweep;
  std::size_t place, size;
  Estimate seconds;  ///< median; the fastest and the slowest round
  double counted;
};
struct Fit : PowerFit {
  std::string sweep, what;
  std::size_t from, to;
};

void conclude_sweeps(const std::vector<Timed>& rows, Summary& summary) {
  std::vector<Point> points;
  std::vector<Fit> fits;
  for (const Sweep& sweep : sweeps) {
    const auto sizes = group_by(only(rows, &Timed::sweep, sweep.name), &Timed::size);
    if (sizes.empty()) continue;
    const auto size_of = [](const Group<Timed>& group) { return static_cast<std::size_t>(group[0].size); };
    const Group<Timed>& last = *std::ranges::max_element(sizes, {}, size_of);
    const double longest = median(last.values(&Timed::seconds));
    for (const Group<Timed>& group : sizes)
      points.push_back({sweep.name,
                        fits.size() + 1,
                        size_of(group),
                        {median(group.values(&Timed::seconds)), least(group, &Timed::seconds),
                         most(group, &Timed::seconds)},
                        group[0].operations * longest / last[0].operations});
    fits.push_back(
        {fit_power(rows, sweep.name), sweep.name, sweep.what, size_of(sizes.front()), size_of(last)});
  }
  summary.table(
      "points.csv", points,
      {exact("sweep", "what grows", &Point::sweep),
       exact("place", "place of the sweep, from 1", &Point::place),
       exact("size", "how large it is", &Point::size),
       sampled("seconds", "median over rounds, one thread", &Point::seconds)
           .unit("s")
           .interval("least", "most", "the fastest round", "the slowest round"),
       sampled("counted", "the operations, in seconds of the largest size", &Point::counted).unit("s")});
  const auto sweep = exact("sweep", "what grows", &Fit::sweep);
  const auto exponent = sampled("exponent", "slope of log seconds on log size", &Fit::exponent);
  summary.table(
      "fits.csv", fits,
      {sweep, exact("what", "what is timed", &Fit::what), exact("from", "smallest size", &Fit::from),
       exact("to", "largest size", &Fit::to), exponent.interval("low", "high", "lower end", "upper end"),
       exact("operations", "the same slope of the operations counted", &Fit::operations)});
  summary.each(fits, {sweep},
               {exponent.as("exponent", "Exponent of time in the size that grows.").n(&PowerFit::rounds)});
}

void conclude_speed_ups(const std::vector<StudyTime>& runs, Summary& summary) {
  std::vector<SpeedUp> studies;
  for (const Group<StudyTime>& study : group_by(runs, &StudyTime::study))
    studies.push_back(speed_up(runs, study.front().study));
  const auto place = [&](const SpeedUp& s) { return static_cast<std::size_t>(&s - studies.data()) + 1; };
  summary.table(
      "speedup.csv", studies,
      {exact("study", "study", &SpeedUp::study), exact("place", "its place, from 1", place),
       exact("threads", "threads compared with one", &SpeedUp::threads),
       sampled("one_s", "seconds with one thread, median", &SpeedUp::one_s).unit("s"),
       sampled("most_s", "seconds with all, median", &SpeedUp::most_s).unit("s"),
       sampled("speedup", "ratio of the two, mean over rounds", &SpeedUp::ratio)
           .interval("low", "high", "lower end", "upper end"),
       sampled("possible", "if cells divided without a rest and nothing else did", &SpeedUp::possible),
       sampled("at_most", "the same on any number of processors", &SpeedUp::at_most)});
  const auto ratio = [](const SpeedUp& s) { return s.ratio.value; };
  for (const auto& [of, value] : {std::pair{"least", least(studies, ratio)}, {"most", most(studies, ratio)}})
    add_overall(summary, "speedup", {{"of", of}}, value, studies.size(),
                "Seconds of a whole study with one thread over those with all: the least and the most of the "
                "studies.",
                {}, Kind::sampled);
}

}  // namespace

std::string to_csv(const std::vector<Timed>& rows) {
  CsvWriter out({"sweep", "size", "round", "seconds", "operations"});
  for (const Timed& r : rows) {
    out.text(r.sweep).number(r.size).number(r.round).number(r.seconds).number(r.operations);
    out.end_row();
  }
  return out.str();
}

std::vector<Timed> timed_from(const Csv& csv) {
  std::vector<Timed> rows;
  for (const CsvRow& row : rows_of(csv))
    rows.push_back({row.text("sweep"), positive(row, "size"), count(row, "round"), positive(row, "seconds"),
                    positive(row, "operations")});
  return rows;
}

std::vector<StudyTime> runs_from(const Csv& csv) {
  std::vector<StudyTime> runs;
  for (const CsvRow& row : rows_of(csv)) {
    runs.push_back({row.text("study"), count(row, "round"), count(row, "threads"), positive(row, "seconds"),
                    positive(row, "cpu"), positive(row, "cells")});
    require(runs.back().cells < runs.back().cpu, "{}, line {}: cells took all of {} processor seconds",
            csv.name, row.place + 2, runs.back().cpu);
  }
  return runs;
}

PowerFit fit_power(const std::vector<Timed>& rows, std::string_view sweep) {
  const auto log_of = [](double Timed::*field) {
    return [=](const Timed& row) { return std::log(row.*field); };
  };
  std::vector<double> slopes;
  PowerFit fit;
  for (const Group<Timed>& round : group_by(only(rows, &Timed::sweep, sweep), &Timed::round)) {
    const std::vector<double> size = round.values(log_of(&Timed::size));
    slopes.push_back(slope(size, round.values(log_of(&Timed::seconds))));
    fit.operations = slope(size, round.values(log_of(&Timed::operations)));
  }
  fit.rounds = slopes.size();
  require(fit.rounds >= 2, "{}: {} rounds; a fit needs two", sweep, fit.rounds);
  fit.exponent = over_rounds(slopes);
  return fit;
}

SpeedUp speed_up(const std::vector<StudyTime>& runs, const std::string& study) {
  const std::vector<StudyTime> mine = only(runs, &StudyTime::study, study);
  SpeedUp result{study, static_cast<std::size_t>(most(mine, &StudyTime::threads))};
  std::vector<double> possible, at_most, ratios, one, all;
  for (const StudyTime& r : only(mine, &StudyTime::threads, 1U)) {
    possible.push_back(r.cpu / (r.cpu - r.cells + r.cells / static_cast<double>(result.threads)));
    at_most.push_back(r.cpu / (r.cpu - r.cells));
  }
  for (const Group<StudyTime>& round : group_by(mine, &StudyTime::round)) {
    const auto with_one = only(round, &StudyTime::threads, 1U),
               with_all = only(round, &StudyTime::threads, result.threads);
    if (with_one.empty() || with_all.empty()) continue;
    one.push_back(with_one.back().seconds);
    all.push_back(with_all.back().seconds);
    ratios.push_back(one.back() / all.back());
  }
  result.rounds = ratios.size();
  require(result.rounds >= 2, "{}: {} rounds with one thread and with {}; two were expected", study,
          result.rounds, result.threads);
  result.ratio = over_rounds(ratios);
  result.one_s = median(one);
  result.most_s = median(all);
  result.possible = median(possible);
  result.at_most = median(at_most);
  return result;
}

Results scaling_results(const std::vector<Timed>& rows, const std::vector<StudyTime>& runs) {
  Summary summary("L1");
  conclude_sweeps(rows, summary);
  conclude_speed_ups(runs, summary);
  Claim claim;  // of which the page says numbers and no verdict
  claim.id = claim.of = "L1";
  claim.statement = "More work, more threads, more machines.";
  claim.source = "asked";
  for (const Finding& f : summary.findings) claim.findings.push_back(f.id);
  return {"scaling", "full", 1, {}, {}, std::move(summary.findings), {claim}, std::move(summary.tables)};
}

}  // namespace perp::bench
