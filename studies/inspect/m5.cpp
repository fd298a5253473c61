// M5: nearby positions of a model are similar (D2, for given models).

#include <algorithm>

#include "studies/inspect/by_model.hpp"

namespace perp::inspect {
namespace {

/// Mean products of two positions at one distance, over that of a position with itself.
struct Kernel : OfModel {
  std::size_t positions;
  double one, rest;  ///< at distance 1; the largest at any from 2 on
};
PERP_ROW_OF(Kernel, OfModel, positions, one, rest)

/// None of fewer than three positions, and where some are 0 or all are equal.
void measure(const ModelUnderTest& model, const OfModel& at, Rows& rows) {
  if (!model.given().portrait) return;
  const std::vector<double>& kernel = model.given().portrait->kernel;
  rows.add(Kernel{at, kernel.size(), kernel[1], *std::max_element(kernel.begin() + 2, kernel.end())});
}

void conclude(const Models& models, const Cells& cells, Summary& summary) {
  const auto all = rows_of<Kernel>(cells);
  const auto zero = [](const Kernel&) { return 0.0; };
  summary.each(
      all, {model_name},
      {rounded("kernel_1", "Mean product of neighbours, over that of a position with itself.", &Kernel::one)
           .theory(zero)
           .n(&Kernel::positions),
       rounded("kernel_rest", "The largest of those two and more positions apart, at any distance.",
               &Kernel::rest)
           .theory(zero)
           .n(&Kernel::positions)});
  for (const Kernel& of : all)
    ask(summary, model_named(models, of.model),
        {"kernel_1",
         Is::above,
         fmt::format("kernel_rest.{}", of.model),
         0,
         Role::limit,
         {{"measure", "lag 1"}},
         "mean product of neighbours, beside the largest at any other distance"});
  finish(summary, all.size(),
         "a model with at least three positions, all different from 0 (perp inspect --positions FILE)");
}

}  // namespace

Experiment nearby(const Models& models) {
  Experiment claim{"M5",
                   "A model's nearby positions are similar: on average none are more so than neighbours.",
                   "[c, d]", depends(models)};
  claim.measure(cells_of_lineages(models, has_positions), 2,
                [=](const OfModel& at, const Streams&, Rows& rows) {
                  measure(model_named(models, at.model), at, rows);
                });
  claim.conclude([=](const Cells& cells, Summary& summary) { conclude(models, cells, summary); });
  return evidence_for("D2", std::move(claim));
}

}  // namespace perp::inspect
