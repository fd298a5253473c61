// M5: nearby positions of a model are similar (D2, for given models). In words: m5.toml.

#include <algorithm>

#include "studies/inspect/claims.hpp"

namespace perp::inspect {
namespace {

/// Mean products of two positions at one distance, over that of a position with itself: at distance 1, and the largest at
/// any from 2 on. None of fewer than three positions, and where some are 0 or all are equal.
void measure(const ModelUnderTest& model, Out& out) {
  if (!model.given().portrait) return;
  const std::vector<double>& kernel = model.given().portrait->kernel;
  out("kernel", {{"positions", kernel.size()},
                 {"one", kernel[1]},
                 {"rest", *std::max_element(kernel.begin() + 2, kernel.end())}});
}

}  // namespace

Experiment nearby(const Models& models) {
  DescribedClaim claim("M5", toml_of("m5"), depends(models));
  for (const GivenModel& model : lineages_with(models, has_positions))
    claim.cell({{"model", model->name}}, 2, [=](const Streams&, Out& out) { measure(*model, out); });
  return evidence_for("D2", asked_of_each(models, std::move(claim)));
}

}  // namespace perp::inspect
