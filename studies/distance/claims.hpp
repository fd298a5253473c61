#pragma once
// Study `distance`: what dot products of positions depend on, before and after QᵀK.
// One file per claim; each returns its experiment.

#include "perp/study/experiment.hpp"
#include "studies/inputs/positions.hpp"

namespace perp::distance {

/// What stands in <claim>.toml.
std::string_view toml_of(std::string_view claim);

Experiment lag_alone(const Options& options);                                       // D1
Experiment nearby_is_similar(const Options& options);                               // D2
Experiment shift_is_linear(const Options& options);                                 // D3
Experiment sine_alone(const Options& options);                                      // D4
Experiment index_instead(const Options& options);                                   // D5
Experiment after_projection(const Options& options, const SharedPositions& given);  // D6
Experiment short_and_long(const Options& options);                                  // D7
Experiment columns(const Options& options);                                         // D8
Experiment scores_of_sums(const Options& options);                                  // D9
Experiment base_for_context(const Options& options);                                // D10
Experiment which_format(const Options& options);                                    // D11
Experiment scaled_contexts(const Options& options);                                 // D12
Experiment layout_of_pairs(const Options& options, const SharedPositions& given);   // Q1
Experiment after_layer_norm(const Options& options);                                // Q2

/// The study `distance`: claims D1 to D12, questions Q1, Q2 and Q4.
Study study();

}  // namespace perp::distance
