#pragma once
// Runs that differ by their seed alone, side by side: their order, means over seeds and over tasks, and a run beside the
// same seed's others.

#include <array>
#include <map>
#include <optional>
#include <span>

#include "perp/study/frame.hpp"
#include "studies/learning/arms.hpp"

namespace perp::learning {

/// All that differs between runs of one claim but their seed (rates and sizes follow from it).
inline constexpr const char* setting = "task arm positions position_width width depth inner start";

/// What runs wrote of one kind, setting by setting, seeds in order. Claims share runs: other kinds are others' to read.
Frame in_order(const Frames& measured, std::string_view kind);

/// The field's numbers; NaN is left out.
std::vector<double> measured_of(const Frame& seeds, std::string_view field);
/// Their mean with Student's interval; of one seed without an interval, NaN of none.
Estimate over_seeds(const Frame& seeds, std::string_view field);

/// Its value and ends through a rising function; no rule judges it.
Estimate through(double (*rising)(double), const Estimate& of);

/// Mean of the means of several tasks. Seeds of different tasks are different streams, whatever their numbers: their
/// variances add, and they are never paired. Nothing for no stratum or one of a single seed.
std::optional<Estimate> over_strata(std::span<const Moments> strata);

/// The added positions that are judged.
inline constexpr std::array judged_positions{"centred", "learned"};
/// Of the tasks on which most seeds have the field, with words and added positions as asked; a row a seed.
std::vector<Moments> task_strata(const Frame& ends, std::string_view positions, double start,
                                 std::string_view field);
/// Their mean as the row of a table, in the place of "all" tasks; nothing where there is none.
void add_over_strata(std::string_view table, std::string_view positions, double start,
                     std::span<const Moments> strata, Out& out);
/// The same of the three tasks; nothing unless each was measured on two seeds or more.
void add_over_tasks(std::string_view table, const Frame& ends, std::string_view positions, double start,
                    std::string_view field, Out& out);

/// A field of "Geometry" after a step, of the same seed's run of an arm: its own, or one whose words have no positions
/// beside them. NaN where there is none. `looks` has to stay.
class Looks {
 public:
  explicit Looks(const Frame& looks);
  double at(const Row& run, std::string_view arm, std::size_t step, std::string_view field) const;

 private:
  std::map<std::string, const Row*> known_;
};

}  // namespace perp::learning
