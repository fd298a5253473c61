#include "bench/calibration.hpp"

#include <cmath>

#include "perp/base/error.hpp"

namespace perp::bench {
namespace {

constexpr double rate_level = 0.99;

std::size_t sum(const Calibration& calibration, std::size_t CalibratedRow::*what) {
  std::size_t total = 0;
  for (const auto& [name, row] : calibration.rows) total += row.*what;
  return total;
}

}  // namespace

std::size_t Calibration::comparisons() const { return sum(*this, &CalibratedRow::comparisons); }
std::size_t Calibration::different() const { return sum(*this, &CalibratedRow::different); }
double Calibration::rate() const {
  return static_cast<double>(different()) / static_cast<double>(comparisons());
}
Interval Calibration::interval() const { return wilson(different(), comparisons(), rate_level); }

bool is_enough(const Calibration& calibration) {
  if (calibration.comparisons() < least_comparisons) return false;
  const Interval interval = calibration.interval();
  return (interval.high - interval.low) / 2 <= widest_half;
}

void add_repeat(Calibration& calibration, const Configuration& one, const Configuration& again) {
  ++calibration.repeats;
  for (const auto& [name, seconds] : one.rounds) {
    const auto other = again.rounds.find(name);
    if (other == again.rounds.end()) continue;
    const Contrast contrast = paired_contrast(paired_ratios(other->second, seconds));
    CalibratedRow& row = calibration.rows[name];
    const double before = static_cast<double>(row.comparisons);
    row.spread =
        std::sqrt((before * row.spread * row.spread + contrast.spread * contrast.spread) / (before + 1));
    ++row.comparisons;
    row.different += contrast.p <= false_alarms;
  }
}

Calibration calibrate(const Backend& backend, std::size_t threads, const Plan& plan, std::size_t rounds,
                      std::size_t most, const std::function<void(const std::string&)>& say) {
  Configuration checked{backend, threads};
  say(fmt::format("checking {}", checked.name()));
  check(checked, plan);
  Calibration calibration{checked.name(), rounds, 0, {}};
  while (calibration.repeats < most && !is_enough(calibration)) {
    Configuration one = checked, again = checked;
    for (std::size_t round = 0; round < rounds; ++round) {
      say(fmt::format("calibration {}, round {} of {}", calibration.repeats + 1, round + 1, rounds));
      // Each round begins with the other name, as backends take turns.
      time_round(round % 2 == 0 ? one : again, plan);
      time_round(round % 2 == 0 ? again : one, plan);
    }
    add_repeat(calibration, one, again);
    require(calibration.comparisons() > 0, "{}: no row to calibrate with", checked.name());
  }
  return calibration;
}

Table calibration_table(const Calibration& calibration) {
  Table table{"calibration.csv",
              {{"row", "", Kind::exact, "operation, how it was called, type, shape"},
               {"comparisons", "1", Kind::exact, "comparisons of the configuration with itself"},
               {"different", "1", Kind::sampled, "how many of them called it different from itself"},
               {"spread", "1", Kind::sampled, "standard deviation of a round's log ratio"},
               {"detectable", "1", Kind::sampled,
                "the smallest ratio of times that one comparison tells from 1 with probability .8"}},
              {}};
  for (const auto& [name, row] : calibration.rows)
    table.add({name, whole(row.comparisons), whole(row.different), row.spread,
               detectable(row.spread, calibration.rounds)});
  return table;
}

}  // namespace perp::bench
