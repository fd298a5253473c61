#include "studies/learning/seeds.hpp"

namespace perp::learning {

Coordinates place(const Run& run) {
  Coordinates at{{"task", run.task}, {"arm", run.arm}};
  if (run.positions != "none") at.emplace_back("positions", run.positions);
  if (run.position_width > 0) at.emplace_back("p", whole(run.position_width));
  at.emplace_back("width", whole(run.width));
  if (run.start != 1) at.emplace_back("start", run.start);
  return at;
}

Estimate over_seeds(std::span<const double> values, double least, double most) {
  Estimate estimate = mean_estimate(moments_of(values));
  if (estimate.low) estimate.low = std::max(*estimate.low, least);
  if (estimate.high) estimate.high = std::min(*estimate.high, most);
  return estimate;
}

Estimate through(double (*rising)(double), const Estimate& of) {
  Estimate out{rising(of.value), {}, {}, of.level};
  if (of.low) out.low = rising(*of.low);
  if (of.high) out.high = rising(*of.high);
  return out;
}

std::optional<Estimate> over_strata(std::span<const Moments> strata) {
  if (strata.empty() || std::ranges::any_of(strata, [](const Moments& m) { return m.count < 2; }))
    return std::nullopt;
  double mean = 0;
  for (const Moments& stratum : strata) mean += stratum.mean;
  return estimated(mean / strata.size(), pooled_spread(strata));
}

void add_over_strata(std::string_view measure, const Coordinates& at, std::span<const Moments> strata,
                     double theory, std::string_view meaning, Summary& summary) {
  const std::optional<Estimate> mean = over_strata(strata);
  if (!mean) return;
  std::uint64_t seeds = 0;
  for (const Moments& stratum : strata) seeds += stratum.count;
  summary.number(measure, at, *mean,
                 {.theory = theory,
                  .n = seeds,
                  .kind = Kind::sampled,
                  .meaning = fmt::format("{}, mean over tasks and seeds.", meaning)});
}

Run all_tasks(std::string_view positions, double start) {
  return {.task = "all",
          .arm = "add",
          .positions = std::string(positions),
          .width = judged_width,
          .start = start};
}

}  // namespace perp::learning
