#pragma once
// Study `inspect`: what people claim of positions and words, held against the tables of given models. One
// function per claim; each returns its experiment, which is evidence for the claim that it tests: each model
// adds its own conditions to that claim's rule.

#include "perp/study/experiment.hpp"
#include "studies/inspect/model_under_test.hpp"

namespace perp::inspect {

/// What stands in <claim>.toml.
std::string_view toml_of(std::string_view claim);

using GivenModel = std::shared_ptr<const ModelUnderTest>;
using Wanted = bool(const ModelUnderTest&);
/// The models that `wanted` holds for.
std::vector<GivenModel> models_with(const Models& models, Wanted wanted);
/// The first of each lineage: several releases of one training are one witness.
std::vector<GivenModel> one_of_each_lineage(const std::vector<GivenModel>& models);
inline std::vector<GivenModel> lineages_with(const Models& models, Wanted wanted) {
  return one_of_each_lineage(models_with(models, wanted));
}

/// The claim, its conditions on `measure.*` being what it asks of each model, of one lineage of the first:
/// the model's name goes before what they say, and its levels before theirs. In their texts {model} is its name, {file} the
/// file of its positions, {reading} how its heads read them. What a condition `needs` may be NaN, and is then no finding. A
/// condition on `elsewhere` stands where no model is asked. Tables without rows are left out.
Experiment asked_of_each(const Models& models, Experiment claim);

Experiment unrelated(const Models& models);                                 // M1: O2
Experiment dimensions(const Models& models);                                // M2: O3
Experiment subspaces(const Models& models, const Options& options);         // M3: O4
Experiment lag_alone(const Models& models);                                 // M4: D1
Experiment nearby(const Models& models);                                    // M5: D2
Experiment through_weights(const Models& models, const Options& options);   // M6: D6
Experiment after_layer_norm(const Models& models);                          // M7: Q2
Experiment like_sinusoids(const Models& models);                            // M8: Q4
Experiment through_layers(const Models& models);                            // M10: beside the claims
Experiment into_coordinates(const Models& models, const Options& options);  // A11

/// Of M10: one pass over all texts, a row "layers" per depth, 0 for what enters the first block and k after block k. mask:
/// "none", every token sees its whole text, as the model was trained; or "causal", it sees what stands before it.
void measure_pass(const EncodedTexts& texts, std::string_view mask, Out& out);

/// The study `inspect`: claims M1 to M10 about models that are given.
Study study();

}  // namespace perp::inspect
