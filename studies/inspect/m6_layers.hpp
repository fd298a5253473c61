#pragma once
// M6, layer by layer: what each head of each layer keeps of the distance beside three controls, how much of
// its weights is antisymmetric, and how queries and keys share their norm among pairs of dimensions.

#include "studies/inspect/by_model.hpp"

namespace perp::inspect {

/// Adds a cell for each layer of each model that has any.
void measure_layers(const Models& models, const Options& options, Experiment& claim);

/// Adds their tables and findings; to be called after ModelSummaries::finish.
void conclude_layers(const Models& models, const Cells& cells, Summary& summary);

}  // namespace perp::inspect
