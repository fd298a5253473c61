#pragma once
// Runs that differ by their seed alone, side by side: their order, their place in findings, and means over
// seeds and over tasks.

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <tuple>

#include "perp/study/claim.hpp"
#include "studies/learning/arms.hpp"

namespace perp::learning {

/// All that differs between runs of one claim but their seed (rates and sizes follow from it).
inline auto setting(const Run& run) {
  return std::tuple(run.task, run.arm, run.positions, run.position_width, run.width, run.depth, run.inner,
                    run.start);
}
/// A finding's place, of one block of 4 d units; told only where they are: positions, p of a split, words
/// that start at another size than 1.
Coordinates place(const Run& run);

/// Setting by setting, seeds in order.
template <class Row>
std::vector<Row> in_order(const Cells& cells) {
  std::vector<Row> rows = rows_of<Row>(cells);
  std::ranges::stable_sort(rows, {}, [](const Row& row) { return std::pair(setting(row), row.seed); });
  return rows;
}

// ---- means over seeds

/// Mean over seeds with Student's interval, held within [least, most], where the truth lies; of one seed
/// without an interval. Throws Error for none.
Estimate over_seeds(std::span<const double> values, double least = -std::numeric_limits<double>::infinity(),
                    double most = std::numeric_limits<double>::infinity());

/// What `get` gives for every seed that has it: NaN is left out.
template <class Row, class Get>
std::vector<double> measured(const Group<Row>& group, const Get& get) {
  std::vector<double> values = group.values(get);
  std::erase_if(values, [](double value) { return std::isnan(value); });
  return values;
}
/// Its mean; NaN if no seed has it.
template <class Row, class Get>
Estimate over_seeds(const Group<Row>& group, const Get& get) {
  const std::vector<double> values = measured(group, get);
  return values.empty() ? Estimate{NAN} : over_seeds(values);
}

/// Its value and ends through a rising function; no rule judges it.
Estimate through(double (*rising)(double), const Estimate& of);

/// The same as a finding, whose n are the seeds that have it, and as three columns of a table.
template <class Row>
ColumnOf<Group<Row>> seed_mean(std::string_view name, std::string_view meaning,
                               const std::function<double(const Row&)>& get) {
  return sampled(name, meaning, [get](const Group<Row>& group) { return over_seeds(group, get); })
      .n([get](const Group<Row>& group) { return measured(group, get).size(); });
}
template <class Row>
ColumnOf<Group<Row>> seed_columns(const std::string& name, std::string_view unit, const std::string& meaning,
                                  const std::function<double(const Row&)>& get) {
  return seed_mean<Row>(name, meaning + ", mean over seeds", get)
      .unit(unit)
      .interval(name + "_low", name + "_high", "Student's t over seeds, 99%");
}

/// An item's findings in one place, without those that no seed has.
template <class Item>
void add_at(const Coordinates& at, const Item& item, std::string_view claim,
            const std::vector<ColumnOf<std::type_identity_t<Item>>>& columns, Summary& summary) {
  for (const ColumnOf<Item>& column : columns)
    if (!std::isnan(column.read(item).estimate.value))
      summary.findings.push_back(column.finding(claim, at, item));
}

// ---- means over tasks

/// Mean of the means of several tasks (or of a task's widths). Seeds of different tasks are different
/// streams, whatever their numbers: their variances add, and they are never paired. Nothing for no stratum or
/// one of a single seed.
std::optional<Estimate> over_strata(std::span<const Moments> strata);

/// The width whose models are judged, and their place where several tasks are taken together.
inline constexpr std::size_t judged_width = 32;
/// The added positions that are judged, and what that takes.
inline constexpr std::array judged_positions{"centred", "learned"};
inline constexpr const char* eight_seeds = "eight seeds of every task: preset full";
/// positions: "centred" or "learned", which are added.
Run all_tasks(std::string_view positions, double start = 1);

/// Of seeds of one setting: whether most of them have a number that is not NaN.
template <class Row, class Get>
bool most_have(const Group<Row>& group, const Get& get) {
  return 2 * measured(group, get).size() > group.size();
}
/// Of the tasks on which most seeds have it, with `all`'s arm and start; groups of settings.
template <class Row, class Get>
std::vector<Moments> task_strata(const std::vector<Group<Row>>& groups, Run all, const Get& get) {
  std::vector<Moments> strata;
  for (const std::string_view task : tasks) {
    all.task = task;
    for (const Group<Row>& group : groups)
      if (setting(group.front()) == setting(all) && most_have(group, get))
        strata.push_back(moments_of(measured(group, get)));
  }
  return strata;
}
/// Their mean as a finding, where there is one; theory: NaN for none. The meaning is without "mean over tasks
/// and seeds".
void add_over_strata(std::string_view measure, const Coordinates& at, std::span<const Moments> strata,
                     double theory, std::string_view meaning, Summary& summary);
/// The same of the three tasks; nothing unless each was measured on two seeds or more.
template <class Row, class Get>
void add_over_tasks(std::string_view measure, const Run& all, const std::vector<Group<Row>>& groups,
                    const Get& get, double theory, std::string_view meaning, Summary& summary) {
  const std::vector<Moments> strata = task_strata(groups, all, get);
  if (strata.size() == tasks.size()) add_over_strata(measure, place(all), strata, theory, meaning, summary);
}

}  // namespace perp::learning
