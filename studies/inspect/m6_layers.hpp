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

struct LayerOf : OfModel {
  std::size_t layer;
  std::size_t draws;  ///< of each control
};
PERP_ROW_OF(LayerOf, OfModel, layer, draws)

/// R² of the distance over a head's position scores, of which `odd` changes sign with it, beside those of its
/// controls, each a mean over draws and what 95 % of them stay below: random weights of its size, head space
/// rotated (pairing), input space rotated (alignment); the same of the products of the positions as they
/// enter the layer, without weights, which all its heads have; in layer 0 of the sinusoid. NaN without
/// positions.
struct LayerHead : LayerOf {
  std::size_t head;
  double antisymmetric;
  double r2 = NAN, odd = NAN, plain = NAN, sinusoid = NAN;
  double control = NAN, control_sd = NAN, control_q95 = NAN, pairing = NAN, pairing_q95 = NAN,
         alignment = NAN, alignment_q95 = NAN;

  double departure() const { return (r2 - control) / control_sd; }
  bool is_above() const { return departure() > departs; }
};
PERP_ROW_OF(LayerHead, LayerOf, head, antisymmetric, r2, odd, plain, sinusoid, control, control_sd,
            control_q95, pairing, pairing_q95, alignment, alignment_q95)

/// Adds a cell for each layer of each model that has any.
void measure_layers(const Models& models, const Options& options, Experiment& claim);

/// Adds their tables and findings; to be called after ModelSummaries::finish.
void conclude_layers(const Models& models, const Cells& cells, Summary& summary);

}  // namespace perp::inspect
