// M2: words fill a smaller subspace (O3, for given models): 99 % of their variance in less than half of the
// dimensions. In words: m2.toml.

#include "studies/inspect/claims.hpp"

namespace perp::inspect {
namespace {

bool has_words(const ModelUnderTest& model) { return model.tables.words.has_value(); }

/// None of equal rows.
void measure(const ModelUnderTest& model, Out& out) {
  const TableNumbers& words = model.given().words->numbers;
  if (words.centred.r99 > 0)
    out("filled", {{"words", words.rows}, {"share", double(words.centred.r99) / double(words.dim)}});
}

}  // namespace

Experiment dimensions(const Models& models) {
  DescribedClaim claim("M2", toml_of("m2"), depends(models));
  for (const GivenModel& model : lineages_with(models, has_words))
    claim.cell({{"model", model->name}}, 2, [=](const Streams&, Out& out) { measure(*model, out); });
  return evidence_for("O3", asked_of_each(models, std::move(claim)));
}

}  // namespace perp::inspect
