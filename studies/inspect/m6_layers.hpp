#pragma once
// M6, layer by layer: what each head of each layer keeps of the distance beside three controls, how much of
// its weights is antisymmetric, and how queries and keys share their norm among pairs of dimensions.

#include "studies/inspect/by_model.hpp"

namespace perp::inspect {

/// What a median over heads hides.
struct HeadSpread {
  double least, lower, middle, upper, most;  ///< the ends, the quartiles
};
HeadSpread spread_over_heads(const std::vector<double>& heads);
/// "quartiles 71 and 81 %, from 26 to 82 %", of shares.
std::string in_words(const HeadSpread& shares);

/// Share of the variance of the products of the positions, behind the LayerNorm if one was given, that their
/// distance explains.
double plain_r2(const GivenPositions& given);

/// Adds a cell for each layer of each model that has any.
void measure_layers(const Models& models, const Options& options, Experiment& claim);

/// Adds their tables and findings; to be called after ModelSummaries::finish.
void conclude_layers(const Models& models, const Cells& cells, Summary& summary);

}  // namespace perp::inspect
