#pragma once
// Study `order`: what a Transformer knows of the order of its words. One file per claim; each returns its
// experiment. Words are random vectors and weights are random: nothing here is trained.

#include "perp/study/experiment.hpp"

namespace perp::order {

Experiment same_sentence(const Options& options);    // S1
Experiment causal_mask(const Options& options);      // S2
Experiment order_of_rows(const Options& options);    // S3
Experiment surviving_depth(const Options& options);  // S4

}  // namespace perp::order
