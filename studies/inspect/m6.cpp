// M6: what is seen in positions alone is seen through trained query and key weights (D6, for given models).

#include <algorithm>

#include "perp/statistics/order.hpp"
#include "studies/distance/heads.hpp"
#include "studies/inspect/by_model.hpp"
#include "studies/inspect/m6_layers.hpp"

namespace perp::inspect {
namespace {

using Head = LayerHead;

/// Three standard deviations of one draw around it.
Estimate control(const Head& h) {
  const double away = departs * h.control_sd;
  return {h.control, std::max(0.0, h.control - away), std::min(1.0, h.control + away)};
}

void add_heads_table(const std::vector<Head>& heads, Summary& summary) {
  summary.table("m6_heads.csv", heads,
                {model_name, exact("head", "head, from 0", &Head::head),
                 rounded("r2", "share of the variance of its position scores that relative distance explains",
                         &Head::r2),
                 sampled("control", "the same through random weights, mean over draws", control)
                     .interval("control_low", "control_high", "three standard deviations of one draw below",
                               "three standard deviations above"),
                 rounded("sinusoid", "the sinusoid of the positions' shape through the same weights",
                         &Head::sinusoid)});
}

void conclude(const Models& models, const Cells& cells, Summary& summary) {
  const auto all = where(rows_of<Head>(cells), [&](const Head& head) {
    return head.layer == 0 && has_weights(model_named(models, head.model));
  });
  add_heads_table(all, summary);
  ModelSummaries said(summary, models);
  // Of a lineage the first is asked: behind LayerNorm the layer reads, so such a reading goes before weights
  // alone.
  auto by_model = group_by(all, &Head::model);
  std::ranges::stable_sort(by_model, {}, [&](const Group<Head>& heads) {
    return !model_named(models, heads.front().model).weights->layer_norm;
  });
  for (const auto& heads : by_model) {
    const auto mean = [&](auto get) { return mean_of(heads.values(get)); };
    const HeadSpread r2 = spread_over_heads(heads.values(&Head::r2));
    const ModelUnderTest& model = model_named(models, heads.front().model);
    const std::string reading = distance::reading_of(*model.weights);
    said.begin(heads.front().model, heads.size());
    said.number("r2", {mean(&Head::r2)}, {.theory = mean(&Head::control), .kind = Kind::sampled},
                "Share of the variance of position–position logits that relative distance explains, mean "
                "over heads; beside it the same positions through random weights.");
    said.number("median", {r2.middle}, {}, "The same, median over heads.");
    said.number("least", {r2.least}, {}, "The same, the least of the heads.");
    said.number("lower", {r2.lower}, {}, "The same, lower quartile of the heads.");
    said.number("upper", {r2.upper}, {}, "The same, upper quartile of the heads.");
    said.require_that(Role::core, "median", {Is::above, 0.5}, {{"file", model.positions_file()}},
                      fmt::format("share of the variance of position–position logits that relative distance "
                                  "explains, {}, median over heads",
                                  reading));
    said.add_sentence(
        fmt::format("through its own {} relative distance explains {:.0f}% of the variance of "
                    "position–position logits, median over {} heads ({}), mean {:.0f}% (without weights: "
                    "{:.0f}%; random weights: mean {:.0f}%, heads on average {}); {} of the heads lie "
                    "three standard deviations above; a sinusoid through them: mean {:.0f}%",
                    reading, 100 * r2.middle, heads.size(), in_words(r2), 100 * mean(&Head::r2),
                    100 * heads.front().plain, 100 * mean(&Head::control), in_words(mean(&Head::departure)),
                    count_if(heads, &Head::is_above), 100 * mean(&Head::sinusoid)));
  }
  said.finish("m6_models.csv",
              "a model with positions and the weights that read them (perp inspect --positions with --query, "
              "--key and --heads)");
  conclude_layers(models, cells, summary);
}

}  // namespace

Experiment through_weights(const Models& models, const Options& options) {
  Experiment claim{"M6", "The distance information in positions survives a model's query and key weights.",
                   "[a]", depends(models)};
  measure_layers(models, options, claim);
  claim.conclude([=](const Cells& cells, Summary& summary) { conclude(models, cells, summary); });
  return evidence_for("D6", std::move(claim));
}

}  // namespace perp::inspect
