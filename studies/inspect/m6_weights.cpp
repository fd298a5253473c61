// M6: what is seen in positions alone is seen through trained query and key weights (D6, for given models).

#include <algorithm>
#include <cmath>

#include "perp/statistics/order.hpp"
#include "perp/theory/distance.hpp"
#include "studies/distance/heads.hpp"
#include "studies/inspect/claims.hpp"

namespace perp::inspect {
namespace {

bool has_weights(const Subject& subject) { return subject.weights() && subject.weights()->weights; }

Records run(const Subject& subject, std::size_t draws, std::uint64_t seed) {
  const GivenPositions& given = *subject.weights();
  const Matrix<double>& positions = *given.positions;
  const std::vector<double> r2 = distance::head_r2(positions, given);
  const std::vector<distance::HeadControl> controls =
      distance::head_controls(positions, given, seed, draws, 1);
  std::vector<double> wave(r2.size(), std::nan(""));
  if (const auto sinusoid = sinusoid_like(subject.tables())) wave = distance::head_r2(*sinusoid, given);
  Records records;
  for (std::size_t h = 0; h < r2.size(); ++h)
    records.push_back({"head",
                       {{"head", whole(h)},
                        {"r2", r2[h]},
                        {"control", controls[h].mean},
                        {"control_sd", controls[h].sd},
                        {"departure", (r2[h] - controls[h].mean) / controls[h].sd},
                        {"sinusoid", wave[h]},
                        {"null", theory::toeplitz_null(rows(positions))}}});
  return records;
}

Table heads_table(const std::vector<CellRecords>& cells) {
  Table table{
      "m6_heads.csv",
      {{"model", "", Kind::exact, "name of the model"},
       {"head", "1", Kind::exact, "head, from 0"},
       {"r2", "1", Kind::rounded, "share of the variance of its position scores that the distance explains"},
       {"control", "1", Kind::sampled, "the same through random weights, mean over draws", "control_low",
        "control_high"},
       {"control_low", "1", Kind::sampled, "three standard deviations of one draw below"},
       {"control_high", "1", Kind::sampled, "three standard deviations above"},
       {"departure", "standard deviations", Kind::sampled,
        "r2 less control, in standard deviations of a draw"},
       {"sinusoid", "1", Kind::rounded, "the sinusoid of the positions' shape through the same weights"},
       {"null", "1", Kind::exact, "independent scores, 2/(L+1)"}},
      {}};
  for (const Coordinates& r : records_of(cells, "head")) {
    const double control = number_at(r, "control"), away = departs * number_at(r, "control_sd");
    table.add({text_at(r, "model"), at(r, "head"), number_at(r, "r2"), control, std::max(0.0, control - away),
               std::min(1.0, control + away), number_at(r, "departure"), number_at(r, "sinusoid"),
               number_at(r, "null")});
  }
  return table;
}

Outcome summarise(const Subjects& subjects, const std::vector<CellRecords>& cells, std::size_t draws) {
  Verdicts v{"M6", {}};
  v.outcome.tables = {heads_table(cells)};
  for (const Subject& subject : *subjects) {
    if (!has_weights(subject)) continue;
    double heads = 0, above = 0, r2 = 0, control = 0, wave = 0, away = 0;
    std::vector<double> each;
    for (const Coordinates& r : records_of(cells, "head")) {
      if (text_at(r, "model") != subject.name()) continue;
      ++heads;
      above += number_at(r, "departure") > departs;
      r2 += number_at(r, "r2");
      each.push_back(number_at(r, "r2"));
      control += number_at(r, "control");
      wave += number_at(r, "sinusoid");
      away += number_at(r, "departure");
    }
    const auto n = static_cast<std::uint64_t>(heads);
    v.add("r2", subject.name(), {r2 / heads},
          {.theory = control / heads,
           .n = n,
           .kind = Kind::sampled,
           .meaning = "Share of the variance of position scores that the distance explains, mean over heads; "
                      "beside it "
                      "the same positions through random weights."});
    v.add("median", subject.name(), {median(each)},
          {.n = n, .kind = Kind::rounded, .meaning = "The same, median over heads."});
    v.add("sinusoid", subject.name(), {wave / heads},
          {.n = n,
           .kind = Kind::rounded,
           .meaning = "The same for the sinusoid of the positions' shape through the model's weights."});
    v.add("departure", subject.name(), {away / heads},
          {.theory = 0.0,
           .unit = "standard deviations",
           .n = draws,
           .kind = Kind::sampled,
           .meaning = "Departure of a head from its random-weights control, mean over heads."});
    v.add(
        "heads_above", subject.name(), {above / heads},
        {.n = n,
         .kind = Kind::sampled,
         .meaning = "Share of the heads that lie more than three standard deviations above their control."});
    v.ask("median", subject.name(),
          {.finding = {},
           .is = Is::above,
           .bound = 0.5,
           .levels = {{"file", subject.positions_file()}},
           .says = "share of the variance of position scores that the distance explains, median over heads"});
    v.say(subject.name(),
          fmt::format(
              "through its own weights the distance explains {:.0f} % of the variance of position scores, "
              "median over {:.0f} heads, mean {:.0f} % (random weights: mean {:.0f} %, heads on average "
              "{}); {:.0f} of the heads lie three standard deviations above; a sinusoid through them: mean "
              "{:.0f} %",
              100 * median(each), heads, 100 * r2 / heads, 100 * control / heads, in_words(away / heads),
              above, 100 * wave / heads),
          fmt::format("through its own weights the distance explains {:.0f} % of the variance of position "
                      "scores, median over {:.0f} heads",
                      100 * median(each), heads));
  }
  return v.finish(
      "no model with positions and the weights that read them was given (--positions with --query, --key and "
      "--heads, or make inspect POSITIONS= QUERY= KEY= HEADS=)");
}

}  // namespace

Experiment through_weights(const Subjects& subjects, const Options& options) {
  const std::size_t draws = pick<std::size_t>(options.preset, 20, 200, 1000);
  std::vector<Cell> cells;
  for (const Subject& subject : *subjects)
    if (has_weights(subject)) cells.push_back({{{"model", subject.name()}, {"draws", whole(draws)}}, 5});
  return evidence_for(
      "D6", {"M6", "What positions tell of distance survives a model's query and key weights.", "[a]",
             depends(subjects), cells,
             [=](const Cell& cell, const Streams& streams) {
               return run(subject_named(subjects, text_at(cell.at, "model")), draws, streams.seed);
             },
             [=](const std::vector<CellRecords>& of) { return summarise(subjects, of, draws); }});
}

}  // namespace perp::inspect
