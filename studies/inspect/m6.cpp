// M6: what is seen in positions alone is seen through trained query and key weights (D6, for given models):
// what each head of each layer keeps of the distance, beside three controls.

#include <algorithm>

#include "perp/base/matrix_algebra.hpp"
#include "perp/statistics/order.hpp"
#include "studies/distance/heads.hpp"
#include "studies/inspect/by_model.hpp"

namespace perp::inspect {
namespace {

struct LayerOf : OfModel {
  std::size_t layer;
  std::size_t draws;  ///< of each control
};
PERP_ROW_OF(LayerOf, OfModel, layer, draws)

/// R² of the distance over a head's position scores, beside those of its controls, each a mean over draws:
/// random weights of its size, head space rotated (pairing), input space rotated (alignment).
struct LayerHead : LayerOf {
  std::size_t head;
  double r2, control, pairing, alignment;
};
PERP_ROW_OF(LayerHead, LayerOf, head, r2, control, pairing, alignment)

/// Layers beside positions; of a lineage one reading: behind LayerNorm the layer reads, so such a one goes before
/// weights alone.
std::vector<OfModel> read_models(const Models& models) {
  const auto behind_norm = [](const ModelUnderTest& model) {
    return has_weights(model) && model.weights->layer_norm.has_value();
  };
  std::vector<OfModel> read = cells_of_lineages(models, behind_norm);
  for (const OfModel& of : cells_of_lineages(models, has_weights))
    if (std::ranges::none_of(read, [&](const OfModel& other) {
          return lineage_of(model_named(models, other.model)) == lineage_of(model_named(models, of.model));
        }))
      read.push_back(of);
  return read;
}

/// A dead head's scores of positions tell nothing, and it is not counted among those that do.
void measure(const ModelUnderTest& model, const LayerOf& at, const Streams& streams, Rows& out) {
  const Matrix<double>& positions = *model.tables.positions;
  const GivenPositions given = as_given(model.layers->read(at.layer), *model.layers, positions);
  const std::vector<double> r2 = distance::head_r2(positions, given);
  const auto controls = distance::head_controls(positions, given, streams, at.draws, 1);
  const auto turned = [&](distance::Turned what) {
    return transposed(distance::turned_r2(positions, given, what, streams, at.draws, 1));
  };
  const Matrix<double> pairing = turned(distance::Turned::pairing),
                       alignment = turned(distance::Turned::alignment);
  const auto mean_in = [](const Matrix<double>& draws, std::size_t head) {
    return mean_of({row(draws, head).begin(), row(draws, head).end()});
  };
  for (std::size_t head = 0; head < r2.size(); ++head)
    if (!std::isnan(r2[head]))
      out.add(LayerHead{at, head, r2[head], controls[head].mean, mean_in(pairing, head),
                        mean_in(alignment, head)});
}

using Heads = Group<LayerHead>;
auto middle_of(double p) {
  return [=](const Heads& heads) { return quantile(heads.values(&LayerHead::r2), p); };
}
auto mean_over(double LayerHead::*value) {
  return [=](const Heads& heads) { return mean_of(heads.values(value)); };
}

void add_table(const std::vector<LayerHead>& heads, Summary& summary) {
  summary.table("m6_by_layer.csv", group_by(heads, &LayerOf::model, &LayerOf::layer),
                {model_name, exact("layer", "layer, from 0", &LayerOf::layer),
                 rows_in<LayerHead>("heads", "of the layer"),
                 rounded("r2", "share that relative distance explains, median over heads", middle_of(0.5)),
                 rounded("lower", "their lower quartile", middle_of(0.25)),
                 rounded("upper", "their upper quartile", middle_of(0.75)),
                 sampled("control", "through random weights, mean over heads and draws",
                         mean_over(&LayerHead::control)),
                 sampled("pairing", "head space rotated, likewise", mean_over(&LayerHead::pairing)),
                 sampled("alignment", "input space rotated, likewise", mean_over(&LayerHead::alignment))});
}

void conclude(const Models& models, const Cells& cells, Summary& summary) {
  const auto all = rows_of<LayerHead>(cells);
  if (!all.empty()) add_table(all, summary);
  summary.each(
      group_by(all, &LayerOf::model), {model_name},
      {sampled("all_layers",
               "Share of the variance of position scores that relative distance explains, median over the "
               "heads of all layers, the positions going to each as they stand in the table; beside it "
               "random weights.",
               middle_of(0.5))
           .theory(mean_over(&LayerHead::control))
           .n(&Heads::size),
       sampled("all_layers_alignment",
               "The same with input space rotated at random, mean over heads and draws.",
               mean_over(&LayerHead::alignment))
           .n(&Heads::size)});
  for (const Heads& heads : group_by(only(all, &LayerOf::layer, std::size_t{0}), &LayerOf::model)) {
    const ModelUnderTest& model = model_named(models, heads.front().model);
    summary.number(
        "median", {{"model", model.name}}, {middle_of(0.5)(heads)},
        {.n = heads.size(),
         .kind = Kind::rounded,
         .meaning = "Share of the variance of position–position logits that relative distance explains, "
                    "median over the heads of the first layer."});
    ask(summary, model,
        {"median",
         Is::above,
         0.5,
         0,
         Role::core,
         {{"file", model.positions_file()}},
         fmt::format("share of the variance of position–position logits that relative distance explains, {}, "
                     "median over heads",
                     distance::reading_of(*model.weights))});
  }
  finish(summary, group_by(all, &LayerOf::model).size(),
         "a model with positions and the weights that read them (perp inspect --positions with --query, "
         "--key and "
         "--heads)");
}

}  // namespace

Experiment through_weights(const Models& models, const Options& options) {
  Experiment claim{"M6", "The distance information in positions survives a model's query and key weights.",
                   "[a]", depends(models)};
  std::vector<LayerOf> places;
  for (const OfModel& of : read_models(models))
    for (const std::size_t layer : first(model_named(models, of.model).layers->count()))
      places.push_back({of, layer, pick<std::size_t>(options.preset, 20, 200, 1000)});
  claim.measure(places, 20, [=](const LayerOf& at, const Streams& streams, Rows& rows) {
    measure(model_named(models, at.model), at, streams, rows);
  });
  claim.conclude([=](const Cells& cells, Summary& summary) { conclude(models, cells, summary); });
  return evidence_for("D6", std::move(claim));
}

}  // namespace perp::inspect
