// M8: learned positions are like sinusoids (Q4, for given models).

#include "studies/distance/q4_portrait.hpp"
#include "studies/inspect/by_model.hpp"

namespace perp::inspect {
namespace {

struct Measure : OfModel {
  std::string measure, label;
  double given, sinusoid;
};
PERP_ROW_OF(Measure, OfModel, measure, label, given, sinusoid)
/// All positions, or the longest run that training met; beside the sinusoid of that shape.
struct Comparison : OfModel {
  std::string of;          ///< "all" or "trained_rows"
  double departure, lag;   ///< the kernels' largest difference up to half of the positions, at which lag
  double given, sinusoid;  ///< dimensions that hold 99 %
  double r2_apart, r2_apart_wave, neighbours, neighbours_wave;
  std::size_t positions;
};
PERP_ROW_OF(Comparison, OfModel, of, departure, lag, given, sinusoid, r2_apart, r2_apart_wave, neighbours,
            neighbours_wave, positions)

Comparison compare(const OfModel& at, const char* of, const distance::BesideSinusoid& both) {
  const auto& [given, wave] = both;
  const distance::KernelDeparture largest = both.kernel();
  return {at,
          of,
          largest.size,
          double(largest.lag),
          double(given.centred.r99),
          double(wave.centred.r99),
          given.r2_apart,
          wave.r2_apart,
          given.neighbours,
          wave.neighbours,
          given.kernel.size()};
}

void measure(const ModelUnderTest& model, const OfModel& at, Rows& rows) {
  if (!model.given().portrait) return;
  const distance::BesideSinusoid all{*model.given().portrait,
                                     distance::portrait(*sinusoid_like(model.tables))};
  for (const distance::PortraitMeasure& measure : distance::portrait_measures())
    rows.add(Measure{at, measure.name, measure.label, measure.read(all.own), measure.read(all.wave)});
  rows.add(compare(at, "all", all));
  if (const auto trained = distance::trained_beside_sinusoid(*model.tables.positions))
    rows.add(compare(at, "trained_rows", *trained));
}

/// The findings of one comparison; their names end in `suffix`, their meanings in `note`.
void add_alike(const Comparison& c, const char* suffix, const char* note, ModelSummaries& said) {
  said.begin(c.model, c.positions);
  const auto add = [&](const std::string& measure, double value, double theory, const char* meaning) {
    said.number(measure + suffix, {value}, {.theory = theory}, fmt::format("{}{}", meaning, note));
  };
  add("r2_apart", c.r2_apart, c.r2_apart_wave,
      "Share of the variance of the products of different positions that relative distance explains; beside "
      "it that of the sinusoid.");
  add("neighbours", c.neighbours, c.neighbours_wave,
      "Share of the positions that are most similar to a neighbour; beside it that of the sinusoid.");
  add("r99_factor", distance::factor_between(c.given, c.sinusoid), 1,
      "Ratio, larger over smaller, of the dimensions that hold 99% of the variance of the positions and of "
      "the sinusoid.");
  add("kernel_departure", c.departure, 0,
      "Largest difference of the mean products at one distance, each over distance 0; up to half of the "
      "positions.");
}

/// A model's conditions, and the limits that they become without the rows that training never met.
void require_alike(const std::string& file, ModelSummaries& said) {
  for (const distance::Respect& r : distance::respects()) {
    const Levels levels{{"measure", r.name}, {"file", file}};
    said.require_that(Role::core, r.measure, {r.is, r.bound}, levels, r.says(false));
    said.require_that(Role::limit, fmt::format("{}_trained_rows", r.measure), {r.is, r.bound}, levels,
                      r.says(true), distance::needs_trained_run);
  }
}

constexpr const char* left_out =
    " Of the longest run of positions that are at least half as long as the median one.";

void conclude(const Models& models, const Cells& cells, Summary& summary) {
  const auto measures = rows_of<Measure>(cells);
  summary.table("m8_measures.csv", measures,
                {model_name, exact("measure", "what is measured", &Measure::measure),
                 exact("label", "the same in words", &Measure::label),
                 rounded("given", "of the given positions", &Measure::given),
                 rounded("sinusoid", "of the sinusoid of their shape, T = 10000", &Measure::sinusoid)});
  ModelSummaries said(summary, models);
  const auto comparisons = rows_of<Comparison>(cells);
  for (const Comparison& c : only(comparisons, &Comparison::of, "all")) {
    add_alike(c, "", "", said);
    for (const Comparison& trained :
         only(comparisons, &Comparison::model, c.model, &Comparison::of, "trained_rows"))
      add_alike(trained, "_trained_rows", left_out, said);
    require_alike(model_named(models, c.model).positions_file(), said);
    said.add_sentence(fmt::format(
        "99% of the variance takes {:.0f} dimensions, of a sinusoid {:.0f}; the mean product differs "
        "from the sinusoid's by up to {:.2f} of a position's product with itself, at distance {:.0f}",
        c.given, c.sinusoid, c.departure, c.lag));
  }
  said.finish("m8_models.csv",
              "a model with at least three positions of even dimension, all different from 0 "
              "(perp inspect --positions FILE)");
}

bool can_compare(const ModelUnderTest& model) {
  return has_positions(model) && cols(*model.tables.positions) % 2 == 0 && rows(*model.tables.positions) >= 3;
}

}  // namespace

Experiment like_sinusoids(const Models& models) {
  Experiment claim{"M8", "A model's positions are like sinusoids.", "(asked)", depends(models)};
  claim.measure(cells_of(models, can_compare), 2, [=](const OfModel& at, const Streams&, Rows& rows) {
    measure(model_named(models, at.model), at, rows);
  });
  claim.conclude([=](const Cells& cells, Summary& summary) { conclude(models, cells, summary); });
  return evidence_for("Q4", std::move(claim));
}

}  // namespace perp::inspect
