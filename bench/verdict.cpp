
#include "bench/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bench/answer.hpp"
#include "perp/base/error.hpp"
#include "perp/base/functions.hpp"
#include "perp/random/draws.hpp"
#include "perp/statistics/moments.hpp"

namespace perp::bench {

Times times_of(const std::vector<double>& seconds) {
  if (seconds.empty()) return {NAN, NAN, 0};
  MomentSums logs;
  for (const double s : seconds) logs.add(std::log(s));
  const Moments moments = logs.moments();
  return {std::exp(moments.mean), std::sqrt(moments.variance), seconds.size()};
}

std::vector<double> paired_ratios(const std::vector<double>& above, const std::vector<double>& below) {
  std::vector<double> ratios;
  for (std::size_t r = 0; r < std::min(above.size(), below.size()); ++r)
    ratios.push_back(above[r] / below[r]);
  return ratios;
}

Contrast paired_contrast(const std::vector<double>& ratios, double miss) {
  const Times times = times_of(ratios);
  Contrast c{times.mean, NAN, NAN, 1, times.rounds};
  if (c.rounds < 2) return c;
  const double n = static_cast<double>(c.rounds), freedom = n - 1, error = times.spread / std::sqrt(n),
               log_ratio = std::log(c.ratio),
               reach = special::student_quantile_above(freedom, miss / 2) * error;
  c.low = std::exp(log_ratio - reach);
  c.high = std::exp(log_ratio + reach);
  const double t = log_ratio / error;  // P(|T| > |t|); NaN where both are 0
  if (log_ratio != 0) c.p = std::isinf(t) ? 0 : special::ibeta(freedom / 2, 0.5, freedom / (freedom + t * t));
  return c;
}

namespace {

/// Adds one repeat: the rounds of both names, row by row. A row that one of them did not run is left out.
void add_repeat(Calibration& calibration, const Configuration& one, const Configuration& again) {
  for (const auto& [name, seconds] : one.rounds) {
    const auto other = again.rounds.find(name);
    if (other == again.rounds.end()) continue;
    auto row = std::ranges::find(calibration, name, &Calibrated::row);
    if (row == calibration.end()) row = calibration.insert(row, {name});
    ++row->comparisons;
    row->different += paired_contrast(paired_ratios(other->second, seconds)).told();
  }
}

}  // namespace

Calibration calibrate(const Backend& backend, std::size_t threads, const Plan& plan,
                      const std::function<void(const std::string&)>& say) {
  // A rate of 5% is then known within 3 percentage points, at 99%.
  constexpr std::size_t enough = 400;
  Configuration checked{backend, threads};
  say(fmt::format("checking {}", checked.name()));
  check(checked, plan);
  Calibration calibration;
  const auto compared = [&] {
    return std::accumulate(calibration.begin(), calibration.end(), std::size_t{0},
                           [](std::size_t sum, const Calibrated& row) { return sum + row.comparisons; });
  };
  for (std::size_t repeat = 1; compared() < enough; ++repeat) {
    Configuration one = checked, again = checked;
    for (std::size_t round = 0; round < plan.rounds; ++round) {
      say(fmt::format("calibration {}, round {} of {}", repeat, round + 1, plan.rounds));
      // Each round begins with the other name, as backends take turns.
      time_round(round % 2 == 0 ? one : again, plan);
      time_round(round % 2 == 0 ? again : one, plan);
    }
    for (const Configuration& c : {one, again})
      if (!c.fault.empty()) fail("{}: {}", c.name(), c.fault);
    add_repeat(calibration, one, again);
    require(!calibration.empty(), "{}: no row to calibrate with", checked.name());
  }
  return calibration;
}

namespace {

constexpr std::size_t rounds = 5, many = 8, place = 3;  // `place`: the configuration with the effect
constexpr double spread = 0.2;
constexpr std::string_view slowed = "potrf";  // the operation with the effect

/// Whether a row has the effect; `rank`: its place among the rows.
bool is_met(Plant plant, const Row& row) {
  if (plant == Plant::operation) return row.operation == slowed;
  const std::vector<Shape>& shapes = operation(row.operation).shapes;
  return plant == Plant::regime &&
         row.cost().operations > Row{row.operation, row.type, shapes[0]}.cost().operations;
}

double disturbance(const Planted& s, std::size_t turn, std::uint32_t draw) {
  if (s.plant == Plant::drift) return 1 + (s.factor - 1) * static_cast<double>(turn) / (many - 1);
  return s.plant == Plant::outliers && draw == 0 ? s.factor : 1;
}

/// Times of rows as a bench has them, 5 rounds in turns: a row's spread is a fifth, as in runs on a shared machine, half of it
/// common to a round.
std::vector<Configuration> made_up(const Planted& s, std::uint64_t draw) {
  const std::vector<Row> rows = all_rows(true);
  std::vector<Configuration> all(many);
  const std::size_t count = many * rounds * rows.size();
  const auto key = [&](const char* what) { return stream(1, "bench", s.name, draw, what); };
  std::vector<double> own(count), common(rounds * rows.size());
  fill_normal(key("own"), std::span(own));
  fill_normal(key("common"), std::span(common));
  const std::vector<std::uint32_t> lots = below(key("outliers"), count, 20);
  for (std::size_t c = 0, at = 0; c < many; ++c) {
    all[c].backend.name = fmt::format("library {}", c);
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t r = 0; r < rounds; ++r, ++at) {
        const bool dead = s.plant == Plant::dead && c == place;
        if (dead && i >= rows.size() / 2) continue;
        const double factor = c == place && (dead || is_met(s.plant, rows[i])) ? s.factor : 1,
                     noise = spread * std::sqrt(0.5) * (own[at] + common[r * rows.size() + i]);
        all[c].rounds[rows[i].name()].push_back(
            factor * disturbance(s, (c + many - r % many) % many, lots[at]) * std::exp(noise));
      }
  }
  return all;
}

}  // namespace

const std::vector<Planted>& planted() {
  static const std::vector<Planted> all{{"nothing", Plant::nothing, 1},
                                        {"nothing", Plant::nothing, 1, false, true},
                                        {"one operation", Plant::operation, 1.2, true, true},
                                        {"one operation", Plant::operation, 1.5, true, true},
                                        {"one operation", Plant::operation, 2, true, true},
                                        {"larger shapes of every operation", Plant::regime, 1.2, true},
                                        {"larger shapes of every operation", Plant::regime, 1.5, true},
                                        {"a backend that stops half-way", Plant::dead, 0.5},
                                        {"a machine that slows down in each round", Plant::drift, 1.5},
                                        {"one time in twenty is an outlier", Plant::outliers, 10}};
  return all;
}

bool is_called(const Planted& s, std::uint64_t draw) {
  const std::vector<Configuration> all = made_up(s, draw);
  const Answer answer = answers_of(all, all_rows(true), all.front().backend.name).front();
  const std::string_view operation = s.is_there && s.by_operation ? slowed : "";
  return std::ranges::any_of(s.by_operation ? answer.operations : answer.overall, [&](const Held& held) {
    const bool is_meant =
        held.configuration == &all[place] && (operation.empty() || held.operation == operation);
    return held.cost.told() && (is_meant || !s.is_there);
  });
}

}  // namespace perp::bench
