// From rows of seconds to exponents, speed-ups and rates.

#include <algorithm>
#include <cmath>
#include <map>

#include "bench/scaling.hpp"
#include "perp/base/error.hpp"
#include "perp/statistics/line.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/statistics/order.hpp"

namespace perp::bench {
namespace {

constexpr double level = 0.95;

double positive(const Csv& csv, std::size_t row, std::string_view column) {
  const double value = csv.number(row, csv.column(column));
  require(std::isfinite(value) && value > 0, "{}, line {}: {} is {}; a positive number was expected",
          csv.name, row + 2, column, value);
  return value;
}

/// Mean and interval of one number per round.
Estimate over_rounds(const std::vector<double>& values) {
  const Moments moments = moments_of(values);
  const Interval interval = mean_interval(moments, level);
  return {moments.mean, interval.low, interval.high, level};
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
  const std::size_t sweep = csv.column("sweep");
  for (std::size_t i = 0; i < csv.rows.size(); ++i)
    rows.push_back({csv.rows[i][sweep], positive(csv, i, "size"),
                    static_cast<std::size_t>(positive(csv, i, "round")), positive(csv, i, "seconds"),
                    positive(csv, i, "operations")});
  return rows;
}

std::vector<StudyRun> runs_from(const Csv& csv) {
  std::vector<StudyRun> runs;
  const std::size_t study = csv.column("study");
  for (std::size_t i = 0; i < csv.rows.size(); ++i) {
    runs.push_back({csv.rows[i][study], static_cast<std::size_t>(positive(csv, i, "round")),
                    static_cast<std::size_t>(positive(csv, i, "threads")), positive(csv, i, "seconds"),
                    positive(csv, i, "cpu"), positive(csv, i, "cells")});
    require(runs.back().cells < runs.back().cpu, "{}, line {}: cells took all of {} processor seconds",
            csv.name, i + 2, runs.back().cpu);
  }
  return runs;
}

PowerFit fit_power(const std::vector<Timed>& rows, std::string_view sweep) {
  struct Points {
    std::vector<double> size, seconds, operations;
  };
  std::map<std::size_t, Points> rounds;
  for (const Timed& r : rows)
    if (r.sweep == sweep) {
      Points& p = rounds[r.round];
      p.size.push_back(std::log(r.size));
      p.seconds.push_back(std::log(r.seconds));
      p.operations.push_back(std::log(r.operations));
    }
  require(rounds.size() >= 2, "{}: {} rounds; a fit needs two", sweep, rounds.size());
  std::vector<double> slopes;
  PowerFit fit;
  for (const auto& [round, p] : rounds) {
    slopes.push_back(least_squares_line(p.size, p.seconds).slope);
    fit.operations = least_squares_line(p.size, p.operations).slope;
  }
  fit.exponent = over_rounds(slopes);
  fit.rounds = slopes.size();
  return fit;
}

SpeedUp speed_up(const std::vector<StudyRun>& runs, std::string_view study) {
  SpeedUp result;
  for (const StudyRun& r : runs)
    if (r.study == study) result.threads = std::max(result.threads, r.threads);
  std::map<std::size_t, std::pair<double, double>> rounds;  // seconds with one thread, with the most
  for (const StudyRun& r : runs) {
    if (r.study != study) continue;
    if (r.threads == 1) rounds[r.round].first = r.seconds;
    if (r.threads == result.threads) rounds[r.round].second = r.seconds;
  }
  std::vector<double> possible, at_most;
  for (const StudyRun& r : runs)
    if (r.study == study && r.threads == 1) {
      possible.push_back(r.cpu / (r.cpu - r.cells + r.cells / static_cast<double>(result.threads)));
      at_most.push_back(r.cpu / (r.cpu - r.cells));
    }
  std::vector<double> ratios, one, most;
  for (const auto& [round, seconds] : rounds) {
    if (!(seconds.first > 0 && seconds.second > 0)) continue;
    ratios.push_back(seconds.first / seconds.second);
    one.push_back(seconds.first);
    most.push_back(seconds.second);
  }
  require(ratios.size() >= 2, "{}: {} rounds with one thread and with {}; two were expected", study,
          ratios.size(), result.threads);
  result.ratio = over_rounds(ratios);
  result.rounds = ratios.size();
  result.one_s = median(one);
  result.most_s = median(most);
  result.possible = median(possible);
  result.at_most = median(at_most);
  return result;
}

}  // namespace perp::bench
