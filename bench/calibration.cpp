#include "bench/calibration.hpp"

#include <algorithm>
#include <cmath>

#include "bench/tables.hpp"
#include "perp/base/error.hpp"

namespace perp::bench {

std::size_t Calibration::comparisons() const { return total(rows, &CalibratedRow::comparisons); }
std::size_t Calibration::different() const { return total(rows, &CalibratedRow::different); }
Interval Calibration::interval() const { return wilson(different(), comparisons(), 0.99); }
double Calibration::detectable(const CalibratedRow& row) const {
  return bench::detectable(row.spread, rounds);
}

bool is_enough(const Calibration& calibration) {
  if (calibration.comparisons() < least_comparisons) return false;
  const Interval interval = calibration.interval();
  return (interval.high - interval.low) / 2 <= widest_half;
}

void add_repeat(Calibration& calibration, const Configuration& one, const Configuration& again) {
  std::vector<CalibratedRow>& rows = calibration.rows;
  for (const auto& [name, seconds] : one.rounds) {
    const auto other = again.rounds.find(name);
    if (other == again.rounds.end()) continue;
    auto row = std::ranges::find(rows, name, &CalibratedRow::row);
    if (row == rows.end()) row = rows.insert(row, {name});
    const Contrast contrast = paired_contrast(paired_ratios(other->second, seconds));
    const double before = static_cast<double>(row->comparisons++);
    row->spread =
        std::sqrt((before * row->spread * row->spread + contrast.spread * contrast.spread) / (before + 1));
    row->different += contrast.p <= false_alarms;
  }
}

Calibration calibrate(const Backend& backend, std::size_t threads, const Plan& plan,
                      const std::function<void(const std::string&)>& say) {
  Configuration checked{backend, threads};
  say(fmt::format("checking {}", checked.name()));
  check(checked, plan);
  Calibration calibration{checked.name(), plan.rounds};
  constexpr std::size_t most_repeats =
      40;  // more than a sound bench needs; a rate near one half would want them
  for (std::size_t repeat = 1; repeat <= most_repeats && !is_enough(calibration); ++repeat) {
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
    require(calibration.comparisons() > 0, "{}: no row to calibrate with", checked.name());
  }
  say(fmt::format("{} against itself: called different in {} of {} comparisons", calibration.configuration,
                  calibration.different(), calibration.comparisons()));
  return calibration;
}

Table calibration_table(const Calibration& calibration) {
  return table_of(
      "calibration.csv", calibration.rows,
      {exact("row", "operation, how it was called, type, shape", &CalibratedRow::row),
       exact("comparisons", "comparisons of the configuration with itself", &CalibratedRow::comparisons),
       sampled("different", "how many of them called it different from itself", &CalibratedRow::different),
       sampled("spread", "standard deviation of a round's log ratio", &CalibratedRow::spread),
       sampled("detectable",
               "the smallest ratio of times that one comparison tells from 1 with probability .8",
               [&](const CalibratedRow& row) { return calibration.detectable(row); })});
}

}  // namespace perp::bench
