#pragma once
// Study `inspect`: what people claim of positions and words, held against the tables of given models. One
// function per claim; each returns its experiment, which is evidence for the claim that it tests: each model
// adds its own conditions to that claim's rule.

#include "studies/inspect/model_under_test.hpp"

namespace perp::inspect {

/// What stands in <claim>.toml.
std::string_view toml_of(std::string_view claim);

Experiment unrelated(const Models& models);                                 // M1: O2
Experiment dimensions(const Models& models);                                // M2: O3
Experiment subspaces(const Models& models, const Options& options);         // M3: O4
Experiment lag_alone(const Models& models);                                 // M4: D1
Experiment nearby(const Models& models);                                    // M5: D2
Experiment through_weights(const Models& models, const Options& options);   // M6: D6
Experiment after_layer_norm(const Models& models);                          // M7: Q2
Experiment like_sinusoids(const Models& models);                            // M8: Q4
Experiment published();                                                     // M9: data beside the claims
Experiment through_layers(const Models& models);                            // M10: beside the claims
Experiment into_coordinates(const Models& models, const Options& options);  // A11

}  // namespace perp::inspect
