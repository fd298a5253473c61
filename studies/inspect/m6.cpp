// M6: what is seen in positions alone is seen through trained query and key weights (D6, for given models):
// what each head of each layer keeps of the distance, beside three controls. In words: m6.toml.

#include <algorithm>

#include "perp/base/matrix_algebra.hpp"
#include "perp/statistics/spread.hpp"
#include "studies/distance/heads.hpp"
#include "studies/inspect/claims.hpp"

namespace perp::inspect {
namespace {

/// Layers beside positions; of a lineage one reading: behind LayerNorm the layer reads, so such a one goes before
/// weights alone.
std::vector<GivenModel> read_models(const Models& models) {
  std::vector<GivenModel> read = models_with(models, has_weights);
  std::stable_partition(read.begin(), read.end(),
                        [](const GivenModel& model) { return model->weights->layer_norm.has_value(); });
  return one_of_each_lineage(read);
}

/// R² of the distance over each head's position scores, beside those of its controls, each a mean over draws: random weights
/// of its size, head space rotated (pairing), input space rotated (alignment). A dead head's scores of positions tell
/// nothing, and it is not counted among those that do.
void measure(const ModelUnderTest& model, std::size_t layer, std::size_t draws, const Streams& streams,
             Out& out) {
  const Matrix<double>& positions = *model.tables.positions;
  const GivenPositions given = model.layers->read(layer, positions);
  const std::vector<double> r2 = distance::head_r2(positions, given);
  const auto controls = distance::head_controls(positions, given, streams, draws, 1);
  const auto turned = [&](distance::Turned what) {
    return transposed(distance::turned_r2(positions, given, what, streams, draws, 1));
  };
  const Matrix<double> pairing = turned(distance::Turned::pairing),
                       alignment = turned(distance::Turned::alignment);
  const auto mean_in = [](const Matrix<double>& of, std::size_t head) {
    return mean_of({row(of, head).begin(), row(of, head).end()});
  };
  for (std::size_t head = 0; head < r2.size(); ++head)
    if (!std::isnan(r2[head]))
      out("head", {{"r2", r2[head]},
                   {"control", controls[head].mean},
                   {"pairing", mean_in(pairing, head)},
                   {"alignment", mean_in(alignment, head)}});
}

void fold(const Frames& measured, Out& out) {
  if (!measured.has("head")) return;
  for (const auto& [table, place] : {std::pair{"by_layer", "model layer"}, {"all_layers", "model"}})
    for (const Frame& heads : measured["head"].by(place)) {
      const std::vector<double> r2 = heads.numbers("r2");
      out(table, heads,
          {{"heads", heads.size()},
           {"r2", quantile(r2, 0.5)},
           {"lower", quantile(r2, 0.25)},
           {"upper", quantile(r2, 0.75)},
           {"control", mean_of(heads.numbers("control"))},
           {"pairing", mean_of(heads.numbers("pairing"))},
           {"alignment", mean_of(heads.numbers("alignment"))}});
    }
}

}  // namespace

Experiment through_weights(const Models& models, const Options& options) {
  Experiment claim("M6", toml_of("m6"), depends(models));
  const std::size_t draws = pick<std::size_t>(options.preset, 20, 200, 1000);  // of each control
  for (const GivenModel& model : read_models(models))
    for (const std::size_t layer : first(model->layers->count()))
      claim.cell({{"model", model->name}, {"layer", whole(layer)}, {"draws", whole(draws)}}, 20,
                 [=](const Streams& streams, Out& out) { measure(*model, layer, draws, streams, out); });
  claim.fold(fold);
  return evidence_for("D6", asked_of_each(models, std::move(claim)));
}

}  // namespace perp::inspect
