// M8: learned positions are like sinusoids (Q4, for given models).

#include <algorithm>

#include "perp/vectors/positions.hpp"
#include "studies/distance/q4_portrait.hpp"
#include "studies/inputs/trained_rows.hpp"
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

Comparison compare(const OfModel& at, const char* of, const distance::Portrait& given,
                   const distance::Portrait& wave) {
  double largest = 0, lag = 0;
  for (std::size_t k = 1; 2 * k <= given.kernel.size(); ++k) {
    const double off = std::abs(given.kernel[k] - wave.kernel[k]);
    if (off > largest) largest = off, lag = k;
  }
  return {at,
          of,
          largest,
          lag,
          double(given.centred.r99),
          double(wave.centred.r99),
          given.r2_apart,
          wave.r2_apart,
          given.neighbours,
          wave.neighbours,
          given.kernel.size()};
}

bool are_equal(const Matrix<double>& table, const RowRange& run) {
  for (std::size_t t = run.first + 1; t < run.last; ++t)
    if (!std::ranges::equal(row(table, t), row(table, run.first))) return false;
  return true;
}

void measure(const ModelUnderTest& model, const OfModel& at, Rows& rows) {
  if (!model.given().portrait) return;
  const distance::Portrait& given = *model.given().portrait;
  const Matrix<double>& table = *model.tables.positions;
  const distance::Portrait wave = distance::portrait(*sinusoid_like(model.tables));
  for (const distance::PortraitMeasure& measure : distance::portrait_measures())
    rows.add(Measure{at, measure.name, measure.label, measure.read(given), measure.read(wave)});
  rows.add(compare(at, "all", given, wave));
  const RowRange run = trained_run(trained_rows(given.norms));
  if (run.count() < 3 || are_equal(table, run)) return;
  rows.add(compare(at, "trained_rows", distance::portrait(block(table, run.first, run.last)),
                   distance::portrait(sinusoidal<double>(run.count(), cols(table)))));
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
  add("r99_factor", std::max(c.given / c.sinusoid, c.sinusoid / c.given), 1,
      "Ratio, larger over smaller, of the dimensions that hold 99% of the variance of the positions and of "
      "the sinusoid.");
  add("kernel_departure", c.departure, 0,
      "Largest difference of the mean products at one distance, each over distance 0; up to half of the "
      "positions.");
}

void require_alike(const std::string& file, ModelSummaries& said) {
  /// A model's condition, and the limit that it becomes without the rows that training never met.
  const auto require_that = [&](const std::string& measure, const Threshold& threshold, const char* number,
                                const std::string& says) {
    const Levels levels{{"measure", number}, {"file", file}};
    said.require_that(Role::core, measure, threshold, levels, says);
    said.require_that(Role::limit, measure + "_trained_rows", threshold, levels,
                      says + ", without rows that training never met",
                      "at least three positions in a row that training met");
  };
  require_that("r2_apart", {Is::above, distance::most}, "lag",
               "share of the variance of products of different positions that relative distance explains");
  require_that("neighbours", {Is::above, distance::most}, "neighbours",
               "share of the positions that are most similar to a neighbour");
  require_that("r99_factor", {Is::below, distance::alike_factor}, "dimensions",
               "dimensions that hold 99%, beside those of the sinusoid, larger over smaller");
  require_that("kernel_departure", {Is::below, distance::alike_share}, "mean products",
               "largest difference of the mean products at one distance from the sinusoid's");
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
    said.add_sentence(
        fmt::format(
            "99% of the variance takes {:.0f} dimensions, of a sinusoid {:.0f}; the mean product differs "
            "from the sinusoid's by up to {:.2f} of a position's product with itself, at distance {:.0f}",
            c.given, c.sinusoid, c.departure, c.lag),
        fmt::format("99% of the variance in {:.0f} dimensions, of a sinusoid's in {:.0f}; mean products up "
                    "to {:.2f} from the sinusoid's",
                    c.given, c.sinusoid, c.departure));
  }
  said.finish("m8_models.csv",
              "no model with at least three positions of even dimension, all different from 0, was given "
              "(--positions FILE, or make inspect POSITIONS=)");
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
