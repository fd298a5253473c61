#include "studies/learning/seeds.hpp"

#include <algorithm>
#include <cmath>

namespace perp::learning {

Frame in_order(const Frames& measured, std::string_view kind) {
  for (const char* one : {"Trained", "Geometry", "HeadScores", "Probe", "HeldOut", "JoinedTables"})
    measured.pass_over(one);
  Frame rows = measured[kind];
  std::ranges::stable_sort(rows, {}, [](const Row& row) {
    return std::tuple(row.text("task"), row.text("arm"), row.text("positions"), row.whole("position_width"),
                      row.whole("width"), row.whole("depth"), row.whole("inner"), row.number("start"),
                      row.whole("seed"));
  });
  return rows;
}

std::vector<double> measured_of(const Frame& seeds, std::string_view field) {
  std::vector<double> values = seeds.numbers(field);
  std::erase_if(values, [](double value) { return std::isnan(value); });
  return values;
}

Estimate over_seeds(const Frame& seeds, std::string_view field) {
  const std::vector<double> values = measured_of(seeds, field);
  return values.empty() ? Estimate{NAN} : mean_estimate(moments_of(values));
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

std::vector<Moments> task_strata(const Frame& ends, std::string_view positions, double start,
                                 std::string_view field) {
  std::vector<Moments> strata;
  for (const std::string_view task : tasks) {
    const Frame seeds = ends.where([&](const Row& run) {
      return run.text("task") == task && run.text("arm") == "add" && run.text("positions") == positions &&
             run.number("start") == start;
    });
    const std::vector<double> values = measured_of(seeds, field);
    if (2 * values.size() > seeds.size()) strata.push_back(moments_of(values));
  }
  return strata;
}

void add_over_strata(std::string_view table, std::string_view positions, double start,
                     std::span<const Moments> strata, Out& out) {
  const std::optional<Estimate> mean = over_strata(strata);
  if (!mean) return;
  std::uint64_t seeds = 0;
  for (const Moments& stratum : strata) seeds += stratum.count;
  out(table, {{"task", "all"},
              {"arm", "add"},
              {"positions", std::string(positions)},
              {"width", Run{}.width},
              {"start", start},
              {"moment", "after"},
              {"where", "input"},
              {"mean", *mean},
              {"seeds", seeds}});
}

void add_over_tasks(std::string_view table, const Frame& ends, std::string_view positions, double start,
                    std::string_view field, Out& out) {
  const std::vector<Moments> strata = task_strata(ends, positions, start, field);
  if (strata.size() == tasks.size()) add_over_strata(table, positions, start, strata, out);
}

Looks::Looks(const Frame& looks) {
  for (const Row& look : looks)
    known_.emplace(fmt::format("{} {} {} {} {} {}", look.text("task"), look.text("start"), look.text("seed"),
                               look.text("arm"), look.text("positions"), look.whole("step")),
                   &look);
}

double Looks::at(const Row& run, std::string_view arm, std::size_t step, std::string_view field) const {
  const bool is_own = run.text("arm") == arm;
  const auto found =
      known_.find(fmt::format("{} {} {} {} {} {}", run.text("task"), run.text("start"), run.text("seed"), arm,
                              is_own ? run.text("positions") : "none", step));
  return found == known_.end() ? NAN : found->second->number(field);
}

}  // namespace perp::learning
