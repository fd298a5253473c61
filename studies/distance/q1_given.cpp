// Q1: given weights, trained with positions of their own, held fixed: table and findings.

#include <algorithm>
#include <cmath>

#include "perp/base/error.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/q1_layout.hpp"

namespace perp::distance {
namespace {

Table head_table(const std::vector<CellRecords>& cells) {
  Table table{"q1_heads.csv",
              {{"head", "1", Kind::exact, "of the given layer, from 0"},
               {"interleaved", "1", Kind::rounded, "R² of the lag of the sinusoid through its weights"},
               {"half_split", "1", Kind::rounded, "the same, half-split"}},
              {}};
  for (const Coordinates& r : records_of(cells, "head"))
    table.add({at(r, "head"), at(r, "interleaved"), at(r, "half_split")});
  return table;
}

}  // namespace

void add_given(const std::vector<CellRecords>& cells, Outcome& outcome) {
  const Table heads = head_table(cells);
  if (heads.rows.empty()) return;
  std::vector<Finding>& out = outcome.findings;
  std::vector<double> interleaved, half_split, difference, orders;
  for (std::size_t i = 0; i < heads.rows.size(); ++i) {
    interleaved.push_back(heads.number(i, "interleaved"));
    half_split.push_back(heads.number(i, "half_split"));
    difference.push_back(half_split.back() - interleaved.back());
  }
  for (const Coordinates& r : records_of(cells, "order")) orders.push_back(number_at(r, "mean"));
  const Moments over = moments_of(orders), two = moments_of(difference);
  const auto add = [&](const char* measure, double value, const char* meaning) {
    out.push_back(
        finding("Q1", measure, {}, {value},
                {.theory = over.mean, .n = heads.rows.size(), .kind = Kind::rounded, .meaning = meaning}));
  };
  add("given_interleaved", moments_of(interleaved).mean,
      "R² of the lag of the interleaved sinusoid through the given weights as they are, mean over heads; "
      "beside it random orders of its dimensions.");
  add("given_half_split", moments_of(half_split).mean, "The same of the half-split sinusoid.");
  out.push_back(finding("Q1", "given_orders", {}, estimated(over),
                        {.n = orders.size(),
                         .kind = Kind::sampled,
                         .meaning = "The same of the sinusoid with its dimensions in a random order, mean "
                                    "over orders."}));
  out.push_back(finding(
      "Q1", "given_orders_sd", {}, {std::sqrt(over.variance)},
      {.n = orders.size(), .kind = Kind::sampled, .meaning = "Standard deviation of that over orders."}));
  out.push_back(finding("Q1", "given_difference", {}, {two.mean},
                        {.theory = 0,
                         .n = heads.rows.size(),
                         .kind = Kind::rounded,
                         .meaning = "Half-split less interleaved, mean over heads; theory: weights that know "
                                    "no order."}));
  const auto above = static_cast<double>(std::ranges::count_if(difference, [](double x) { return x > 0; }));
  out.push_back(finding("Q1", "given_above", {}, {above},
                        {.theory = static_cast<double>(heads.rows.size()) / 2,
                         .unit = "heads",
                         .n = heads.rows.size(),
                         .kind = Kind::count,
                         .meaning = "Heads through which the half-split sinusoid keeps more of the lag; "
                                    "theory: half of them."}));
  outcome.tables.push_back(heads);
}

}  // namespace perp::distance
