// D6 for a trained layer: given positions through their own query and key weights.

#include "studies/distance/d6_heads.hpp"

#include <algorithm>
#include <cmath>

#include "perp/io/sha256.hpp"
#include "perp/statistics/moments.hpp"
#include "perp/statistics/order.hpp"
#include "perp/theory/distance.hpp"
#include "studies/distance/claims.hpp"
#include "studies/distance/d6_summary.hpp"
#include "studies/distance/heads.hpp"
#include "studies/distance/spreads.hpp"

namespace perp::distance {
namespace {

bool is_heads(const Cell& cell) { return text_at(cell.at, "what") == "heads"; }

/// The tables stand in the cell's name, not in the experiment's inputs: the other cells of the claim do not
/// read them, and what was kept of those stays good.
Cell heads_cell(const Options& options, const GivenPositions& given) {
  const std::size_t draws = control_draws(options.preset);
  const double l = static_cast<double>(rows(*given.positions));
  return {{{"what", std::string("heads")},
           {"tables", sha256_hex(fmt::format("{}", fmt::join(given.hashes, "\n"))).substr(0, 16)},
           {"draws", whole(draws)}},
          1e-10 * static_cast<double>(draws * given.weights->heads) * l * l};
}

Records run_heads(const Cell& cell, const Streams& streams, const GivenPositions& given) {
  const Matrix<double>& positions = *given.positions;
  const std::vector<double> r2 = head_r2(positions, given);
  const std::vector<HeadControl> controls =
      head_controls(positions, given, streams.seed, size_at(cell.at, "draws"), 1);
  Records records;
  for (std::size_t h = 0; h < r2.size(); ++h) {
    const HeadControl& control = controls[h];
    MomentSums sums;
    sums.add(std::span<const double>(control.draws));
    const Estimate mean = estimated(sums.moments());
    const auto below = static_cast<double>(
        std::count_if(control.draws.begin(), control.draws.end(), [&](double x) { return x < r2[h]; }));
    records.push_back({"head",
                       {{"head", whole(h)},
                        {"r2", r2[h]},
                        {"control", control.mean},
                        {"control_low", *mean.low},
                        {"control_high", *mean.high},
                        {"control_sd", control.sd},
                        {"q05", quantile(control.draws, 0.05)},
                        {"q95", quantile(control.draws, 0.95)},
                        {"below", below / static_cast<double>(control.draws.size())}}});
  }
  return records;
}

Table head_table(const std::vector<CellRecords>& cells, std::size_t length) {
  Table table{"d6_heads.csv",
              {{"head", "1", Kind::exact, "of the given layer, from 0"},
               {"positions", "1", Kind::exact, "L: rows of the given table"},
               {"r2", "1", Kind::rounded, "share of the variance of the head's scores that the lag explains"},
               {"control", "1", Kind::sampled,
                "the same through random weights of the shape and size of the head's, mean over draws",
                "control_low", "control_high"},
               {"control_low", "1", Kind::sampled, "its 99 % interval by Student's t"},
               {"control_high", "1", Kind::sampled, "its 99 % interval by Student's t"},
               {"control_sd", "1", Kind::sampled, "its standard deviation over draws"},
               {"q05", "1", Kind::sampled, "5 % quantile over draws"},
               {"q95", "1", Kind::sampled, "95 % quantile over draws"},
               {"below", "1", Kind::sampled, "share of the draws below the head"},
               {"draws", "1", Kind::exact, "draws of random weights, shared by all heads"},
               {"null", "1", Kind::exact, "2/(L+1): independent scores"}},
              {}};
  for (const Coordinates& r : records_of(cells, "head"))
    table.add({at(r, "head"), whole(length), at(r, "r2"), at(r, "control"), at(r, "control_low"),
               at(r, "control_high"), at(r, "control_sd"), at(r, "q05"), at(r, "q95"), at(r, "below"),
               at(r, "draws"), theory::toeplitz_null(length)});
  return table;
}

void add_findings(const Table& table, std::size_t length, std::vector<Finding>& out) {
  const std::size_t heads = table.rows.size();
  const double null = theory::toeplitz_null(length);
  double mean = 0, control = 0, above = 0;
  std::vector<double> shares;
  for (std::size_t h = 0; h < heads; ++h) {
    const auto number = [&](const char* column) { return table.number(h, column); };
    const Coordinates place{{"head", whole(h)}};
    shares.push_back(number("r2"));
    mean += number("r2") / static_cast<double>(heads);
    control += number("control") / static_cast<double>(heads);
    above += number("r2") > number("q95");
    out.push_back(finding("D6", "trained", place, {number("r2")},
                          {.theory = null,
                           .n = length * length,
                           .kind = Kind::rounded,
                           .meaning = "Share of the variance of a trained head's position scores that their "
                                      "lag explains; beside it the level of independent scores."}));
    out.push_back(finding(
        "D6", "control", place,
        from_interval(number("control"), number("control_low"), number("control_high"), shown_level,
                      static_cast<std::size_t>(number("draws"))),
        {.theory = null,
         .n = static_cast<std::uint64_t>(number("draws")),
         .kind = Kind::sampled,
         .meaning = "The same positions through random weights in place of the head's, mean over draws; "
                    "all heads share the draws."}));
  }
  out.push_back(finding("D6", "trained_mean", {}, {mean},
                        {.theory = control,
                         .n = heads,
                         .kind = Kind::rounded,
                         .meaning = "Mean over the heads of a trained layer; beside it the mean of their "
                                    "controls."}));
  out.push_back(finding("D6", "trained_median", {}, {quantile(shares, 0.5)},
                        {.theory = control,
                         .n = heads,
                         .kind = Kind::rounded,
                         .meaning = "Median over these heads; beside it the mean of their controls."}));
  out.push_back(
      finding("D6", "trained_above", {}, {above},
              {.theory = 0.05 * static_cast<double>(heads),
               .unit = "heads",
               .n = heads,
               .kind = Kind::sampled,
               .meaning = "Heads whose share exceeds 95 % of the draws of their control; beside it as "
                          "many as random weights would bring."}));
}

}  // namespace

Experiment with_heads(Experiment after_projection, const Options& options, const SharedPositions& given) {
  if (!given->weights) return after_projection;
  after_projection.cells.push_back(heads_cell(options, *given));
  after_projection.run = [given, run = after_projection.run](const Cell& cell, const Streams& streams) {
    return is_heads(cell) ? run_heads(cell, streams, *given) : run(cell, streams);
  };
  after_projection.summarise =
      [given, summarise = after_projection.summarise](const std::vector<CellRecords>& cells) {
        std::vector<CellRecords> own, others;
        for (const CellRecords& entry : cells) (is_heads(entry.cell) ? own : others).push_back(entry);
        Outcome outcome = summarise(others);
        const std::size_t length = rows(*given->positions);
        outcome.tables.push_back(head_table(own, length));
        add_findings(outcome.tables.back(), length, outcome.findings);
        const std::string file = given->files.empty() ? "the given table" : known_file(given->files.front());
        for (Condition& condition : outcome.rule)
          if (condition.finding.empty()) condition = trained_heads(file);
        outcome.condition += fmt::format(", {:.0f} % through a trained layer's heads (median)",
                                         100 * find(outcome.findings, "D6.trained_median")->value);
        return outcome;
      };
  return after_projection;
}

}  // namespace perp::distance
