// Q1: random weights held fixed while the table's layout changes: tables and findings.

#include <algorithm>
#include <cmath>

#include "perp/base/error.hpp"
#include "perp/statistics/order.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/q1_layout.hpp"

namespace perp::distance {
namespace {

/// Draws of one cell.
struct Fixed {
  const Coordinates* at;
  std::vector<double> interleaved, half_split, difference;
};

std::vector<Fixed> collect(const std::vector<CellRecords>& cells) {
  std::vector<Fixed> out;
  for (const CellRecords& c : cells) {
    if (text_at(c.cell.at, "what") != "fixed") continue;
    Fixed fixed{&c.cell.at, {}, {}, {}};
    for (const Record& r : c.records) {
      fixed.interleaved.push_back(number_at(r.values, "interleaved"));
      fixed.half_split.push_back(number_at(r.values, "half_split"));
      fixed.difference.push_back(fixed.half_split.back() - fixed.interleaved.back());
    }
    out.push_back(std::move(fixed));
  }
  return out;
}

Table fixed_table(const std::vector<Fixed>& all) {
  Table table{"q1_fixed.csv",
              {{"matrix", "", Kind::exact, "gaussian M; heads QᵀK and tied QᵀQ of the rank; drawn once"},
               {"rank", "1", Kind::exact, "rows of Q and K; 0 where there are none"},
               {"d", "1", Kind::exact, "dimension"},
               {"draws", "1", Kind::exact, "of the weights; 512 positions each"},
               {"interleaved", "1", Kind::sampled, "R² of the lag, mean over draws"},
               {"half_split", "1", Kind::sampled, "the same through the same weights"},
               {"difference", "1", Kind::sampled, "half-split less interleaved, mean over draws",
                "difference_low", "difference_high"},
               {"difference_low", "1", Kind::sampled, "its 99 % interval by Student's t"},
               {"difference_high", "1", Kind::sampled, "its 99 % interval by Student's t"},
               {"sd", "1", Kind::sampled, "standard deviation of the difference over draws"},
               {"sd_unrelated", "1", Kind::sampled, "the same if the two were drawn apart"},
               {"q05", "1", Kind::sampled, "5 % quantile of the difference"},
               {"q95", "1", Kind::sampled, "95 % quantile of the difference"},
               {"visible", "1", Kind::sampled, "share of draws that differ by 0.01 or more"}},
              {}};
  for (const Fixed& f : all) {
    const Moments a = moments_of(f.interleaved), b = moments_of(f.half_split), c = moments_of(f.difference);
    const Estimate mean = estimated(c);
    const auto visible = static_cast<double>(
        std::ranges::count_if(f.difference, [](double x) { return std::abs(x) >= visible_difference; }));
    table.add({at(*f.at, "matrix"), at(*f.at, "rank"), at(*f.at, "d"), at(*f.at, "draws"), a.mean, b.mean,
               c.mean, *mean.low, *mean.high, std::sqrt(c.variance), std::sqrt(a.variance + b.variance),
               quantile(f.difference, 0.05), quantile(f.difference, 0.95),
               visible / static_cast<double>(c.count)});
  }
  return table;
}

Table draw_table(const std::vector<Fixed>& all) {
  Table table{"q1_draws.csv",
              {{"matrix", "", Kind::exact, "heads QᵀK and tied QᵀQ of rank 64, d = 768"},
               {"draw", "1", Kind::exact, "number of the draw"},
               {"interleaved", "1", Kind::sampled, "R² of the lag"},
               {"half_split", "1", Kind::sampled, "the same through the same weights"}},
              {}};
  for (const Fixed& f : all)
    for (std::size_t i = 0; i < f.interleaved.size() && size_at(*f.at, "d") == 768; ++i)
      table.add({at(*f.at, "matrix"), whole(i), f.interleaved[i], f.half_split[i]});
  return table;
}

}  // namespace

void add_held(const std::vector<CellRecords>& cells, Outcome& outcome) {
  const std::vector<Fixed> fixed = collect(cells);
  const Table table = fixed_table(fixed);
  outcome.tables.insert(outcome.tables.end(), {table, draw_table(fixed)});
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const Coordinates where{{"matrix", table.at(i, "matrix")}, {"d", table.at(i, "d")}};
    const auto n = static_cast<std::uint64_t>(table.number(i, "draws"));
    outcome.findings.push_back(
        finding("Q1", "fixed", where, estimated(moments_of(fixed[i].difference)),
                {.theory = 0,
                 .n = n,
                 .kind = Kind::sampled,
                 .meaning = "R² of the lag of a half-split sinusoid less that of an interleaved one through "
                            "the same random weights, mean over draws; theory: the weights have one law in "
                            "either order."}));
    outcome.findings.push_back(finding(
        "Q1", "fixed_sd", where, {table.number(i, "sd")},
        {.theory = table.number(i, "sd_unrelated"),
         .n = n,
         .kind = Kind::sampled,
         .meaning = "Standard deviation of that difference over draws; beside it that of two sinusoids "
                    "through weights drawn apart."}));
    const double visible = table.number(i, "visible");
    const auto seen = static_cast<std::uint64_t>(std::llround(visible * static_cast<double>(n)));
    outcome.findings.push_back(
        finding("Q1", "fixed_visible", where, estimated(visible, share_spread(seen, n)),
                {.n = n,
                 .kind = Kind::sampled,
                 .meaning = "Share of draws in which the two layouts differ by 0.01 of R² or more."}));
  }
}

}  // namespace perp::distance
