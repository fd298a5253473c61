#include "bench/calibration.hpp"

#include <algorithm>

#include "bench/items.hpp"
#include "bench/verdict.hpp"
#include "perp/base/error.hpp"

namespace perp::bench {

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

Calibration calibrate(const Backend& backend, std::size_t threads, const Plan& plan,
                      const std::function<void(const std::string&)>& say) {
  // A rate of 5% is then known within 3 percentage points, at 99%.
  constexpr std::size_t enough = 400;
  Configuration checked{backend, threads};
  say(fmt::format("checking {}", checked.name()));
  check(checked, plan);
  Calibration calibration;
  for (std::size_t repeat = 1; total(calibration, &Calibrated::comparisons) < enough; ++repeat) {
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

}  // namespace perp::bench
