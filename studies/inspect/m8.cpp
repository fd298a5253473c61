// M8: learned positions are like sinusoids (Q4, for given models).

#include "studies/inspect/by_model.hpp"
#include "studies/inspect/portrait.hpp"

namespace perp::inspect {
namespace {

/// All positions, or the longest run that training met, beside the sinusoid of that shape.
struct Comparison : OfModel {
  std::string suffix;  ///< of the findings' names: "" or "_trained_rows"
  std::size_t positions;
  double departure;  ///< the kernels' largest difference up to half of the positions
  double r99_factor, r2_apart, r2_apart_wave, neighbours, neighbours_wave;
};
PERP_ROW_OF(Comparison, OfModel, suffix, positions, departure, r99_factor, r2_apart, r2_apart_wave,
            neighbours, neighbours_wave)

Comparison compare(const OfModel& at, const char* suffix, const BesideSinusoid& both) {
  const auto& [given, wave] = both;
  return {at,
          suffix,
          given.kernel.size(),
          kernel_departure(given.kernel, wave.kernel),
          double(std::max(given.r99, wave.r99)) / double(std::min(given.r99, wave.r99)),
          given.r2_apart,
          wave.r2_apart,
          given.neighbours,
          wave.neighbours};
}

void measure(const ModelUnderTest& model, const OfModel& at, Rows& rows) {
  if (!model.given().portrait) return;
  rows.add(compare(at, "", {*model.given().portrait, portrait(*sinusoid_like(model.tables))}));
  if (const auto trained = trained_beside_sinusoid(*model.tables.positions))
    rows.add(compare(at, "_trained_rows", *trained));
}

void add_findings(const Comparison& c, Summary& summary) {
  const auto add = [&](const char* measure, double value, double theory, const char* meaning) {
    if (std::isfinite(value))
      summary.number(
          fmt::format("{}{}", measure, c.suffix), {{"model", c.model}}, {value},
          {.theory = theory,
           .n = c.positions,
           .kind = Kind::rounded,
           .meaning = fmt::format("{}{}", meaning,
                                  c.suffix.empty() ? ""
                                                   : " Of the longest run of positions that are at "
                                                     "least half as long as the median one.")});
  };
  add("r2_apart", c.r2_apart, c.r2_apart_wave,
      "Share of the variance of the products of different positions that relative distance explains; beside "
      "it that of the sinusoid.");
  add("neighbours", c.neighbours, c.neighbours_wave,
      "Share of the positions that are most similar to a neighbour; beside it that of the sinusoid.");
  add("r99_factor", c.r99_factor, 1,
      "Ratio, larger over smaller, of the dimensions that hold 99% of the variance of the positions and of "
      "the sinusoid.");
  add("kernel_departure", c.departure, 0,
      "Largest difference of the mean products at one distance, each over distance 0; up to half of the "
      "positions.");
}

/// The conditions, and the limits that they become without the rows that training never met.
void ask_alike(const ModelUnderTest& model, Summary& summary) {
  for (const Respect& r : respects()) {
    const Levels levels{{"measure", r.name}, {"file", model.positions_file()}};
    ask(summary, model, {r.measure, r.is, r.bound, 0, Role::core, levels, r.says});
    ask(summary, model,
        {fmt::format("{}_trained_rows", r.measure), r.is, r.bound, 0, Role::limit, levels,
         fmt::format("{}, without rows that training never met", r.says),
         "at least three positions in a row that training met"});
  }
}

void conclude(const Models& models, const Cells& cells, Summary& summary) {
  const auto all = rows_of<Comparison>(cells);
  for (const Comparison& c : all) {
    add_findings(c, summary);
    if (c.suffix.empty()) ask_alike(model_named(models, c.model), summary);
  }
  finish(summary, only(all, &Comparison::suffix, "").size(),
         "a model with at least three positions of even dimension, all different from 0 (perp inspect "
         "--positions FILE)");
}

bool can_compare(const ModelUnderTest& model) {
  return has_positions(model) && cols(*model.tables.positions) % 2 == 0 && rows(*model.tables.positions) >= 3;
}

}  // namespace

Experiment like_sinusoids(const Models& models) {
  Experiment claim{"M8", "A model's positions are like sinusoids.", "(asked)", depends(models)};
  claim.measure(cells_of_lineages(models, can_compare), 2,
                [=](const OfModel& at, const Streams&, Rows& rows) {
                  measure(model_named(models, at.model), at, rows);
                });
  claim.conclude([=](const Cells& cells, Summary& summary) { conclude(models, cells, summary); });
  return evidence_for("Q4", std::move(claim));
}

}  // namespace perp::inspect
