// Q1: findings, rule and what does not hold.

#include "perp/base/error.hpp"
#include "studies/distance/q1_layout.hpp"

namespace perp::distance {
namespace {

/// What the rule reads of weights that are held fixed.
constexpr const char *random_held = "Q1.fixed_visible.heads.d768", *given_held = "Q1.given_difference";

}  // namespace

Moments moments_of(const std::vector<double>& values) {
  MomentSums sums;
  sums.add(std::span<const double>(values));
  return sums.moments();
}

namespace {

/// Where weights stay as they are while the table goes over to the other layout.
void add_limits(Rule& rule) {
  rule.push_back(
      {.finding = random_held,
       .is = Is::below,
       .bound = 0.5,
       .role = Role::limit,
       .evidence = Evidence::simulation,
       .levels = {{"weights", "held fixed, random"}},
       .says = "share of random heads held fixed, d = 768, through which the two layouts differ by 0.01 "
               "of R² or more"});
  rule.push_back({.finding = given_held,
                  .is = Is::equal,
                  .bound = 0.0,
                  .margin = visible_difference,
                  .role = Role::limit,
                  .evidence = Evidence::released,
                  .levels = {{"weights", "held fixed, trained"}},
                  .says =
                      "R² of the lag of a half-split sinusoid less that of an interleaved one through given "
                      "weights, mean over heads",
                  .needs = "a released layer: --positions, --query and --key"});
}

}  // namespace

Outcome summarise_layout(const std::vector<CellRecords>& cells) {
  Outcome outcome;
  add_following(cells, outcome);
  add_held(cells, outcome);
  add_given(cells, outcome);
  add_limits(outcome.rule);
  const auto value = [&](const char* id) { return find(outcome.findings, id)->value; };
  outcome.condition = fmt::format(
      "with weights that follow no measure changes by more than {:.2f} of its rounding bound; held fixed, "
      "{:.0f} % of random heads (d = 768) change R² by 0.01 or more",
      value("Q1.change_worst"), 100 * value(random_held));
  if (find(outcome.findings, given_held))
    outcome.condition += fmt::format(", the given ones by {:.3f} on average", value(given_held));
  outcome.matters = fmt::format(
      "code that reads trained weights in the other layout gives them another table: in the shape of GPT-2's "
      "heads R² moves by {:.3f} (standard deviation over draws)",
      value("Q1.fixed_sd.heads.d768"));
  return outcome;
}

}  // namespace perp::distance
